"""Players that keep what they were promised, and do on demand what puts a house to the test."""

import asyncio
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from server.bots.client import Client, Frame, Move
from server.bots.games import wire_of
from server.bots.rummy_hand import RummyHand
from server.bots.run import Bot
from server.bots.table_watch import TableWatch
from server.errors import Refusal
from server.games.rummy.moves import Drop
from tests.acceptance.survivors import Recorder

STAY_S = 0.5
NO_PROMISE = {"hello", "table.watch"}
"""Commands that change nothing: what they are answered with is of the moment."""

ENDS = {"hand.closed", "hand.cancelled"}
NEAR_MS = 8
"""How far from its deadline a move is sent that is meant to meet it."""


class Book(Recorder):
    """What all players were promised, how far each table has gone, and what was put to it."""

    def __init__(self) -> None:
        super().__init__()
        self.seqs: dict[str, int] = defaultdict(int)
        self.refusals: dict[str, int] = defaultdict(int)
        self.repeated = self.made_anew = self.met_deadlines = 0

    def heard(self, frame: Frame) -> None:
        """Note how far the table is, beside what a recorder notes."""
        super().heard(frame)
        self.seqs[frame["table"]] = max(self.seqs[frame["table"]], frame["seq"])

    def so_far(self) -> "Book":
        """Copy it: what is promised from now on can't be demanded of what was read before."""
        copy = Book()
        copy.acked = dict(self.acked)
        copy.plays = set(self.plays)
        copy.roots = defaultdict(set, {place: set(roots) for place, roots in self.roots.items()})
        return copy


class Player(Bot):
    """A checking client's chooser; `client` is its socket.

    Shape: `repeats` moves are sent again, under their id and under a new one; with `plays_late` the
           next move meets its deadline; `drop_share` of rummy's hands are given up at once.
    """

    client: Client

    def __init__(self, random: Random, book: Book, *, pace_ms: int, drop_share: float) -> None:
        super().__init__(random, pace_ms)
        self.repeats = 0
        self.plays_late = False
        self.hand_began = asyncio.Event()
        self.hand_ended = asyncio.Event()
        self.tasks: set[asyncio.Task[None]] = set()
        self._book = book
        self._drop_share = drop_share
        self._clock: tuple[int, float] = (0, 0.0)

    async def choose(self, watch: TableWatch) -> Move | None:
        """Choose as a bot does, but for what is asked of it."""
        move = await super().choose(watch)
        if self._gives_up(watch):
            move = wire_of(Drop())
        if self.plays_late and move is not None:
            self.plays_late = False
            try:
                await self._until_deadline(watch)
            finally:  # cancelled: the clock was first
                self._book.met_deadlines += 1
        return move

    def told(self, watch: TableWatch, frame: Frame) -> None:
        """Note the house's time, and where hands begin and end."""
        super().told(watch, frame)
        self._clock = (frame["now"], monotonic())
        self._book.heard(frame)
        name = (frame["d"] or {}).get("e")
        if name == "hand.opened":
            self.hand_began.set()
        elif name in ENDS:
            self.hand_ended.set()

    def refused(self, watch: TableWatch, refusal: Refusal) -> None:
        """Count a refusal."""
        self._book.refusals[refusal.code] += 1

    def listen(self, client: Client) -> None:
        """Hear on the socket itself what is sent and answered."""
        self.client = client
        connection = client._connection
        receive, note = connection._receive, connection._on_sent
        sent_by_id: dict[str, Frame] = {}

        async def received(frame: Frame, hello_id: object) -> None:
            sent = sent_by_id.get(str(frame.get("re")))
            if frame["t"] == "ok" and sent is not None and sent["t"] not in NO_PROMISE:
                is_first = (sent["table"], sent["id"]) not in self._book.acked
                self._book.replied(sent, frame)
                if is_first and sent["t"] == "play" and self.repeats:
                    self.repeats -= 1
                    self._spawn(self._repeat(sent))
            await receive(frame, hello_id)

        def sent(frame: Frame) -> None:
            if frame["t"] == "play":
                self._book.plays.add(frame["id"])
            if "id" in frame:
                sent_by_id[frame["id"]] = frame
            note(frame)

        connection._receive = received  # type: ignore[method-assign]  # listened to, not changed
        connection._on_sent = sent

    async def _repeat(self, sent: Frame) -> None:
        """Send a move again: with its id it has its answer, with a new id it comes too late."""
        for _ in range(2):
            await self.client._connection._send(sent)
            self._book.repeated += 1
        with suppress(TimeoutError):
            try:
                await self.client._connection.command({**sent})
            except Refusal:
                self._book.made_anew += 1
            else:
                raise AssertionError(f"a move was made twice: {sent}")

    def _spawn(self, work: Any) -> None:
        self.tasks.add(asyncio.create_task(work))

    def _gives_up(self, watch: TableWatch) -> bool:
        deal = watch.hand.deal
        public = None if deal is None else deal.public
        is_first = isinstance(public, RummyHand) and public.drawn is None and not public.draws
        return is_first and self._random.random() < self._drop_share

    async def _until_deadline(self, watch: TableWatch) -> None:
        now_ms, at = self._clock
        left_ms = watch.hand.deadline_ms - now_ms - (monotonic() - at) * 1000
        await asyncio.sleep(max(0.0, left_ms + self._random.uniform(-NEAR_MS, NEAR_MS)) / 1000)


def new_player(
    url: str, token: str, folder: Path, book: Book, random: Random, *, pace_ms: int, drops: float
) -> Player:
    """Make a player whose seeds and pins are kept in `folder`."""
    player = Player(random, book, pace_ms=pace_ms, drop_share=drops)
    player.listen(Client(url, token, player, folder=folder))
    return player


async def stay(player: Player, table: str, book: Book) -> None:
    """Sit, and take the seat again whenever it is lost, until the table is closed."""
    client = player.client
    watch = client._watch_of(table)

    def is_well() -> bool:
        seating = watch.seating
        is_there = seating.me is not None and seating.replaced is None
        return watch.seq > 0 and (watch.needs_snapshot or (is_there and not seating.my_absence))

    while not watch.is_closed:
        try:
            if watch.seating.me is None:
                await client.sit(table)
            elif not is_well():
                await client.back(table)
        except Refusal as refusal:
            book.refusals[refusal.code] += 1
        except TimeoutError:
            book.refusals["no answer"] += 1
        await asyncio.sleep(STAY_S)
        await client.until(lambda: watch.is_closed or not is_well())
