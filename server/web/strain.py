"""Whether this process keeps up: the event loop's lag, and how long commands wait for their commit.

One late moment is no overload: what counts is that nothing was quick for a while. Then whoever is
new is sent away, so that those who play are served in time.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

import structlog

LOOK_S: Final = 0.1
"""Time between two looks."""

LASTING_S: Final = 2.0
"""How long everything must have been late before it is an overload."""

log = structlog.get_logger("web.strain")


class Strain:
    """Measures how late things are; `watch` is its task.

    Units: `lag_ms` is the last look's: how late the loop came to it, or what the quickest command
           took since the look before; if none was answered, how long the oldest waits.
    """

    def __init__(self, limit_ms: int, clock: Callable[[], float] = monotonic) -> None:
        self._limit_ms = limit_ms
        self._clock = clock
        self._begun_s: dict[object, float] = {}
        self._quickest_s: float | None = None
        self._late_since_s: float | None = None
        self.is_over = False
        self.lag_ms = 0

    @contextmanager
    def command(self) -> Iterator[None]:
        """Measure a command from its arrival to its answer."""
        key = object()
        began = self._begun_s[key] = self._clock()
        try:
            yield
        finally:
            del self._begun_s[key]
            took = self._clock() - began
            self._quickest_s = took if self._quickest_s is None else min(took, self._quickest_s)

    async def watch(self) -> None:
        """Look at it again and again, until cancelled."""
        while True:
            asked = self._clock()
            await asyncio.sleep(LOOK_S)
            self.look(self._clock() - asked - LOOK_S)

    def look(self, loop_s: float) -> None:
        """Judge by how late the loop came to this look, and by the commands since the last one."""
        now = self._clock()
        command_s, self._quickest_s = self._quickest_s, None
        if command_s is None:
            command_s = now - min(self._begun_s.values(), default=now)
        self.lag_ms = round(max(loop_s, command_s) * 1_000)
        if self.lag_ms <= self._limit_ms:
            self._late_since_s = None
        elif self._late_since_s is None:
            self._late_since_s = now
        was_over = self.is_over
        self.is_over = self._late_since_s is not None and now - self._late_since_s >= LASTING_S
        if self.is_over != was_over:
            log.warning("overload" if self.is_over else "overload_ended", lag_ms=self.lag_ms)
