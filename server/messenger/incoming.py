"""What Redis says to this process: one connection, read without a pause and watched for silence.

The reader hands each message on and never waits for who hears it. A ping of our own goes through
the same connection: if nothing at all has come back when the fourth is due, the line is dead,
whatever the system says of it. Pings are counted, not seconds: a process that was stopped, or had
no time, must not blame the line. A new line subscribes to everything again, and each channel that
Redis confirms is told of, because something may have been missed before.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final

import structlog

from server.messenger.counts import Counts
from server.messenger.line import BROKEN, DELAY_MAX_S, FIRST_DELAY_S, Address, Line

PING_EVERY_S: Final = 1.0
SILENT_PINGS_MAX: Final = 3
"""Pings in a row without a word from Redis; a line that would need one more counts as dead."""

CHANNELS_AT_ONCE: Final = 500
"""Channels that one command subscribes to."""

_log = structlog.get_logger(__name__)


class Incoming:
    """The channels that this process listens to."""

    def __init__(
        self,
        address: Address,
        *,
        heard: Callable[[bytes, bytes], None],
        confirmed: Callable[[bytes], None],
        counts: Counts,
    ) -> None:
        """Take who is told of a message, and of a channel from which on nothing is missed."""
        self._address = address
        self._heard = heard
        self._confirmed = confirmed
        self._counts = counts
        self._wanted: set[bytes] = set()
        self._asked: set[bytes] = set()
        self._live: set[bytes] = set()
        self._changed = asyncio.Event()
        self._silent_pings = 0
        self.lines = 0

    def want(self, channel: bytes) -> None:
        """Listen to a channel from now on, on this line and each later one."""
        self._wanted.add(channel)
        self._changed.set()

    def unwant(self, channel: bytes) -> None:
        """Listen to it no more."""
        self._wanted.discard(channel)
        self._changed.set()

    def is_live(self, channel: bytes) -> bool:
        """Tell whether Redis passes a channel's messages on to us just now."""
        return channel in self._live

    async def run(self) -> None:
        """Listen until cancelled."""
        delay_s = FIRST_DELAY_S
        while True:
            before = self.lines
            try:
                await self._once()
            except* BROKEN as group:
                if self.lines > before:
                    _log.warning("redis_lost", why=type(group.exceptions[0]).__name__)
            except* Exception as group:
                # Whatever it is: without a reader this process would be deaf for good.
                _log.error("redis_lost", exc_info=group)
            delay_s = FIRST_DELAY_S if self.lines > before else min(2 * delay_s, DELAY_MAX_S)
            await asyncio.sleep(delay_s)

    async def _once(self) -> None:
        line = await self._address.open_line()
        self._counts.reconnects += self.lines > 0
        self.lines += 1
        self._asked = set()
        self._silent_pings = 0
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._read(line))
                group.create_task(self._tend(line))
        finally:
            self._live = set()
            await line.close()

    async def _read(self, line: Line) -> None:
        while True:
            said = await line.read()
            self._silent_pings = 0
            match said:
                case [b"message", bytes(channel), bytes(frame)]:
                    self._heard(channel, frame)
                case [b"subscribe", bytes(channel), _]:
                    self._live.add(channel)
                    self._confirmed(channel)
                case [b"unsubscribe", bytes(channel), _]:
                    self._live.discard(channel)
                case _:
                    pass  # a pong

    async def _tend(self, line: Line) -> None:
        """The line's only writer: asks for channels, pings, and listens for silence."""
        pinged = 0.0
        while True:
            self._changed.clear()
            await self._ask(line)
            if monotonic() - pinged >= PING_EVERY_S:
                if self._silent_pings == SILENT_PINGS_MAX:
                    raise TimeoutError
                self._silent_pings += 1
                await line.send((b"PING",))
                pinged = monotonic()
            with suppress(TimeoutError):
                async with asyncio.timeout(PING_EVERY_S):
                    await self._changed.wait()

    async def _ask(self, line: Line) -> None:
        wanted = set(self._wanted)
        less, more = self._asked - wanted, wanted - self._asked
        self._asked = wanted
        for word, channels in ((b"UNSUBSCRIBE", less), (b"SUBSCRIBE", more)):
            in_order = sorted(channels)
            for start in range(0, len(in_order), CHANNELS_AT_ONCE):
                await line.send((word, *in_order[start : start + CHANNELS_AT_ONCE]))
