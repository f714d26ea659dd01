"""Valkey (or Redis) as a messenger between processes: nothing in it has to last."""

import os
import secrets
import signal
import socket
import tempfile
import time
from pathlib import Path
from typing import Final

from server.embedded import rooms
from server.embedded.binaries import Source, find_valkey
from server.embedded.child import Account, Child, unprivileged
from server.embedded.lock import POLL_S
from server.errors import Fault

START_WAIT_S: Final = 20
STOP_WAIT_S: Final = 10
MEMORY_MAX: Final = "256mb"


class EmbeddedValkey:
    """A server on 127.0.0.1, with a password; it ends with the process that started it."""

    def __init__(self, program: Path, account: Account) -> None:
        """Make its folder and its settings; `start` starts it."""
        self._folder = tempfile.TemporaryDirectory(
            prefix="pakka-valkey-", ignore_cleanup_errors=True
        )
        room = Path(self._folder.name)
        room.chmod(0o700)
        account.own(room)
        self._room, self._account = room, account
        self._argv = [str(program), str(room / "valkey.conf")]
        self._password, self._port = secrets.token_urlsafe(24), rooms.free_port()
        settings = {
            "bind": "127.0.0.1",
            "port": str(self._port),
            "requirepass": self._password,
            "dir": str(room),
            "save": '""',
            "appendonly": "no",
            "maxmemory": MEMORY_MAX,
            "daemonize": "no",
        }
        lines = "".join(f"{name} {value}\n" for name, value in settings.items())
        rooms.write_secret(room / "valkey.conf", lines, account)
        self._child: Child | None = None

    @classmethod
    def start(cls, *, source: Source | None = None) -> "EmbeddedValkey":
        """Start a server that keeps nothing; blocks until it answers.

        Errors: Fault if it can't be started.
        """
        account = unprivileged()
        server = cls(find_valkey(account, keep=_keep(), source=source), account)
        try:
            server.start_again()
        except Fault:
            server.stop()
            raise
        return server

    @property
    def url(self) -> str:
        """The address, which stays when it is started again."""
        return f"redis://:{self._password}@127.0.0.1:{self._port}/0"

    @property
    def pid(self) -> int:
        """The id of the server's process."""
        assert self._child is not None
        return self._child.pid

    def is_running(self) -> bool:
        """Tell whether the server has not ended by itself."""
        return self._child is not None and self._child.is_running()

    def start_again(self) -> None:
        """Start the server at its address once it has ended; blocks until it answers.

        Errors: Fault if it can't be started.
        """
        with open(self._room / "log", "ab") as log:
            self._child = Child(
                self._argv, account=self._account, log=log, death_signal=signal.SIGTERM
            )
        if not _becomes_ready(self._child, self._port, self._password):
            said = (self._room / "log").read_text(errors="replace").strip().splitlines()[-1:]
            self._child.end(signal.SIGTERM, wait_s=STOP_WAIT_S)
            raise Fault(f"Valkey does not start: {' '.join(said)}")

    def stop(self) -> None:
        """Stop the server."""
        if self._child is not None:
            self._child.end(signal.SIGTERM, wait_s=STOP_WAIT_S)
        self._folder.cleanup()


def _keep() -> Path:
    """Choose where a copy of the program may stay, for a user that can't reach the wheel."""
    if os.geteuid() == 0:
        rooms.SHARED.mkdir(mode=0o755, parents=True, exist_ok=True)
        return rooms.SHARED
    return Path(tempfile.gettempdir())


def _becomes_ready(child: Child, port: int, password: str) -> bool:
    deadline = time.monotonic() + START_WAIT_S
    while child.is_running() and time.monotonic() < deadline:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as line:
                line.sendall(f"AUTH {password}\r\nPING\r\n".encode())
                with line.makefile("rb") as answers:
                    if answers.readline().strip() + answers.readline().strip() == b"+OK+PONG":
                        return True
        except OSError:
            pass
        time.sleep(POLL_S)
    return False
