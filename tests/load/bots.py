"""All players of one measurement, in a process of their own; an order comes in, figures go out.

python -m tests.load.bots < order.json
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from random import Random
from time import perf_counter

import uvloop
from websockets.asyncio.client import ClientConnection, connect

from tests.bench.seats import Company, Move, seated

AT_ONCE = 16
"""Tables that are seated at the same time."""


@dataclass(slots=True)
class Figures:
    """What was measured. Units: seconds, from the command to its answer, and to the last seat."""

    ok_s: list[float] = field(default_factory=list)
    all_s: list[float] = field(default_factory=list)
    late: int = 0
    clock_moves: int = 0
    frame_bytes: float = 0.0
    took_s: float = 0.0
    failures: list[str] = field(default_factory=list)

    def note(self, move: Move) -> None:
        """Keep one move."""
        self.ok_s.append(move.ok_s)
        self.all_s.append(move.all_s)


Step = Callable[[], Awaitable[Move]]


async def main() -> None:
    """Seat everybody, say so on a line, play, and print the figures as another."""
    order = json.loads(sys.stdin.readline())
    figures = Figures()
    async with AsyncExitStack() as stack:
        if order["echo"]:
            rooms = await _rooms(stack, order)
            steps: list[Step] = [_Room(room, order["frame"]).step for room in rooms]
        else:
            companies = await _companies(stack, order)
            steps = [company.move for company in companies]
        print(json.dumps({"seated": len(steps)}), flush=True)
        await asyncio.to_thread(sys.stdin.readline)  # the word to begin
        await _play(steps, order, figures)
        if not order["echo"]:
            _count(companies, figures)
        print(json.dumps(asdict(figures)), flush=True)
        await asyncio.to_thread(sys.stdin.readline)  # the word to end


async def _companies(stack: AsyncExitStack, order: dict[str, object]) -> list[Company]:
    gate = asyncio.Semaphore(AT_ONCE)
    tables = order["tables"]
    assert isinstance(tables, dict)

    async def seat(table: str, tokens: Sequence[str]) -> Company:
        async with gate:
            url = str(order["url"])
            return await stack.enter_async_context(seated(url, table, tokens, keeps=False))

    return list(await asyncio.gather(*(seat(*row) for row in tables.items())))


async def _rooms(stack: AsyncExitStack, order: dict[str, object]) -> list[list[ClientConnection]]:
    gate = asyncio.Semaphore(AT_ONCE)
    rooms, seats = int(str(order["rooms"])), int(str(order["seats"]))

    async def enter(number: int) -> list[ClientConnection]:
        async with gate:
            url = f"{order['url']}/{number}"
            lines = [connect(url, compression=None) for _ in range(seats)]
            return [await stack.enter_async_context(line) for line in lines]

    return list(await asyncio.gather(*(enter(number) for number in range(rooms))))


class _Room:
    """Six lines to the echo; they take turns."""

    def __init__(self, lines: Sequence[ClientConnection], size: int) -> None:
        self._lines = lines
        self._text = json.dumps({"d": "x" * size})
        self._number = 0

    async def step(self) -> Move:
        """Say a frame and wait until all have it."""
        self._number += 1
        actor = self._lines[self._number % len(self._lines)]
        others = [line for line in self._lines if line is not actor]
        began = perf_counter()
        await actor.send(self._text)
        rest = asyncio.gather(*(line.recv() for line in others))
        await actor.recv()
        came = perf_counter()
        await rest
        return Move(came - began, perf_counter() - began)


async def _play(steps: Sequence[Step], order: dict[str, object], figures: Figures) -> None:
    """Have each table make a move every so often, each at its own moment."""
    every_s, play_s = float(str(order["every_s"])), float(str(order["play_s"]))
    random, began = Random(1), perf_counter()

    async def keep_on(step: Step) -> None:
        due = began + random.random() * every_s
        while due - began < play_s:
            wait_s = due - perf_counter()
            figures.late += wait_s < -every_s
            await asyncio.sleep(max(0.0, wait_s))
            figures.note(await step())
            due += every_s

    done = await asyncio.gather(*(keep_on(step) for step in steps), return_exceptions=True)
    figures.failures = [repr(one) for one in done if isinstance(one, BaseException)]
    figures.took_s = perf_counter() - began


def _count(companies: Sequence[Company], figures: Figures) -> None:
    traffic = [seat.traffic for company in companies for seat in company.seats]
    figures.frame_bytes = sum(one.received for one in traffic) / max(
        1, sum(one.frames for one in traffic)
    )
    figures.clock_moves = sum(company.seats[0].clock_moves for company in companies)


if __name__ == "__main__":
    uvloop.run(main())
