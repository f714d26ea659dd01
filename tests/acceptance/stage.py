"""The play that the secrecy test watches: two tables, a spectator, a poller, dumps in between."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from server.bots.client import Client
from server.bots.rummy_hand import RummyHand
from server.bots.table_watch import TableWatch
from server.database import Database
from server.errors import Refusal
from tests.acceptance.dumps import Dump, take_dump
from tests.acceptance.poller import Poller, new_operator
from tests.acceptance.script import (
    Plan,
    Scripted,
    Unrevealing,
    declares_wrongly,
    drops,
    passes,
    passes_until,
    plays,
    sleeps_until,
)
from tests.acceptance.served import Served, new_guest, open_new_table
from tests.acceptance.wiretap import Tap, tapped

DUMP_EVERY_S = 1.5
PLAY_S = 300
HANDS_MAX = 9

FOUR: tuple[tuple[Plan, ...], ...] = (
    (passes_until(14, drops), passes_until(2, declares_wrongly), plays),
    (passes_until(15, drops), passes_until(1, sleeps_until(2, drops)), plays),
    (passes_until(16, drops), passes, plays),
    (passes_until(17, drops), passes, plays),
)
"""By seat, then by hand: a reshuffle; a void attempt, a wrong declare, a time-out; a real hand."""

SIX: tuple[tuple[Plan, ...], ...] = ((drops, plays), (plays, drops), *((plays, plays),) * 4)


@dataclass(slots=True)
class Seat:
    """A player on its tapped line; `client` is another one after it came back from nothing."""

    name: str
    token: str
    tap: Tap
    chooser: Scripted
    make: Callable[[], Client]
    client: Client
    task: asyncio.Task[None]

    def snapshots(self) -> list[bool]:
        """List the snapshots that it got: whether each was of a dealt hand."""
        frames = (heard.frame for heard in self.tap.frames())
        return ["heads" in (f["d"]["hand"] or {}) for f in frames if f["t"] == "snapshot"]

    async def come_back_from_nothing(self, table: str) -> None:
        """Lose the process: only its folder and its sign-in are left, and no place to resume."""
        await end(self.task)
        self.client = self.make()
        self.task = asyncio.create_task(self.client.run())
        await self.client.watch(table)


@dataclass(slots=True)
class Stage:
    """All that runs, and what was recorded of it."""

    served: Served
    tables: dict[str, list[Seat]] = field(default_factory=dict)
    spectator: Seat | None = None
    poller: Poller | None = None
    dumps: list[Dump] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    @property
    def seats(self) -> list[Seat]:
        """List everybody with a socket."""
        assert self.spectator is not None
        return [*(seat for table in self.tables.values() for seat in table), self.spectator]

    def seen_by_spectator(self, table: str) -> TableWatch:
        """Give the table as the spectator follows it."""
        assert self.spectator is not None
        return self.spectator.client.tables[table]

    def raise_what_ended(self) -> None:
        """No client may end by itself: it would have caught the server."""
        for seat in self.seats:
            if seat.task.done():
                seat.task.result()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something is so."""
        async with asyncio.timeout(PLAY_S):
            while not holds():
                self.raise_what_ended()
                await asyncio.sleep(0.03)

    def closed(self, table: str) -> int:
        """Count the hands that closed at a table."""
        return sum(over.end == "closed" for over in self.seen_by_spectator(table).hand.overs)

    def places(self) -> dict[str, str]:
        """Name what the poller may ask for just now."""
        table = next(iter(self.tables))
        opened = self.seen_by_spectator(table).hand.opened
        hand = opened.hand_id if opened else "1"
        return {"table": table, "hand": hand, "player": "1", "number": "1", "game": "rummy"}


