"""PostgreSQL for one folder: started here, or joined where it already runs."""

import atexit
import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from server.embedded import leftovers, rooms
from server.embedded.binaries import Binaries, Source, find_postgres
from server.embedded.child import Account, Child, run_as, unprivileged
from server.embedded.lock import POLL_S, FolderLock
from server.errors import Fault

START_WAIT_S: Final = 60
STOP_WAIT_S: Final = 60
OWNER_WAIT_S: Final = 10
"""How long to wait for a short command that runs the server to end."""

PORT_ATTEMPTS_MAX: Final = 5
LOG_MAX_BYTES: Final = 10_000_000
CONNECTIONS_MAX: Final = 200

_NAME: Final = "pakka"
_APPLICATION: Final = "pakka_server"
_SETTINGS: Final = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": str(CONNECTIONS_MAX),
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "password_encryption": "scram-sha-256",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",
}


class EmbeddedPostgres:
    """A PostgreSQL on 127.0.0.1 that keeps its data in a folder.

    Its owner is the process that started it; the server ends with it, whatever ends it.
    """

    def __init__(
        self, url: str, home: Path, bin_folder: Path, started: "_Started | None" = None
    ) -> None:
        """Hold a server that runs; `started` is what its owner has of it."""
        self.url = url
        """The address as the database's owner."""
        self.application_url = _application_url(url, home)
        """The address as the application, whose login is made by whoever migrates."""
        self.bin_folder = bin_folder
        """Where its programs are: `pg_dump` and `pg_restore` of the right version among them."""
        self._started = started

    @classmethod
    def start(
        cls, home: Path, *, source: Source | None = None, wait_s: float = OWNER_WAIT_S
    ) -> "EmbeddedPostgres":
        """Start the server of `home` and own it; blocks until it takes connections.

        Errors: Fault if another process still owns it after `wait_s`, or if it can't be started.
        """
        home = rooms.make_home(home)
        lock = FolderLock(home / "postgres.lock")
        lock.take(wait_s=wait_s)
        try:
            return _start(home, lock, source)
        except BaseException:
            lock.give_back()
            raise

    @property
    def is_owner(self) -> bool:
        """Tell whether the server ends when this process does."""
        return self._started is not None

    @property
    def pid(self) -> int:
        """The process id of the server; only its owner knows it."""
        assert self._started is not None
        return self._started.child.pid

    def is_running(self) -> bool:
        """Tell whether the server that we own has not ended."""
        return self._started is not None and self._started.child.is_running()

    def stop(self) -> None:
        """Stop the server cleanly if we own it; a joined one is left alone."""
        if self._started is not None:
            self._started.stop()
            self._started = None

    def __enter__(self) -> Self:
        """Return the server."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop it, if it is ours."""
        self.stop()


def find_running(home: Path) -> str | None:
    """Find the address of the server that runs in `home`, None if none does."""
    known = _known(home.expanduser().absolute())
    return known.url if known is not None else None


def join_or_start(home: Path, *, source: Source | None = None) -> EmbeddedPostgres:
    """Join the server that runs in `home`, or start it if none does.

    A joined server ends when its owner does: what must outlive its neighbours calls `start`.

    Errors: Fault if it neither runs nor can be started.
    """
    deadline = time.monotonic() + START_WAIT_S
    while True:
        known = _known(home.expanduser().absolute())
        if known is not None:
            return known
        try:
            return EmbeddedPostgres.start(home, source=source, wait_s=0)
        except Fault:
            lock = FolderLock(home.expanduser().absolute() / "postgres.lock")
            if not lock.is_held() or time.monotonic() > deadline:
                raise
        time.sleep(POLL_S)  # somebody else is starting it at this moment


@contextmanager
def throwaway(*, source: Source | None = None) -> Iterator[EmbeddedPostgres]:
    """Run a server on a folder that is deleted afterwards, for a demo or for tests."""
    folder = Path(tempfile.mkdtemp(prefix="pakka-"))
    if os.geteuid() == 0:
        folder.chmod(0o711)
    try:
        with EmbeddedPostgres.start(folder, source=source) as server:
            yield server
    finally:
        shutil.rmtree((folder / "postgres").resolve(), ignore_errors=True)  # it may be a link
        shutil.rmtree(folder, ignore_errors=True)


