"""The tables that this process runs: claimed by lease, rebuilt, served, given up."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from time import monotonic
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from server.cards.game import AnyGame
from server.database import Database, PlayerId, TableId
from server.errors import Fault, Refusal
from server.logs import at_table
from server.tables import lease, seat_tokens, service
from server.tables.actor import INBOX_MAX, Actor
from server.tables.announcing import announce_lost, announce_taken_up
from server.tables.answering import answer_without_a_seat
from server.tables.attendance import Attendance
from server.tables.audience import REPLAY_MAX, Audience, Viewer
from server.tables.commands import SEATED, CloseTable, Presence, Reply, Request
from server.tables.faults import name_of, place_of, where
from server.tables.keys import demand_keys
from server.tables.moment import Moment
from server.tables.seat_tokens import SeatPass
from server.tables.state import HOUSE, Closed, TableState
from server.tables.summary import TableSummary, passes_of, summary_of
from server.tables.takeup import take_up
from server.tables.work import Parts

RESYNC_MS: Final = 10_000
"""Time between two looks at the database's clock."""

STOP_WAIT_S: Final = 10
"""Time that a stopping actor gets for the command in hand."""

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Served:
    actor: Actor
    task: asyncio.Task[None]


class TableHost:
    """Claims every open table that nobody holds, and is the only door to those it holds."""

    def __init__(
        self,
        *,
        database: Database,
        parts: Parts,
        owner: str,
        lease_ms: int = 5_000,
        presence_ms: int = 40_000,
        inbox_max: int = INBOX_MAX,
        replay_max: int = REPLAY_MAX,
    ) -> None:
        self._database = database
        self._parts = parts
        self._owner = owner
        self._lease_ms = lease_ms
        self._renewed_at = monotonic()
        self._inbox_max = inbox_max
        self._replay_max = replay_max
        self._moment = Moment()
        self._attendance = Attendance(presence_ms)
        self._served: dict[TableId, _Served] = {}
        self._audiences: dict[TableId, Audience] = {}
        self._closed: set[TableId] = set()
        self._keeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Claim the tables, rebuild them, and keep their leases.

        Errors: Fault if a key is not the one that the open hands were opened with.
        """
        await self._moment.set_by(self._database)
        await self._database.run(lambda tx: demand_keys(tx, self._parts))
        await self.tend_tables()
        self._keeper = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        """Finish the commands in hand and give the leases up."""
        if self._keeper is not None:
            self._keeper.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeper
        served, self._served = dict(self._served), {}
        for one in served.values():
            one.actor.stop()
        if served:
            await asyncio.wait([one.task for one in served.values()], timeout=STOP_WAIT_S)
        fences = [(table, one.actor.fence) for table, one in served.items()]
        with suppress(SQLAlchemyError, OSError):
            await self._database.run(lambda tx: lease.give_up(tx, fences, owner=self._owner))

    async def send(self, table: TableId, request: Request) -> Reply:
        """Send a command to a table and wait for its one answer.

        Errors: Refusal("no_such_table"), Refusal("busy").
        """
        actor = self._actor(table)
        if isinstance(request.command, SEATED) and actor.state.seat_for(request.player) is None:
            return await answer_without_a_seat(self._database, actor.state, request)
        return await actor.ask(request)

    def game_of(self, table: TableId) -> AnyGame:
        """Give the game that is played at a table. Errors: as `send`."""
        return self._actor(table).state.game

    def state_of(self, table: TableId) -> TableState:
        """Give a table's state, for those who read it on the server. Errors: as `send`."""
        return self._actor(table).state

    def watch(self, table: TableId, viewer: Viewer, resume: tuple[int, int] | None) -> None:
        """Tell a viewer what it missed, at once, and all that follows. Errors: as `send`."""
        actor = self._actor(table)
        actor.audience.watch(actor.state, viewer, resume, self._moment.now_ms())

    def unwatch(self, table: TableId, viewer: Viewer) -> None:
        """Stop telling a viewer of a table."""
        if table in self._audiences:
            self._audiences[table].unwatch(viewer)

    def forget(self, viewer: Viewer) -> None:
        """Stop telling a viewer anything."""
        for audience in self._audiences.values():
            audience.unwatch(viewer)

    def here(self, player: PlayerId) -> None:
        """Note a player's traffic."""
        if self._attendance.heard(player, self._moment.now_ms()):
            self._tell_presence(player, True)

    def gone(self, player: PlayerId) -> None:
        """Note that a player's last socket is closed."""
        self._attendance.lost(player, self._moment.now_ms())
        self._tell_presence(player, False)

    def gone_since_ms(self, player: PlayerId) -> int | None:
        """Tell since when a player is away; None if it is here, or was never heard of."""
        return self._attendance.away_since_ms(player)

    def viewers_of(self, table: TableId) -> tuple[PlayerId | None, ...]:
        """List who looks at a table from here, with a seat or without; None: not signed in."""
        return self._audiences[table].players if table in self._audiences else ()

    def now_ms(self) -> int:
        """Tell the time by the database's clock."""
        return self._moment.now_ms()

    def summaries(self) -> tuple[TableSummary, ...]:
        """List the tables that are served here, for the lobby."""
        return tuple(summary_of(one.actor.state) for one in self._served.values())

    def substituted(self) -> frozenset[SeatPass]:
        """List the seats served here that a substitute plays, and which."""
        states = [one.actor.state for one in self._served.values()]
        return frozenset(chain.from_iterable(map(passes_of, states)))

    async def issue_seat_token(self, seat: SeatPass) -> str:
        """Make the token of a seat's substitute; an older one is worthless then.

        Errors: Refusal("not_seated") if the owner is back; Refusal("busy") if the table moves.
        """
        fence = self._actor(seat.table).fence
        if seat not in self.substituted():
            raise Refusal("not_seated", "nobody plays that seat in its owner's place")
        return await self._database.run(lambda tx: seat_tokens.issue(tx, seat, fence=fence))

    def _actor(self, table: TableId) -> Actor:
        served = self._served.get(table)
        if served is not None:
            return served.actor
        if table in self._closed:
            raise Refusal("table_closed", "the table is closed", "table")
        if table in self._audiences:
            raise Refusal("busy", "the table is being taken up again: try again")
        raise Refusal("no_such_table", "no such table is open", "table")

    def _tell_presence(self, player: PlayerId, is_here: bool) -> None:
        for one in self._served.values():
            # What the state says is no reason to be silent: other news may still be in the inbox.
            if one.actor.state.seat_of(player) is not None:
                with suppress(Refusal):
                    one.actor.tell(player, Presence(is_here))

    async def _keep(self) -> None:
        """Renew leases, take up free tables, look after presence and the clock."""
        period_ms = self._lease_ms // 3
        until_resync_ms = RESYNC_MS
        while True:
            await asyncio.sleep(period_ms / 1000)
            until_resync_ms -= period_ms
            try:
                await self._renew()
                await self.tend_tables()
                if until_resync_ms <= 0:
                    await self._moment.set_by(self._database)
                    until_resync_ms = RESYNC_MS
            except (SQLAlchemyError, OSError, TimeoutError) as error:
                _log.warning("keeping_failed", why=name_of(error))
            except Exception:
                # Whatever it is: without renewal every table of this process would be lost.
                _log.error("keeping_failed", where=where())
            self._look_for_absent()

    async def _renew(self) -> None:
        self._renewed_at = monotonic()
        fences = [(table, one.actor.fence) for table, one in self._served.items()]
        kept = await self._database.run(
            lambda tx: lease.renew(tx, fences, owner=self._owner, lease_ms=self._lease_ms)
        )
        for table, _ in fences:
            if table not in kept and table in self._served:
                announce_lost(self._served[table].actor.state, self._parts)
                self._served.pop(table).actor.stop()

    async def tend_tables(self) -> None:
        """Take up the open tables that nobody holds; close ours that an operator wants closed."""
        for found in await self._database.run(service.open_tables):
            if found.table_id not in self._served:
                await self._claim(found)
                if monotonic() - self._renewed_at > self._lease_ms / 3_000:
                    await self._renew()  # or those taken up first ran out before the last
            elif found.close_asked is not None:
                self._close(found)

    async def _claim(self, found: service.OpenTable) -> None:
        audience = self._audiences.setdefault(
            found.table_id, Audience(*self._parts.signers, replay_max=self._replay_max)
        )
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
        except (AssertionError, ValueError, LookupError, Fault):
            _log.error("table_broken", **at_table(found.table_id), where=where())
            return
        if claimed is None:
            return
        audience.catch_up(claimed.state, claimed.events, self._moment.now_ms())
        announce_taken_up(claimed, self._parts)
        actor = Actor(
            claimed.state,
            fence=claimed.won.fence,
            database=self._database,
            parts=self._parts,
            moment=self._moment,
            audience=audience,
            inbox_max=self._inbox_max,
        )
        task = asyncio.create_task(actor.run(), name=f"table {found.table_id}")
        self._served[found.table_id] = _Served(actor, task)
        task.add_done_callback(lambda done: self._ended(found.table_id, actor, done))
        present = [chair.player for _, chair in claimed.state.taken() if not chair.away]
        self._attendance.expect(present, self._moment.now_ms())

    def _ended(self, table: TableId, actor: Actor, task: asyncio.Task[None]) -> None:
        served = self._served.get(table)
        if served is not None and served.actor is actor:
            del self._served[table]
            if isinstance(actor.state.phase, Closed):
                self._closed.add(table)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("table_stopped", **place_of(actor.state), why=type(error).__name__)

    def _close(self, found: service.OpenTable) -> None:
        """Pass on what an operator's command wrote beside us."""
        served = self._served.get(found.table_id)
        if served is None or served.actor.state.closing in (found.close_asked, "now"):
            return
        with suppress(Refusal):  # a full inbox: asked again in the next round
            served.actor.tell(HOUSE, CloseTable(drain=found.close_asked == "drain"))

    def _look_for_absent(self) -> None:
        for player in self._attendance.silent(self._moment.now_ms()):
            self._tell_presence(player, False)
        self._tell_again()

    def _tell_again(self) -> None:
        """Tell the presence that a full inbox, or a table that nobody served, did not take."""
        for one in self._served.values():
            for _, chair in one.actor.state.taken():
                is_here = self._attendance.is_here(chair.player)
                if is_here is not None and chair.away == is_here:
                    with suppress(Refusal):
                        one.actor.tell(chair.player, Presence(is_here))