async def end(task: asyncio.Task[None]) -> None:
    """Stop a task; what it raised was looked at before."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def new_seat(
    stack: AsyncExitStack,
    stage: Stage,
    folder: Path,
    name: str,
    *plans: Plan,
    kind: type[Client] = Client,
) -> Seat:
    """Let somebody in, on a line of its own."""
    tap = await stack.enter_async_context(tapped(name, stage.served.port))
    token = await new_guest(stage.served.url, name)
    stage.words.append(token)
    chooser = Scripted(Random(name), *plans)

    def make() -> Client:
        return kind(tap.url, token, chooser, folder=folder / name)

    client = make()
    seat = Seat(name, token, tap, chooser, make, client, asyncio.create_task(client.run()))
    stack.push_async_callback(lambda: end(seat.task))
    return seat


async def _set_table(
    stack: AsyncExitStack,
    stage: Stage,
    folder: Path,
    name: str,
    scripts: tuple[tuple[Plan, ...], ...],
) -> str:
    """Open a table, let the spectator look at it, then seat the players in order."""
    assert stage.spectator is not None
    options = {"seats": len(scripts), "min_players": 2, "rate": 10_000, "turn_ms": 5_000}
    table = str(await open_new_table(stage.served, name, **options))
    await stage.spectator.client.watch(table)
    seats = stage.tables[table] = []
    for number, plans in enumerate(scripts):
        kind = Unrevealing if scripts is FOUR and number == 3 else Client
        seat = await new_seat(stack, stage, folder, f"{name}-{number}", *plans, kind=kind)
        seats.append(seat)
        await seat.client.sit(table, number)
    return table


async def _take_dumps(stage: Stage) -> None:
    while True:
        stage.dumps.append(await take_dump(stage.served.database_url))
        await asyncio.sleep(DUMP_EVERY_S)


async def _play(stage: Stage, four: str, six: str) -> None:
    """Let the hands be played; lines are lost in the middle of them."""
    seats, spectator = stage.tables[four], stage.spectator
    assert spectator is not None
    await stage.until(lambda: spectator.chooser.lines > 12)
    await _name_a_card_too_late(seats[0], four)
    await seats[1].client.drop_line()
    await stage.tables[six][3].client.drop_line()
    deals = stage.seen_by_spectator(four).hand
    await stage.until(lambda: deals.deal is not None and len(deals.deal.heads) == 2)
    await _come_back_in_mid_hand(stage, seats[2], four)
    await _come_back_in_mid_hand(stage, stage.tables[six][4], six)
    await stage.until(lambda: stage.closed(four) >= 2)
    await stage.until(
        lambda: (
            stage.closed(six) >= 1
            and (_was_shown(spectator, four) or stage.closed(four) >= HANDS_MAX)
        )
    )
    await stage.until(lambda: stage.seen_by_spectator(four).hand.deal is not None)


async def _come_back_in_mid_hand(stage: Stage, seat: Seat, table: str) -> None:
    """Come back from nothing until it was in the middle of a hand: on a busy machine one ends."""
    while not any(seat.snapshots()):
        await stage.until(lambda: stage.seen_by_spectator(table).hand.deal is not None)
        has_more = _one_more_snapshot(seat)
        await seat.come_back_from_nothing(table)
        await stage.until(has_more)


def _one_more_snapshot(seat: Seat) -> Callable[[], bool]:
    before = len(seat.snapshots())
    return lambda: len(seat.snapshots()) > before


async def _name_a_card_too_late(seat: Seat, table: str) -> None:
    """Name a card of the own holding in a command that the table refuses."""
    hand = seat.client.tables[table].hand
    assert hand.opened is not None
    assert hand.deal is not None
    assert isinstance(hand.deal.public, RummyHand)
    card = hand.deal.public.holding[0]
    with pytest.raises(Refusal, match="turn"):
        await seat.client._connection.command(
            {
                "t": "play",
                "table": table,
                "hand": hand.opened.hand_no,
                "turn": 0,
                "d": {"move": "discard", "card": card},
            }
        )


def _was_shown(spectator: Seat, table: str) -> bool:
    frames = (heard.frame for heard in spectator.tap.frames())
    return any(
        frame.get("table") == table and (frame.get("d") or {}).get("e") == "shown"
        for frame in frames
    )


@asynccontextmanager
async def played(served: Served, folder: Path) -> AsyncIterator[Stage]:
    """Play it all; everybody has gone when the body begins, the server still runs."""
    stage = Stage(served)
    database = Database(served.database_url, pool_size=2)
    try:
        async with AsyncExitStack() as stack:
            stage.spectator = await new_seat(stack, stage, folder, "spectator")
            four = await _set_table(stack, stage, folder, "four", FOUR)
            six = await _set_table(stack, stage, folder, "six", SIX)
            link, token = await new_operator(database, served.url)
            stage.words += [link, token]
            tokens = {"operator": token, "player": stage.tables[four][0].token, "anybody": ""}
            stage.poller = Poller(served.url, tokens, stage.places)
            others = [
                asyncio.create_task(stage.poller.run()),
                asyncio.create_task(_take_dumps(stage)),
            ]
            try:
                await _play(stage, four, six)
            finally:
                for task in others:
                    await end(task)
        yield stage
    finally:
        await database.close()
