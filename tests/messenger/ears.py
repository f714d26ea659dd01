"""Who listens in these tests, and what it means that nothing went missing in silence."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import pairwise

from server.messenger import Heard, Lost, Messenger

PATIENCE_S = 30


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            await asyncio.sleep(0.01)


class Ear:
    """A handler that keeps what it hears; while `held` it takes nothing more."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.free = asyncio.Event()
        self.free.set()

    async def __call__(self, heard: Heard) -> None:
        self.heard.append(heard)
        await self.free.wait()

    @property
    def lost(self) -> int:
        """How often it was told that something may be missing."""
        return sum(isinstance(one, Lost) for one in self.heard)

    async def until_heard(self, body: bytes) -> None:
        """Wait until it has heard a body."""
        await until(lambda: body in self.heard)

    async def until_lost(self, times: int) -> None:
        """Wait until it was told so often that something may be missing."""
        await until(lambda: self.lost >= times)


async def listening(messenger: Messenger, topic: str) -> Ear:
    """Subscribe, and wait until nothing is missed any more."""
    ear = Ear()
    messenger.subscribe(topic, ear)
    await ear.until_lost(1)
    return ear


def numbered(count: int, first: int = 0) -> list[bytes]:
    """Write bodies that show their order."""
    return [str(number).encode() for number in range(first, first + count)]


def silent_gaps(heard: Sequence[Heard]) -> list[tuple[Heard, Heard]]:
    """List the places where numbered bodies are missing, or out of order, without a `LOST`."""
    return [
        (one, other)
        for one, other in pairwise(heard)
        if isinstance(one, bytes) and isinstance(other, bytes) and int(other) != int(one) + 1
    ]
