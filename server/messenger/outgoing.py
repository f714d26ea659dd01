"""What this process says to Redis: one connection, one writer, in the order in which it was said.

Letters are sent in batches, a round trip each. Where a topic's message could not be sent, or there
was no room for it, its subscribers are told `LOST` as soon as there is a line again: they may sit
on a line that never broke, and would not look into the journal by themselves.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Final

import structlog

from server.messenger.answers import Awaited, Refused, settle
from server.messenger.counts import Counts
from server.messenger.line import ANSWER_MAX_S, BROKEN, DELAY_MAX_S, FIRST_DELAY_S, Address, Line

BATCH_MAX: Final = 64
"""Letters of one round trip."""

WAITING_MAX: Final = 4_096
"""Letters that wait to be sent."""

WAITING_MAX_BYTES: Final = 16 * 1_048_576
"""Bytes that wait to be sent."""

IDLE_PING_S: Final = 1.0
"""Rest after which a line is tried: a dead one should not be found by a call."""

_log = structlog.get_logger(__name__)

GONE: Final = Refused("busy", "the other process is not there")
UNSENT: Final = Refused("busy", "Redis can't be reached, or is too slow")


@dataclass(frozen=True, slots=True)
class Waiting:
    """A letter: of a topic, a call that somebody awaits the answer of, or a reply."""

    channel: bytes
    frame: bytes
    topic: str | None = None
    awaited: Awaited | None = None


class Outgoing:
    """The letters that wait for Redis, and the task that sends them."""

    def __init__(
        self, address: Address, lost_letter: Callable[[str], Waiting], *, counts: Counts
    ) -> None:
        """Take how a topic's subscribers are told `LOST`."""
        self._address = address
        self._counts = counts
        self._lost_letter = lost_letter
        self._waiting: deque[Waiting] = deque()
        self._bytes = 0
        self._lost: dict[str, None] = {}  # in the order in which it happened
        self._pings: list[asyncio.Future[bool]] = []
        self._is_down = False
        self._some = asyncio.Event()
        self._none = asyncio.Event()
        self._none.set()

    def put(self, letter: Waiting) -> None:
        """Send a letter after all that wait."""
        has_room = (
            len(self._waiting) < WAITING_MAX
            and self._bytes + len(letter.frame) <= WAITING_MAX_BYTES
        )
        if not has_room or (self._is_down and letter.topic is not None):
            self._give_up(letter)
            return
        self._waiting.append(letter)
        self._bytes += len(letter.frame)
        self._wake()

    def lose(self, topic: str) -> None:
        """Tell a topic's subscribers that something is missing."""
        self._lost[topic] = None
        self._wake()

    async def ping(self) -> bool:
        """Tell whether Redis takes letters and answers."""
        answered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._pings.append(answered)
        self._wake()
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_MAX_S):
                return await answered
        return False

    async def finish(self) -> None:
        """Wait until nothing waits to be sent, for a short time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_MAX_S):
                await self._none.wait()

    async def run(self) -> None:
        """Send until cancelled."""
        delay_s = FIRST_DELAY_S
        was_open = False
        while True:
            try:
                line = await self._address.open_line()
                self._counts.reconnects += was_open
                was_open = True
                try:
                    delay_s = FIRST_DELAY_S
                    self._is_down = False
                    await self._send_all(line)
                finally:
                    await line.close()
            except BROKEN as error:
                if not self._is_down:
                    _log.warning("redis_not_reached", why=type(error).__name__)
            except Exception as error:
                # Whatever it is: without a writer this process would be dumb for good.
                _log.error("redis_not_reached", exc_info=error)
            self._is_down = True
            self._answer_pings(False)
            await asyncio.sleep(delay_s)
            delay_s = min(2 * delay_s, DELAY_MAX_S)

    async def _send_all(self, line: Line) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(IDLE_PING_S):
                    await self._some.wait()
            batch = self._take()
            try:
                reached = await _send(line, batch)
            except BaseException:
                for letter in batch:
                    self._give_up(letter)
                raise
            for letter, count in zip(batch, reached, strict=True):
                if count == 0 and letter.awaited is not None:
                    settle(letter.awaited, GONE)
            self._answer_pings(True)
            if not self._waiting and not self._lost:
                self._some.clear()
                self._none.set()

    def _take(self) -> list[Waiting]:
        """Take the next letters, first word of what was lost: it makes up for what comes later."""
        topics = list(islice(self._lost, BATCH_MAX))
        for topic in topics:
            del self._lost[topic]
        batch = [self._lost_letter(topic) for topic in topics]
        while self._waiting and len(batch) < BATCH_MAX:
            letter = self._waiting.popleft()
            self._bytes -= len(letter.frame)
            if letter.awaited is None or not letter.awaited.done():  # or its caller is gone
                batch.append(letter)
        return batch

    def _give_up(self, letter: Waiting) -> None:
        if letter.topic is not None:
            self.lose(letter.topic)
        elif letter.awaited is not None:
            settle(letter.awaited, UNSENT)

    def _answer_pings(self, is_good: bool) -> None:
        pings, self._pings = self._pings, []
        for answered in pings:
            if not answered.done():
                answered.set_result(is_good)

    def _wake(self) -> None:
        self._some.set()
        self._none.clear()


async def _send(line: Line, batch: list[Waiting]) -> list[int]:
    """Send letters, and a ping behind them, and wait for all answers. Errors: one of `BROKEN`."""
    await line.send(*((b"PUBLISH", one.channel, one.frame) for one in batch), (b"PING",))
    async with asyncio.timeout(ANSWER_MAX_S):
        answers = [await line.read() for _ in range(len(batch) + 1)]
    return [int(count) for count in answers[:-1]]
