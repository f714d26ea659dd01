"""The mirror: the state of a table that another process runs, for those who look at it from here.

It is rebuilt from the journal by recovery's own code, and then moved on by what the owner publishes
after its commits. Whatever doesn't follow exactly is read in the journal, which alone is true: so
nothing depends on a message that arrives. A mirror claims no lease and writes nothing.

What it holds is as secret as what the owner holds: the order of a dealt pack comes from the sealed
seed here too. The same `Audience` lets out of it what each viewer may see, and nothing else does.
"""

import asyncio
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from server.database import Database, TableId, Transaction, one_snapshot
from server.tables import journal, recovery, service
from server.tables.audience import Audience, Viewer
from server.tables.faults import name_of, place_of, where
from server.tables.moment import Moment
from server.tables.published import Published
from server.tables.recovery import Rebuilt
from server.tables.state import TableState
from server.tables.work import NeedsTransaction, Parts

HEARD_MAX: Final = 64
"""Packets that wait at a mirror; with one more it reads the journal instead."""

READ_MAX: Final = 500
"""Facts of the journal that a mirror is moved on by; one that lacks more is rebuilt."""

RETRY_MS: Final = 500
"""The wait after a journal that could not be read."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Read:
    """What the journal told; `goes_on`: it holds what the mirror knew, and this comes after it."""

    rebuilt: Rebuilt
    goes_on: bool


class Mirror:
    """One table. `load` once, then `run` is its task; `hear` is the door of its news."""

    def __init__(
        self,
        table: TableId,
        *,
        database: Database,
        parts: Parts,
        moment: Moment,
        audience: Audience,
        heard_max: int = HEARD_MAX,
        read_max: int = READ_MAX,
    ) -> None:
        self.table = table
        self.audience = audience
        self._database = database
        self._parts = parts
        self._moment = moment
        self._heard_max = heard_max
        self._read_max = read_max
        self._state: TableState | None = None
        self._last: journal.Entry | None = None
        self._heard: deque[Published] = deque()
        self._news = asyncio.Event()
        self._is_behind = False
        self._is_doubtful = False
        self._moved = asyncio.Event()

    @property
    def state(self) -> TableState:
        """Give the table's state as far as it is known here."""
        assert self._state is not None, "a mirror is loaded before it is looked into"
        return self._state

    async def load(self) -> None:
        """Rebuild the table; viewers that its audience has hear what is new to them.

        What is published must be heard before, so that nothing falls between.

        Errors: Refusal("no_such_table"); as `recovery.rebuild`, and those of a database.
        """
        found = (await self._database.run(self._read)).rebuilt
        self._hold(found)
        self.audience.catch_up(found.state, found.events, self._moment.now_ms())

    def watch(self, viewer: Viewer, resume: tuple[int, int] | None) -> None:
        """Tell a viewer what it missed, at once, and all that follows."""
        self.audience.watch(self.state, viewer, resume, self._moment.now_ms())

    def hear(self, published: Published) -> None:
        """Take a packet of the owner's, whatever became of it on its way; never waits."""
        if published.table != self.table:
            return
        if len(self._heard) >= self._heard_max:
            self._heard.clear()  # the journal has all of them
            self._is_behind = True
        else:
            self._heard.append(published)
        self._news.set()

    def lost(self) -> None:
        """Read the journal: packets may have been lost."""
        self._is_behind = True
        self._news.set()

    def check(self, reached: journal.Reached) -> None:
        """Read the journal if it is not where this mirror is."""
        if reached != (self.state.stream, self.state.seq):
            self.lost()

    async def reach(self, seq: int) -> None:
        """Wait until the table is known here up to a number of its events."""
        while self.state.seq < seq:
            await self._moved.wait()

    async def run(self) -> None:
        """Follow the table until the task is cancelled."""
        with self._parts.metrics.mirroring():
            while True:
                await self._news.wait()
                self._news.clear()
                while self._is_behind or self._heard:
                    await self._once()

    async def _once(self) -> None:
        was_behind = self._is_behind
        try:
            if was_behind:
                await self._catch_up()
            else:
                await self._move_on(self._heard.popleft())
            return
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            _log.warning("mirror_waits", **place_of(self.state), why=name_of(error))
        except Exception:
            # Whatever is wrong, the packet or what we hold: the journal decides.
            _log.error("mirror_fault", **place_of(self.state), where=where())
            self._is_doubtful = True
        self._is_behind = True
        if was_behind:
            await asyncio.sleep(RETRY_MS / 1000)

    async def _move_on(self, published: Published) -> None:
        state = self.state
        if published.stream == state.stream and published.last_seq <= state.seq:
            return  # it came twice, or the journal was faster
        if (published.stream, published.first_seq) != (state.stream, state.seq + 1):
            self._is_behind = True
            return
        found = await self._followed(published)
        assert found.state.seq == published.last_seq, "the facts don't make their numbers"
        self._hold(found)
        self.audience.publish(found.state, found.events)
        self._tell_moved()

    async def _followed(self, published: Published) -> Rebuilt:
        """Fold a packet; most need nothing of the database."""
        facts = [(fact, published.at_ms) for fact in published.facts]

        async def within(tx: Transaction) -> Rebuilt:
            await one_snapshot(tx)
            return await recovery.follow(tx, self.state, facts, self._parts)

        try:
            return await recovery.follow(None, self.state, facts, self._parts)
        except NeedsTransaction:
            return await self._database.run(within)

    async def _catch_up(self) -> None:
        self._parts.metrics.mirror_read()
        self._is_behind = False  # news that come while it is read may be newer
        known = self.state.seq
        read = await self._database.run(self._read)
        self._is_doubtful = False
        found = read.rebuilt
        self._hold(found)
        if read.goes_on:
            fresh = [event for event in found.events if event.seq > known]
            self.audience.publish(found.state, fresh)
        else:
            self.audience.begin_anew(found.state, found.events, self._moment.now_ms())
        self._tell_moved()

    async def _read(self, tx: Transaction) -> _Read:
        """Read what followed, or the whole table anew if nothing follows what is known here."""
        await one_snapshot(tx)
        found = await service.get_table(tx, self.table)
        last = self._last
        is_same = self._state is not None and self._state.stream == found.stream
        if last is not None and is_same and not self._is_doubtful:
            since = await journal.read_from(tx, self.table, last.seq, limit=self._read_max)
            if len(since) < self._read_max and _goes_on(since, last):
                more = await recovery.go_on(tx, self.state, since[1:], self._parts)
                return _Read(more, goes_on=True)
        entries = await journal.read_since_opening(tx, self.table)
        blank = recovery.blank_of(found)
        rebuilt = await recovery.rebuild(tx, blank, entries, self._parts)
        return _Read(rebuilt, goes_on=is_same and _goes_on(entries, last))

    def _tell_moved(self) -> None:
        """Wake those who wait for what viewers have now been told."""
        self._moved.set()
        self._moved = asyncio.Event()

    def _hold(self, found: Rebuilt) -> None:
        self._state = found.state
        if found.entries:
            self._last = found.entries[-1]
        elif found.state.seq == 0:
            self._last = None


def _goes_on(entries: Sequence[journal.Entry], last: journal.Entry | None) -> bool:
    """Tell whether the journal still has what was folded last: a database may be another now."""
    if last is None:
        return not entries or entries[0].seq == 1
    return any(one.seq == last.seq and one.fact == last.fact for one in entries)


async def look_after(database: Database, mirrors: Collection[Mirror]) -> None:
    """Compare mirrors with the journal, by one query: a lost packet may be a table's last.

    Errors: those of a database.
    """
    tables = [mirror.table for mirror in mirrors]
    reached = await database.run(lambda tx: journal.reached(tx, tables))
    for mirror in mirrors:
        if mirror.table in reached:
            mirror.check(reached[mirror.table])
        else:
            mirror.lost()
