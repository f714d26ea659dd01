"""`pakka serve --workers 2`: one address, two processes, and nothing left when it ends."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import asyncpg
import httpx
import pytest

from server.embedded import find_running
from tests.acceptance.served import HTTP_S, Served, home_folder

WAIT_S = 180
SETTINGS = {"PAKKA_PRACTICE_BOTS": "0", "PAKKA_LEASE_MS": "3000"}


class Workers(Served):
    """A server of two processes."""

    options = ("--workers", "2")

    async def names(self) -> set[str]:
        """Name the processes that hold leases."""
        url = find_running(self.home)
        assert url is not None
        line = await asyncpg.connect(url)
        try:
            rows = await line.fetch(
                "select distinct owner from tables.lease where expires_at > clock_timestamp()"
            )
        finally:
            await line.close()
        return {row["owner"] for row in rows}

    def workers(self) -> set[int]:
        """Find the serving processes."""
        found = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="utf-8")
        return {int(pid) for pid in found.split() if b"--fd" in _command_of(int(pid))}


def _command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.fixture
def served() -> Iterator[Workers]:
    with home_folder() as home:
        served = Workers(home, SETTINGS)
        try:
            served.start()
            yield served
        finally:
            served.stop()


def status_of(served: Workers, path: str) -> int:
    return httpx.get(f"{served.url}{path}", timeout=HTTP_S, trust_env=False).status_code


async def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


async def _until_shared(served: Workers, *, without: set[str]) -> set[str]:
    """Wait until two processes share the tables, none of them one of those; their names."""
    deadline = time.monotonic() + WAIT_S
    while len(names := await served.names()) != 2 or names & without:
        assert time.monotonic() < deadline, names
        time.sleep(0.1)
    return names


async def test_workers_share_the_tables_are_replaced_when_they_die_and_renewed_in_turn(
    served: Workers,
) -> None:
    first = await _until_shared(served, without=set())
    killed = min(served.workers())
    os.kill(killed, signal.SIGKILL)
    lost = {name for name in first if f":{killed}:" in name}
    assert len(lost) == 1
    assert status_of(served, "/healthz") == 200
    second = await _until_shared(served, without=lost)
    before = served.workers()
    assert killed not in before
    os.kill(served.pid, signal.SIGHUP)
    await _until_shared(served, without=second)
    await _until(lambda: len(served.workers()) == 2)
    after = served.workers()
    assert not before & after
    # the last to go has just let its tables go: somebody takes each of them up
    await _until(lambda: status_of(served, "/readyz") == 200)
    served.stop()
    assert not [pid for pid in after if b"--fd" in _command_of(pid)]
    assert find_running(served.home) is None
    log = served.log.read_text(encoding="utf-8")
    assert "worker_died" in log
    assert "Traceback" not in log
