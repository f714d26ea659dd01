"""Full tables: their players, somebody who only looks, and how far they have come."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple
from uuid import UUID

from server.database import TableId, Transaction
from server.tables.service import ask_to_close, open_table
from tests.acceptance.served import new_guest, wait_for_table
from tests.chaos.house import House
from tests.chaos.line import Line
from tests.chaos.players import Book, Player, new_player, stay

SEATS = 4
LOOK_S = 0.05


class Wanted(NamedTuple):
    """A table to open."""

    game: str
    options: dict[str, int | bool]


class Company:
    """Everybody with a socket, and whatever ended any of them."""

    def __init__(self, house: House, folder: Path, random: Random, *, pace_ms: int) -> None:
        self.book = Book()
        self.tables: dict[str, str] = {}
        self.players: dict[str, list[Player]] = {}
        self.lines: list[Line] = []
        self._house = house
        self._folder = folder
        self._random = random
        self._pace_ms = pace_ms
        self._tasks: list[asyncio.Task[None]] = []
        self._spectator: Player | None = None

    @property
    def everybody(self) -> list[Player]:
        """List all who sit somewhere."""
        return [player for seats in self.players.values() for player in seats]

    def tables_of(self, game: str) -> list[str]:
        """List the tables of a game."""
        return [table for table, name in self.tables.items() if name == game]

    async def sit_down(self, stack: AsyncExitStack, wanted: Sequence[Wanted]) -> None:
        """Open the tables, fill them, and let one more player look at them all."""
        stack.push_async_callback(self.go_home)
        self._spectator = await self._come_in(stack, "spectator", drops=0)
        for number, one in enumerate(wanted):
            table = await self._open(one, f"{one.game} {number}")
            await self._spectator.client.watch(table)
            seats = self.players[table] = []
            for seat in range(SEATS):
                player = await self._come_in(stack, f"{one.game}-{number}-{seat}", drops=0.3)
                seats.append(player)
                self._start(stay(player, table, self.book), f"{one.game} {number}.{seat} stays")

    async def _open(self, wanted: Wanted, name: str) -> str:
        async def work(tx: Transaction) -> str:
            return str(await open_table(tx, game=wanted.game, options=wanted.options, name=name))

        table = await self._house.run(work)
        self.tables[table] = wanted.game
        for process in self._house.processes:
            await wait_for_table(process, table)
        return table

    async def _come_in(self, stack: AsyncExitStack, name: str, *, drops: float) -> Player:
        line = Line(name, lambda: self._house.ports, Random(self._random.random()))
        await line.start()
        stack.push_async_callback(line.stop)
        self.lines.append(line)
        token = await new_guest(self._house.processes[0].url, name)
        player = new_player(
            line.url,
            token,
            self._folder / name,
            self.book,
            Random(self._random.random()),
            pace_ms=self._pace_ms,
            drops=drops,
        )
        self._start(player.client.run(), f"{name} runs")
        return player

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._tasks.append(asyncio.create_task(work, name=name))

    def raise_what_ended(self) -> None:
        """Nobody may end by itself: a client that caught the house has raised `Cheated`."""
        for player in self.everybody:
            for task in [one for one in player.tasks if one.done()]:
                task.result()
                player.tasks.discard(task)
        for task in self._tasks:
            if task.done():
                task.result()
                assert task.get_name().endswith("stays"), f"{task.get_name()} has ended"

    async def until(self, holds: Callable[[], bool], wait_s: float, what: str) -> None:
        """Wait until something is so, while everybody is well."""
        until = monotonic() + wait_s
        while not holds():
            self.raise_what_ended()
            assert monotonic() < until, f"{what} after {wait_s:.0f} s: {self._views()}"
            await asyncio.sleep(LOOK_S)

    async def until_moved_on(self, steps: int, wait_s: float) -> float:
        """Wait until each table has gone on by so many numbers; the seconds it took."""
        began = monotonic()
        wanted = {table: self.book.seqs[table] + steps for table in self.tables}

        def has_moved() -> bool:
            return all(self.book.seqs[table] >= seq for table, seq in wanted.items())

        await self.until(has_moved, wait_s, "a table stands still")
        return monotonic() - began

    async def rest(self, rest_s: float) -> None:
        """Let the tables play on for a while."""
        until = monotonic() + rest_s
        while monotonic() < until:
            self.raise_what_ended()
            await asyncio.sleep(LOOK_S)

    async def close_tables(self, wait_s: float) -> None:
        """Close the tables as an operator does: rummy's after their hand, the others at once."""
        for table, game in self.tables.items():
            drain = game == "rummy"

            async def work(tx: Transaction, table: str = table, drain: bool = drain) -> None:
                await ask_to_close(tx, TableId(UUID(table)), drain=drain)

            await self._house.run(work)
        spectator = self._spectator
        assert spectator is not None
        watches = [spectator.client.tables[table] for table in self.tables]
        await self.until(
            lambda: all(watch.is_closed for watch in watches), wait_s, "a table does not close"
        )

    async def go_home(self) -> None:
        """Stop every client; the seats stay."""
        tasks = [*self._tasks, *(task for player in self.everybody for task in player.tasks)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _views(self) -> str:
        """Describe how each player sees its table, for a failure's text."""
        views = []
        for table, players in self.players.items():
            for player in players:
                watch = player.client.tables[table]
                hand = watch.hand
                shown = (hand.phase, hand.attempt, hand.turn, hand.turn_seats, hand.waiting)
                views.append(f"{player.client.name} seq {watch.seq} {watch.seating.me}: {shown}")
        return "\n".join(views)
