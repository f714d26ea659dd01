"""Homes of servers, and other processes that own one."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncpg
import pytest

from server.embedded import EmbeddedPostgres
from tests.conftest import run_apart

ROOT = Path(__file__).parents[2]

# starts a server (or joins one) and says where it is, then sleeps until it is killed
OWNER = """
import sys, time
from pathlib import Path
from server.embedded import EmbeddedPostgres, join_or_start
start = EmbeddedPostgres.start if sys.argv[2] == "start" else join_or_start
server = start(Path(sys.argv[1]))
print(server.pid if server.is_owner else 0, server.url, flush=True)
time.sleep(120)
"""


@pytest.fixture(scope="module")
def used_home() -> Iterator[Path]:
    """A `PAKKA_HOME` whose server has run once."""
    with TemporaryDirectory(prefix="pakka-test-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        EmbeddedPostgres.start(Path(folder) / "home").stop()
        yield Path(folder) / "home"


@pytest.fixture
def home(open_folder: Path, used_home: Path) -> Path:
    """A `PAKKA_HOME` of the test's own, a copy: making a cluster is what takes the time."""
    subprocess.run(["cp", "-a", used_home, open_folder / "home"], check=True)
    return open_folder / "home"


@pytest.fixture
def new_home(open_folder: Path) -> Path:
    """A `PAKKA_HOME` that isn't there yet."""
    return open_folder / "new"


@pytest.fixture
def owners(home: Path) -> Iterator[list["Owner"]]:
    """Processes that own or join a server; whatever is left of them ends with the test."""
    started: list[Owner] = []
    yield started
    for owner in started:
        owner.end(signal.SIGKILL)


class Owner:
    """Another process with a launcher of its own."""

    def __init__(self, home: Path, how: str = "start") -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", OWNER, str(home), how],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )

    def read(self) -> tuple[int, str]:
        """Wait until its server runs: (the server's process id, the address)."""
        assert self._process.stdout is not None
        pid, url = self._process.stdout.readline().split()
        return int(pid), url

    def end(self, number: signal.Signals) -> None:
        """Send it a signal and wait."""
        self._process.send_signal(number)
        self._process.wait(30)
        assert self._process.stdout is not None
        self._process.stdout.close()


def value_of(url: str, query: str) -> object:
    """Run a query as the owner of the database."""

    async def work() -> object:
        connection = await asyncpg.connect(url)
        try:
            return await connection.fetchval(query)
        finally:
            await connection.close()

    return run_apart(work)


def until_gone(pid: int) -> None:
    """Wait until a process has ended."""
    deadline = time.monotonic() + 30
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline, f"{pid} still runs"
        time.sleep(0.02)


def user_of(pid: int) -> int:
    """Tell which user a process runs as."""
    return Path(f"/proc/{pid}").stat().st_uid
