"""The mirrors of this process: of every open table that another process runs, or nobody does."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from server.cancellation import end_all
from server.database import Database, TableId
from server.errors import Fault, Refusal
from server.logs import at_table
from server.messenger import Lost, Messenger
from server.tables.audiences import Audiences
from server.tables.faults import where
from server.tables.mirror import Mirror, look_after
from server.tables.moment import Moment
from server.tables.published import Published, decode, encode
from server.tables.state import Closed
from server.tables.work import Parts

TOPIC: Final = "facts"
REACH_MAX_S: Final = 2
"""The wait of an answered command for its events: a packet that got lost is found by then."""

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Kept:
    mirror: Mirror
    task: asyncio.Task[None]


class Mirrors:
    """One mirror for each table that is open and not run here."""

    def __init__(
        self,
        *,
        database: Database,
        parts: Parts,
        moment: Moment,
        messenger: Messenger,
        audiences: Audiences,
    ) -> None:
        self._database = database
        self._parts = parts
        self._moment = moment
        self._messenger = messenger
        self._audiences = audiences
        self._kept: dict[TableId, _Kept] = {}
        self.closed: set[TableId] = set()

    def start(self) -> None:
        """Hear from now on what the owners of tables publish."""
        self._messenger.subscribe(TOPIC, self._hear)

    async def stop(self) -> None:
        """End them all."""
        tasks = [one.task for one in self._kept.values()]
        for table in tuple(self._kept):
            self.drop(table)
        await asyncio.gather(*tasks, return_exceptions=True)

    def find(self, table: TableId) -> Mirror | None:
        """Find the mirror of a table."""
        kept = self._kept.get(table)
        return None if kept is None else kept.mirror

    def all(self) -> Iterator[Mirror]:
        """List the mirrors of tables that are not closed."""
        return (
            one.mirror
            for one in tuple(self._kept.values())
            if not isinstance(one.mirror.state.phase, Closed)
        )

    def drop(self, table: TableId) -> None:
        """Follow a table no more; its audience hears nothing of the mirror from now on."""
        kept = self._kept.pop(table, None)
        if kept is not None:
            kept.task.cancel()
            if isinstance(kept.mirror.state.phase, Closed):
                self.closed.add(table)

    async def tend(self, tables: Iterable[TableId], *, knows: Callable[[TableId], bool]) -> None:
        """Mirror these tables and no other, and see whether one has missed something.

        Shape: the rest of the tables are closed, but for those that this process runs, or has
               itself closed: it `knows` them.
        Errors: those of a database.
        """
        wanted = list(tables)
        for table in set(self._audiences).difference(wanted, self.closed):
            if not knows(table):
                await self._end(table)
        for table in wanted:
            if table not in self._kept:
                await self._begin(table)
        if self._kept:
            await look_after(self._database, [one.mirror for one in self._kept.values()])

    async def _end(self, table: TableId) -> None:
        """Tell of a table's end, which may not have reached us, and follow it no more."""
        kept = self._kept.get(table)
        mirror = self._new(table) if kept is None else kept.mirror
        if kept is not None:
            await end_all(kept.task)
        if kept is None or not isinstance(mirror.state.phase, Closed):
            await _load(mirror)
        self._kept.pop(table, None)
        self.closed.add(table)

    async def _begin(self, table: TableId) -> None:
        mirror = self._new(table)
        if await _load(mirror):
            task = asyncio.create_task(mirror.run(), name=f"mirror of {table}")
            self._kept[table] = _Kept(mirror, task)

    def _new(self, table: TableId) -> Mirror:
        return Mirror(
            table,
            database=self._database,
            parts=self._parts,
            moment=self._moment,
            audience=self._audiences.of(table),
        )

    async def reach(self, table: TableId, seq: int) -> None:
        """Wait until a table is known here as far as its owner's answer, or for a while."""
        mirror = self.find(table)
        if mirror is None or mirror.state.seq >= seq:
            return
        try:
            async with asyncio.timeout(REACH_MAX_S):
                await mirror.reach(seq)
        except TimeoutError:
            mirror.lost()

    def publish(self, published: Published) -> None:
        """Tell the mirrors in other processes what was committed here."""
        self._messenger.publish(TOPIC, encode(published))

    async def _hear(self, heard: bytes | Lost) -> None:
        if isinstance(heard, Lost):
            with suppress(SQLAlchemyError, OSError, TimeoutError):  # it is asked again soon
                await look_after(self._database, [one.mirror for one in self._kept.values()])
            return
        published = decode(heard)
        kept = self._kept.get(published.table)
        if kept is not None:
            kept.mirror.hear(published)


async def _load(mirror: Mirror) -> bool:
    """Rebuild a mirror's table; False if that can't be done. Errors: those of a database."""
    try:
        await mirror.load()
    except (AssertionError, ValueError, LookupError, Fault, Refusal):
        _log.error("mirror_broken", **at_table(mirror.table), where=where())
        return False
    return True
