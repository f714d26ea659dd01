"""The door to every table of the house, whichever process runs it.

A table of this process is served by its actor. Of every other one there is a mirror here: it shows
what there is to see, and commands for the table are carried to its owner.
"""

from contextlib import suppress
from itertools import chain

from server.cards.game import AnyGame
from server.database import Database, PlayerId, TableId
from server.errors import Refusal
from server.messenger import LocalMessenger, Messenger
from server.tables import processes, seat_tokens
from server.tables.actor import INBOX_MAX
from server.tables.answering import answer_without_a_seat
from server.tables.audience import REPLAY_MAX, Audience, Viewer
from server.tables.audiences import Audiences
from server.tables.commands import SEATED, Reply, Request
from server.tables.forwarding import Forwarding
from server.tables.keeping import Counter, Keeping
from server.tables.keys import demand_keys
from server.tables.mirrors import Mirrors
from server.tables.moment import Moment
from server.tables.own import Left, OwnTables
from server.tables.presences import Presences
from server.tables.seat_tokens import SeatPass
from server.tables.settling import Settling
from server.tables.state import TableState
from server.tables.summary import TableSummary, passes_of, summary_of
from server.tables.work import Parts


class TableHost:
    """Runs this process's share of the tables, and is the only door to all of them."""

    def __init__(
        self,
        *,
        database: Database,
        parts: Parts,
        owner: str,
        messenger: Messenger | None = None,
        lease_ms: int = 5_000,
        presence_ms: int = 40_000,
        patience_ms: int = 10_000,
        inbox_max: int = INBOX_MAX,
        replay_max: int = REPLAY_MAX,
    ) -> None:
        """Build it; without a messenger this process hears of no other but by the journal.

        Units: for `patience_ms` a command or a viewer waits for a table between two owners.
        """
        self.messenger = messenger or LocalMessenger(owner=owner)
        self._database = database
        self._moment = moment = Moment()
        self._audiences = audiences = Audiences(
            lambda: Audience(*parts.signers, replay_max=replay_max)
        )
        self._mirrors = Mirrors(
            database=database,
            parts=parts,
            moment=moment,
            messenger=self.messenger,
            audiences=audiences,
        )
        self._parts = parts = parts.publishing(self._mirrors.publish)
        self._own = OwnTables(
            database=database,
            parts=parts,
            owner=owner,
            lease_ms=lease_ms,
            inbox_max=inbox_max,
            moment=moment,
            audiences=audiences,
            claimed=self._take_over,
        )
        self._presences = Presences(presence_ms, moment, self.messenger, self._own.actors)
        self._forwarding = Forwarding(
            database=database,
            messenger=self.messenger,
            patience_ms=patience_ms,
            obey=self._obey,
        )
        self._settling = Settling(database, self._mirrors, self.state_of, patience_ms=patience_ms)
        self._keeping = self._made_keeping(lease_ms)

    def _made_keeping(self, lease_ms: int) -> Keeping:
        return Keeping(
            database=self._database,
            messenger=self.messenger,
            moment=self._moment,
            lease_ms=lease_ms,
            own=self._own,
            mirrors=self._mirrors,
            presences=self._presences,
            forwarding=self._forwarding,
        )

    async def start(self) -> None:
        """Claim a share of the tables, rebuild them all, and keep the leases.

        Errors: Fault if a key is not the one that the open hands were opened with.
        """
        await self._moment.set_by(self._database)
        await self._database.run(lambda tx: demand_keys(tx, self._parts))
        self._mirrors.start()
        self._presences.start()
        self._forwarding.start(self.game_of)
        await self._keeping.start()

    async def stop(self) -> Left:
        """Finish the commands in hand and give the leases up; tells how many those were."""
        left = await self._keeping.stop()
        await self._mirrors.stop()
        return left

    async def tend_tables(self) -> None:
        """Take up a share of the open tables, and mirror the rest."""
        await self._keeping.tend()

    async def send(self, table: TableId, request: Request) -> Reply:
        """Send a command to a table and wait for its one answer.

        What it did has been told to those who look at the table from here.

        Errors: Refusal("no_such_table"), Refusal("table_closed"), Refusal("busy").
        """
        if table not in self._audiences:
            self.state_of(table)  # refuses
        if table in self._own:
            try:
                return await self._obey(table, request)
            except Refusal as refusal:
                if refusal.code != "table_moved":
                    raise
                if not request.id:
                    raise Refusal("busy", refusal.text) from None
        elif self._mirrors.find(table) is None:
            await self.settle(table)
        reply = await self._forwarding.send(table, request)
        with suppress(Refusal):  # it may have moved meanwhile, and is to be seen again from here
            await self.settle(table)
        await self._mirrors.reach(table, reply.seq)
        return reply

    async def _obey(self, table: TableId, request: Request) -> Reply:
        actor = self._own.find(table)
        if actor is None:
            raise Refusal("table_moved", "the table is moving to another process")
        if isinstance(request.command, SEATED) and actor.state.seat_for(request.player) is None:
            return await answer_without_a_seat(self._database, actor.state, request)
        return await actor.ask(request)

    async def settle(self, table: TableId) -> None:
        """Wait until a table that is between two owners can be looked at again.

        Errors: Refusal("no_such_table"), Refusal("table_closed"); Refusal("busy") in the end.
        """
        await self._settling.settle(table)

    async def settle_at_head(self, table: TableId) -> None:
        """Wait until a table is known here as far as anybody can have been told of it.

        Errors: as `settle`.
        """
        await self._settling.settle_at_head(table)

    def game_of(self, table: TableId) -> AnyGame:
        """Give the game that is played at a table. Errors: as `state_of`."""
        return self.state_of(table).game

    def state_of(self, table: TableId) -> TableState:
        """Give a table's state, for those who read it on the server.

        Errors: Refusal("no_such_table"), Refusal("table_closed"), Refusal("busy") on its way.
        """
        if (actor := self._own.find(table)) is not None:
            return actor.state
        if (mirror := self._mirrors.find(table)) is not None:
            return mirror.state
        if table in self._own.closed or table in self._mirrors.closed:
            raise Refusal("table_closed", "the table is closed", "table")
        if table in self._audiences:
            raise Refusal("busy", "the table is being taken up again: try again")
        raise Refusal("no_such_table", "no such table is open", "table")

    def watch(self, table: TableId, viewer: Viewer, resume: tuple[int, int] | None) -> None:
        """Tell a viewer what it missed, at once, and all that follows. Errors: as `state_of`."""
        state = self.state_of(table)
        self._audiences.of(table).watch(state, viewer, resume, self._moment.now_ms())

    def unwatch(self, table: TableId, viewer: Viewer) -> None:
        """Stop telling a viewer of a table."""
        self._audiences.unwatch(table, viewer)

    def forget(self, viewer: Viewer) -> None:
        """Stop telling a viewer anything."""
        self._audiences.forget(viewer)

    def here(self, player: PlayerId) -> None:
        """Note a player's traffic."""
        self._presences.here(player)

    def gone(self, player: PlayerId) -> None:
        """Note that a player's last socket is closed."""
        self._presences.gone(player)

    def passed_on(self, player: PlayerId) -> None:
        """Note that a player's newest socket is on another process now."""
        self._presences.passed_on(player)

    def gone_since_ms(self, player: PlayerId) -> int | None:
        """Tell since when a player is away; None if it is here, or was never heard of."""
        return self._presences.gone_since_ms(player)

    def heard_by(self, player: PlayerId) -> str | None:
        """Tell which process hears a player's socket; None if none does."""
        return self._presences.heard_by(player)

    def viewers_of(self, table: TableId) -> tuple[PlayerId | None, ...]:
        """List who looks at a table from here, with a seat or without; None: not signed in."""
        return self._audiences.players_of(table)

    def has_seat(self, player: PlayerId) -> bool:
        """Tell whether a player has a seat at any table, wherever it is served."""
        own = [actor.state for actor in self._own.actors()]
        states = chain(own, (mirror.state for mirror in self._mirrors.all()))
        return any(state.seat_of(player) is not None for state in states)

    def now_ms(self) -> int:
        """Tell the time by the database's clock."""
        return self._moment.now_ms()

    def summaries(self) -> tuple[TableSummary, ...]:
        """List the tables that this process runs."""
        return tuple(summary_of(actor.state) for actor in self._own.actors())

    def everywhere(self) -> tuple[TableSummary, ...]:
        """List all open tables of the house, for the lobby."""
        states = [mirror.state for mirror in self._mirrors.all()]
        return self.summaries() + tuple(summary_of(state) for state in states)

    def owner_of(self, table: TableId) -> str | None:
        """Tell which process runs a table, as far as is known here."""
        if self._own.find(table) is not None:
            return self.messenger.owner
        owner = self._forwarding.owner_of(table)
        return None if owner == self.messenger.owner else owner  # we have just handed it on

    def processes(self) -> tuple[processes.Process, ...]:
        """List the house's processes that were alive when we last looked."""
        return self._keeping.alive

    def count_sockets(self, count: Counter) -> None:
        """Have the list of processes say how many sockets this one has."""
        self._keeping.count_sockets = count

    def substituted(self) -> frozenset[SeatPass]:
        """List the seats served here that a substitute plays, and which."""
        return frozenset(chain.from_iterable(passes_of(one.state) for one in self._own.actors()))

    def is_substituted(self, seat: SeatPass) -> bool:
        """Tell whether that substitute plays that seat, wherever its table is run."""
        with suppress(Refusal):
            return seat in passes_of(self.state_of(seat.table))
        return False

    async def issue_seat_token(self, seat: SeatPass) -> str:
        """Make the token of a seat's substitute; an older one is worthless then.

        Errors: Refusal("not_seated") if the owner is back; Refusal("busy") if the table moves.
        """
        actor = self._own.find(seat.table)
        if actor is None or seat not in passes_of(actor.state):
            raise Refusal("not_seated", "nobody plays that seat in its owner's place")
        fence = actor.fence
        return await self._database.run(lambda tx: seat_tokens.issue(tx, seat, fence=fence))

    def _take_over(self, state: TableState) -> None:
        """Hear that a table is ours: from here on its actor feeds the audience."""
        self._mirrors.drop(state.table)
        self._presences.expect([chair.player for _, chair in state.taken() if not chair.away])