class _Started:
    """What the owner has: the child, the lock, and the file that others find it by."""

    def __init__(self, child: Child, lock: FolderLock, notice: Path) -> None:
        self.child = child
        self._lock = lock
        self._notice = notice
        atexit.register(self.stop)

    def stop(self) -> None:
        atexit.unregister(self.stop)
        self._notice.unlink(missing_ok=True)
        self.child.end(signal.SIGINT, wait_s=STOP_WAIT_S)  # SIGINT is PostgreSQL's fast shutdown
        self._lock.give_back()


def _known(home: Path) -> EmbeddedPostgres | None:
    if not FolderLock(home / "postgres.lock").is_held():
        return None
    try:
        notice = json.loads((home / "postgres.json").read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    if not rooms.answers(notice["port"]):
        return None
    return EmbeddedPostgres(notice["url"], home, Path(notice["bin"]))


def _start(home: Path, lock: FolderLock, source: Source | None) -> EmbeddedPostgres:
    notice = home / "postgres.json"
    notice.unlink(missing_ok=True)
    account = unprivileged()
    room = rooms.room_of(home, "postgres", account)
    data = room / "data"
    major = int((data / "PG_VERSION").read_text()) if data.exists() else None
    binaries = find_postgres(account, keep=room.parent, major=major, source=source)
    password = rooms.password_of(home / "postgres.password")
    if major is None:
        _initialise(binaries, account, data, password)
    leftovers.clear(data)
    child, port = _serve(binaries, account, data, home / "postgres.log")
    url = f"postgresql://{_NAME}:{password}@127.0.0.1:{port}/{_NAME}"
    seen = {"url": url, "port": port, "pid": child.pid, "bin": str(binaries.folder)}
    rooms.write_secret(notice, json.dumps(seen))
    return EmbeddedPostgres(url, home, binaries.folder, _Started(child, lock, notice))


def _application_url(url: str, home: Path) -> str:
    password = rooms.password_of(home / "postgres.application.password")
    return f"postgresql://{_APPLICATION}:{password}@{url.partition('@')[2]}"


def _initialise(binaries: Binaries, account: Account, data: Path, password: str) -> None:
    """Make the cluster beside its place and move it there when it is whole."""
    new = data.with_name("data.new")
    shutil.rmtree(new, ignore_errors=True)
    password_file = data.with_name("password")
    rooms.write_secret(password_file, password + "\n", account)
    try:
        options = [
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--auth=scram-sha-256",
            "--username",
            _NAME,
        ]
        secret = ["--pwfile", str(password_file)]
        run_as(account, [binaries.program("initdb"), "--pgdata", str(new), *options, *secret])
    finally:
        password_file.unlink()
    single = [binaries.program("postgres"), "--single", "-D", str(new), "postgres"]
    said = run_as(account, single, given=f"create database {_NAME}\n")
    if "ERROR" in said or "FATAL" in said:
        raise Fault(f"the new database can't be made: {said.strip().splitlines()[-1]}")
    new.rename(data)


def _serve(binaries: Binaries, account: Account, data: Path, log: Path) -> tuple[Child, int]:
    """Start the server on a free port; another one if somebody was faster to take it."""
    for _ in range(PORT_ATTEMPTS_MAX):
        port = rooms.free_port()
        settings = [f"-c{name}={value}" for name, value in _SETTINGS.items()]
        argv = [binaries.program("postgres"), "-D", str(data), "-p", str(port), *settings]
        if log.exists() and log.stat().st_size > LOG_MAX_BYTES:
            log.replace(log.with_suffix(".log.1"))
        with open(log, "ab", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            child = Child(argv, account=account, log=file, death_signal=signal.SIGINT)
        if _becomes_ready(child, data):
            return child, port
        child.end(signal.SIGINT, wait_s=STOP_WAIT_S)
    raise Fault(f"PostgreSQL does not start; {log} says why")


def _becomes_ready(child: Child, data: Path) -> bool:
    """Wait until the server says in its pid file that it takes connections."""
    deadline = time.monotonic() + START_WAIT_S
    while child.is_running() and time.monotonic() < deadline:
        lines = leftovers.pid_file_of(data)
        if len(lines) >= 8 and lines[0] == str(child.pid) and lines[7].strip() == "ready":
            return True
        time.sleep(POLL_S)
    return False
