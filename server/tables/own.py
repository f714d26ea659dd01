"""The tables that this process runs: claimed by lease, rebuilt, served, given up."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from server.database import Database, TableId
from server.errors import Fault, Refusal
from server.logs import at_table
from server.tables import lease, service
from server.tables.actor import Actor
from server.tables.announcing import announce_lost, announce_taken_up
from server.tables.audiences import Audiences
from server.tables.commands import CloseTable
from server.tables.faults import place_of, where
from server.tables.journal import Fenced
from server.tables.moment import Moment
from server.tables.state import HOUSE, Closed, TableState
from server.tables.takeup import TakenUp, take_up
from server.tables.work import Parts

STOP_WAIT_S: Final = 10
"""Time that a stopping actor gets for the command in hand."""

_log = structlog.get_logger(__name__)

Claimed = Callable[[TableState], None]
"""Hears that a table is ours, before anybody is told anything by us."""


@dataclass(frozen=True, slots=True)
class Left:
    """How a process left its tables: leases it gave up, and commands in hand it did not finish."""

    given_up: int
    cut: int


@dataclass(slots=True)
class _Served:
    actor: Actor
    task: asyncio.Task[None]


class OwnTables:
    """One actor for each table whose lease this process holds."""

    def __init__(
        self,
        *,
        database: Database,
        parts: Parts,
        owner: str,
        lease_ms: int,
        inbox_max: int,
        moment: Moment,
        audiences: Audiences,
        claimed: Claimed,
    ) -> None:
        self._database = database
        self._parts = parts
        self._owner = owner
        self._lease_ms = lease_ms
        self._inbox_max = inbox_max
        self._moment = moment
        self._audiences = audiences
        self._claimed = claimed
        self._renewed_at = monotonic()
        self._served: dict[TableId, _Served] = {}
        self._ending: dict[TableId, asyncio.Task[None]] = {}
        self.closed: set[TableId] = set()

    def __len__(self) -> int:
        return len(self._served)

    def __contains__(self, table: TableId) -> bool:
        """Tell whether an actor of ours speaks for a table, or still ends."""
        return table in self._served or table in self._ending

    def knows(self, table: TableId) -> bool:
        """Tell whether a table is ours, or was when it was closed."""
        return table in self or table in self.closed

    def find(self, table: TableId) -> Actor | None:
        """Find the actor of a table that is served here."""
        served = self._served.get(table)
        return None if served is None else served.actor

    def actors(self) -> Iterator[Actor]:
        """List the actors of the tables that are served here."""
        return (one.actor for one in tuple(self._served.values()))

    async def renew(self) -> None:
        """Renew the leases; a table whose lease was lost is served no more."""
        self._renewed_at = monotonic()
        fences = [(table, one.actor.fence) for table, one in self._served.items()]
        kept = await self._database.run(
            lambda tx: lease.renew(tx, fences, owner=self._owner, lease_ms=self._lease_ms)
        )
        for table, fence in fences:
            served = self._served.get(table)
            if table not in kept and served is not None and served.actor.fence == fence:
                announce_lost(served.actor.state, self._parts)
                self._part_with(table)

    async def renew_if_late(self) -> bool:
        """Renew when many tables are taken up: those first in line would run out before the last.

        True if it was time for it.

        Errors: those of a database.
        """
        is_late = monotonic() - self._renewed_at > self._lease_ms / 3_000
        if is_late:
            await self.renew()
        return is_late

    async def claim(self, found: service.OpenTable) -> None:
        """Take a table up if nobody holds it.

        Errors: those of a database.
        """
        audience = self._audiences.of(found.table_id)
        try:
            claimed = await self._database.run(
                lambda tx: take_up(
                    tx,
                    found,
                    owner=self._owner,
                    lease_ms=self._lease_ms,
                    now_ms=self._moment.now_ms(),
                    parts=self._parts,
                )
            )
        except Fenced:  # the lease ran out before the table was rebuilt: the next round tries again
            _log.warning("table_not_taken_up", **at_table(found.table_id))
            return
        except (AssertionError, ValueError, LookupError, Fault):
            _log.error("table_broken", **at_table(found.table_id), where=where())
            return
        if claimed is not None:
            self._claimed(claimed.state)
            audience.catch_up(claimed.state, claimed.events, self._moment.now_ms())
            announce_taken_up(claimed, self._parts)
            self._serve(claimed)

    def _serve(self, claimed: TakenUp) -> None:
        table = claimed.state.table
        actor = Actor(
            claimed.state,
            fence=claimed.won.fence,
            database=self._database,
            parts=self._parts,
            moment=self._moment,
            audience=self._audiences.of(table),
            inbox_max=self._inbox_max,
        )
        task = asyncio.create_task(actor.run(), name=f"table {table}")
        self._served[table] = _Served(actor, task)
        task.add_done_callback(lambda done: self._ended(table, actor, done))

    def _ended(self, table: TableId, actor: Actor, task: asyncio.Task[None]) -> None:
        self._ending.pop(table, None)
        served = self._served.get(table)
        if served is not None and served.actor is actor:
            del self._served[table]
        if isinstance(actor.state.phase, Closed):
            self.closed.add(table)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("table_stopped", **place_of(actor.state), why=type(error).__name__)

    def close(self, found: service.OpenTable) -> None:
        """Pass on what an operator's command wrote beside us."""
        actor = self.find(found.table_id)
        if actor is None or actor.state.closing in (found.close_asked, "now"):
            return
        with suppress(Refusal):  # a full inbox: asked again in the next round
            actor.tell(HOUSE, CloseTable(drain=found.close_asked == "drain"))

    async def release(self, tables: Sequence[TableId]) -> None:
        """Finish the commands in hand at these tables and give their leases up."""
        parted = [self._part_with(table) for table in tables if table in self._served]
        if not parted:
            return
        await asyncio.wait([one.task for one in parted], timeout=STOP_WAIT_S)
        fences = [(one.actor.state.table, one.actor.fence) for one in parted]
        with suppress(SQLAlchemyError, OSError):
            await self._database.run(lambda tx: lease.give_up(tx, fences, owner=self._owner))

    async def stop(self) -> Left:
        """Give all tables up, also those that were being handed on or taken up just now."""
        for table in tuple(self._served):
            self._part_with(table)
        given_up, late = 0, set[asyncio.Task[None]]()
        if self._ending:
            ending = tuple(self._ending.values())
            _, late = await asyncio.wait(ending, timeout=STOP_WAIT_S)
        with suppress(SQLAlchemyError, OSError):
            given_up = await self._database.run(lambda tx: lease.give_up_all(tx, owner=self._owner))
        return Left(given_up, len(late))

    def _part_with(self, table: TableId) -> _Served:
        served = self._served.pop(table)
        if not served.task.done():
            self._ending[table] = served.task
        served.actor.stop()
        return served
