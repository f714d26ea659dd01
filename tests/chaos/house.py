"""A house of several processes, with its PostgreSQL and its Valkey, each of which can be hurt."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.engine import make_url

from server.database import Database, Transaction
from server.embedded import EmbeddedPostgres, EmbeddedValkey, rooms
from tests.acceptance.served import Served, held_port, home_folder
from tests.messenger.relay import Relay

T = TypeVar("T")

APPLICATION = "pakka_server"
LOOK_S = 0.1
TAKE_OVER_LEASES = 30
"""Lives of a lease after which a table that nobody took over counts as left behind."""


class Process(Served):
    """One server, on a port and a way to Redis of its own."""

    def __init__(self, home: Path, settings: Mapping[str, str], relay: Relay) -> None:
        super().__init__(home, settings)
        self.relay = relay
        self.is_frozen = False
        self.slowest_start_s = 0.0

    @property
    def log(self) -> Path:
        """What it wrote, over all its lives."""
        return self.home / f"serve-{self.port}.log"

    def start(self) -> None:
        """Start it, and note how long that took."""
        began = time.monotonic()
        super().start()
        self.slowest_start_s = max(self.slowest_start_s, time.monotonic() - began)

    def freeze(self) -> None:
        """Stop it in the middle of whatever it does."""
        os.kill(self.pid, signal.SIGSTOP)
        self.is_frozen = True

    def thaw(self) -> None:
        """Let it go on; it does not know that time has passed."""
        if self.is_frozen:
            os.kill(self.pid, signal.SIGCONT)
            self.is_frozen = False


class House:
    """Everything that runs on one folder; `processes` share its database."""

    def __init__(self, home: Path, postgres: EmbeddedPostgres, valkey: EmbeddedValkey) -> None:
        self.home = home
        self.postgres = postgres
        self.valkey = valkey
        self.processes: list[Process] = []
        self.lease_s = 0.0
        self.longest_outage_s = 0.0

    @property
    def ports(self) -> list[int]:
        """Where a client may come in."""
        return [process.port for process in self.processes]

    @property
    def slowest_start_s(self) -> float:
        """How long a process took to come back at most: how fast this machine is just now."""
        return max(process.slowest_start_s for process in self.processes)

    async def start(self, stack: AsyncExitStack, count: int, settings: Mapping[str, str]) -> None:
        """Start the processes, the first one alone: it makes the keys and the schema."""
        self.lease_s = int(settings["PAKKA_LEASE_MS"]) / 1000
        for _ in range(count):
            relay = Relay(self.valkey.url)
            addresses = {
                "DATABASE_URL": self.postgres.application_url,
                "PAKKA_OWNER_DATABASE_URL": self.postgres.url,
                "REDIS_URL": await relay.start(),
            }
            stack.push_async_callback(relay.stop)
            process = Process(self.home, {**settings, **addresses}, relay)
            self.processes.append(process)
            stack.push_async_callback(asyncio.to_thread, process.stop)
            stack.callback(process.thaw)
            await asyncio.to_thread(process.start)

    async def run(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Do something in a transaction, on a connection that no fault can have hurt."""
        database = self.database()
        try:
            return await database.run(work)
        finally:
            await database.close()

    def database(self) -> Database:
        """Connect anew, as the owner; to be closed."""
        return Database(self.postgres.url, pool_size=1, role=None)

    async def owners(self, tables: Sequence[str]) -> dict[str, str]:
        """Tell who holds the lease of each table just now; those that nobody holds are missing."""

        async def work(tx: Transaction) -> dict[str, str]:
            found = await tx.execute(
                text(
                    """select table_id, owner from tables.lease
                        where table_id = any(:tables) and expires_at > clock_timestamp()"""
                ),
                {"tables": [UUID(table) for table in tables]},
            )
            return {str(row.table_id): row.owner for row in found}

        return await self.run(work)

    async def owned_by(self, process: Process, tables: Sequence[str]) -> list[str]:
        """List those of the tables that a process runs."""
        owners = await self.owners(tables)
        return [table for table, owner in owners.items() if _pid_of(owner) == process.pid]

    async def until_taken_over(self, tables: Sequence[str], pid: int) -> None:
        """Wait until all these tables are run, and none by that process."""
        until = time.monotonic() + TAKE_OVER_LEASES * self.lease_s + 10 * self.slowest_start_s
        while True:
            owners = await self.owners(tables)
            if len(owners) == len(tables) and pid not in map(_pid_of, owners.values()):
                return
            assert time.monotonic() < until, f"tables {tables} are left behind: {owners}"
            await asyncio.sleep(LOOK_S)

    async def voided(self) -> int:
        """Count the hands, and the deals of hands, that ended as if they had not been."""

        async def work(tx: Transaction) -> int:
            found = await tx.execute(
                text(
                    """select count(*) from tables.journal
                        where fact->>'fact' in ('hand_cancelled', 'attempt_voided')"""
                )
            )
            return int(found.scalar_one())

        return await self.run(work)

    def restart_postgres(self, *, suddenly: bool) -> None:
        """End PostgreSQL, by its death or as its owner does, and start it where it was."""
        began = time.monotonic()
        port = make_url(self.postgres.url).port
        assert port is not None
        if suddenly:
            os.kill(self.postgres.pid, signal.SIGKILL)
        self.postgres.stop()
        with held_port(port), patch.object(rooms, "free_port", lambda: port):
            self.postgres = EmbeddedPostgres.start(self.home)
        self.longest_outage_s = max(self.longest_outage_s, time.monotonic() - began)

    def kill_valkey(self) -> None:
        """End Valkey without a word; `valkey.start_again` brings it back, with nothing in it."""
        os.kill(self.valkey.pid, signal.SIGKILL)

    async def kill_connections(self, share: float) -> int:
        """Have PostgreSQL end that share of the servers' connections; how many."""

        async def work(tx: Transaction) -> int:
            found = await tx.execute(
                text(
                    """select count(pg_terminate_backend(pid)) from pg_stat_activity
                        where usename = :application and random() < :share"""
                ),
                {"application": APPLICATION, "share": share},
            )
            return int(found.scalar_one())

        return await self.run(work)


def _pid_of(owner: str) -> int:
    """Read which process a lease's owner is, in one life of it."""
    return int(owner.split(":")[-2])


@asynccontextmanager
async def house_of(count: int, settings: Mapping[str, str]) -> AsyncIterator[House]:
    """Run a house of so many processes on a folder that is deleted afterwards."""
    with home_folder() as home:
        async with AsyncExitStack() as stack:
            postgres = await asyncio.to_thread(EmbeddedPostgres.start, home)
            valkey = await asyncio.to_thread(EmbeddedValkey.start)
            house = House(home, postgres, valkey)
            stack.push_async_callback(lambda: asyncio.to_thread(house.postgres.stop))
            stack.push_async_callback(asyncio.to_thread, valkey.stop)
            await house.start(stack, count, settings)
            yield house
