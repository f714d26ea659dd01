"""Hosts as several processes have them: each with a line of its own to the same Valkey."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack

import pytest

from server.database import Database, TableId, Transaction
from server.embedded import EmbeddedValkey
from server.messenger import RedisMessenger
from server.tables import service
from server.tables.host import TableHost
from server.tables.work import Parts
from tests.tables.conftest import new_player, parts, patient, steady

__all__ = ["new_player", "parts", "patient", "steady"]

LEASE_MS = 6_000
"""Hosts look about three times in that, and find what was handed on."""

StartHost = Callable[[str], Awaitable[TableHost]]


@pytest.fixture(scope="session")
def valkey() -> Iterator[EmbeddedValkey]:
    """A server that no test breaks."""
    server = EmbeddedValkey.start()
    yield server
    server.stop()


@pytest.fixture
async def start_host(
    database: Database, parts: Parts, valkey: EmbeddedValkey
) -> AsyncIterator[StartHost]:
    """Start a process by its name; it is stopped after the test if it still runs."""
    key = secrets.token_bytes(32)
    async with AsyncExitStack() as stack:

        async def start(owner: str) -> TableHost:
            messenger = RedisMessenger(valkey.url, owner=owner, key=key)
            await messenger.connect()
            stack.push_async_callback(messenger.close)
            host = TableHost(
                database=database,
                parts=parts,
                owner=owner,
                messenger=messenger,
                lease_ms=LEASE_MS,
                presence_ms=600_000,
            )
            await host.start()
            stack.push_async_callback(host.stop)
            return host

        yield start


async def open_tables(database: Database, count: int, game: str = "rummy") -> list[TableId]:
    """Open tables that processes may take up."""

    async def work(tx: Transaction) -> list[TableId]:
        options = {"seats": 4, "turn_ms": 120_000}  # no clock plays while leases run out
        names = [f"Table {number}" for number in range(count)]
        return [
            await service.open_table(tx, game=game, options=options, name=name) for name in names
        ]

    return await database.run(work)


async def until(condition: Callable[[], bool], timeout_s: float = 60) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(timeout_s):
        while not condition():
            await asyncio.sleep(0.02)


def run_by(hosts: Sequence[TableHost]) -> list[int]:
    """Count the tables that each process runs."""
    return [len(host.summaries()) for host in hosts]
