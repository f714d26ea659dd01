"""`pakka serve` as the process that an operator starts, with everything that it writes kept."""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from threading import Timer

import httpx

from server.cli.http import ask
from server.database import Database, TableId, Transaction
from server.embedded import find_running
from server.errors import Refusal
from server.tables.service import open_table

START_S = 180
STOP_S = 90
TAKEN_UP_S = 120
HTTP_S = 30
"""Waits that only a server which hangs outlasts, however many share the machine."""

WIDE = {
    "PAKKA_MOVES_PER_SECOND": "1000",
    "PAKKA_MOVES_BURST": "10000",
    "PAKKA_MESSAGES_PER_SECOND": "1000",
    "PAKKA_MESSAGES_BURST": "10000",
    "PAKKA_REQUESTS_PER_SECOND": "10000",
    "PAKKA_REQUESTS_BURST": "100000",
    "PAKKA_SIGN_INS_PER_MINUTE": "10000",
}
"""Rates that no test reaches."""


@contextmanager
def home_folder() -> Iterator[Path]:
    """A folder for PAKKA_HOME: as root, the database's own user passes through it."""
    home = Path(tempfile.mkdtemp(prefix="pakka-test-"))
    home.chmod(0o711)
    try:
        yield home
    finally:
        shutil.rmtree((home / "postgres").resolve(), ignore_errors=True)  # it may be a link
        shutil.rmtree(home, ignore_errors=True)


class Served:
    """A server on one folder and one port; it can be killed and started again.

    Promises: until it is stopped, dead or alive, its port is given to nobody else.
    """

    options: tuple[str, ...] = ()

    def __init__(self, home: Path, settings: Mapping[str, str]) -> None:
        self.home = home
        self._held: socket.socket | None = self._hold()
        self.port: int = self._held.getsockname()[1]
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it is, before and after each restart."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        """What it wrote to standard error, over all its lives."""
        return self.home / "serve.log"

    @property
    def database_url(self) -> str:
        """The address of its embedded PostgreSQL, as the owner."""
        url = find_running(self.home)
        assert url is not None, "the server has no database"
        return url

    @property
    def pid(self) -> int:
        """The process that runs it now."""
        assert self._process is not None, "it does not run"
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it says where it is."""
        self._held = self._held or self._hold(self.port)
        kept = {key: value for key, value in os.environ.items() if not _is_setting(key)}
        environment = {**kept, **WIDE, **self._settings, "PAKKA_HOME": str(self.home)}
        words = ("serve", "--port", str(self.port), "--json", *self.options)
        command = [sys.executable, "-m", "server.cli", *words]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, env=environment
            )
        assert self._process.stdout is not None
        watchdog = Timer(START_S, self._process.kill)
        watchdog.start()
        try:
            line = self._process.stdout.readline()
        finally:
            watchdog.cancel()
        assert line, f"the server did not start: {self.log.read_text()[-2_000:]}"
        assert json.loads(line)["url"] == self.url

    def kill(self, *, with_database: bool = False) -> None:
        """Kill it without a word, its PostgreSQL before it if asked for."""
        assert self._process is not None
        if with_database:
            notice = json.loads((self.home / "postgres.json").read_text())
            os.kill(int(notice["pid"]), signal.SIGKILL)
        self._process.kill()
        self._end()

    def stop(self) -> None:
        """End it as an operator does, and let its port go; it may have ended."""
        if self._held is not None:
            self._held.close()
            self._held = None
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._end()

    def _hold(self, port: int = 0) -> socket.socket:
        held = held_port(port)
        weakref.finalize(self, held.close)  # one that is killed and forgotten leaves nothing open
        return held

    def _end(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        self._process.wait()
        self._process.stdout.close()
        self._process = None


@asynccontextmanager
async def serving(settings: Mapping[str, str]) -> AsyncIterator[Served]:
    """Run a server on a fresh folder; end it and delete everything afterwards."""
    with home_folder() as home:
        served = Served(home, settings)
        try:
            await asyncio.to_thread(served.start)
            yield served
        finally:
            await asyncio.to_thread(served.stop)


async def open_new_table(
    served: Served, name: str, game: str = "rummy", /, **options: int | bool
) -> TableId:
    """Open a table as an operator's command would, and wait until the server runs it."""

    async def work(tx: Transaction) -> TableId:
        return await open_table(tx, game=game, options=options, name=name)

    database = Database(served.database_url, pool_size=2)
    try:
        table = await database.run(work)
    finally:
        await database.close()
    await wait_for_table(served, str(table))
    return table


async def wait_for_table(served: Served, table: str) -> None:
    """Wait until the server runs a table."""
    deadline = time.monotonic() + TAKEN_UP_S
    while time.monotonic() < deadline:
        with suppress(Refusal):
            await ask(served.url, f"/api/v1/tables/{table}")
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"table {table} was not taken up")


async def new_guest(url: str, name: str) -> str:
    """Come in as a guest; the token."""
    async with httpx.AsyncClient(base_url=url, timeout=HTTP_S, trust_env=False) as http:
        answer = await http.post("/api/v1/guests", json={"name": name})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["token"])


def _is_setting(key: str) -> bool:
    return key.startswith("PAKKA_") or key in {"DATABASE_URL", "REDIS_URL"}


def held_port(port: int = 0) -> socket.socket:
    """Hold a port, one that is free if none is named, without listening.

    A server, which reuses addresses, may listen there; nobody who asks for any port is given it.
    """
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", port))
    return held
