"""Who listens to which topic: each has a bounded queue, and a task while it works."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

import structlog

from server.messenger.counts import Counts
from server.messenger.heard import LOST, Handler, Heard, Lost

WAITING_MAX: Final = 256
"""Messages that wait for one handler; one more, and all of them make place for `LOST`."""

WAITING_MAX_BYTES: Final = 8 * 1_048_576
"""Bytes that wait for one handler."""

AGAIN_S: Final = 1
"""Rest of a handler that failed, before it hears `LOST`."""

_log = structlog.get_logger(__name__)


class Subscription:
    """One handler's ear at a topic, until it is closed."""

    def __init__(
        self,
        topic: str,
        handler: Handler,
        forget: "Callable[[Subscription], None]",
        counts: Counts,
    ) -> None:
        self.topic = topic
        self._counts = counts
        self.task: asyncio.Task[None] | None = None
        self._handler = handler
        self._forget = forget
        self._waiting: deque[Heard] = deque()
        self._bytes = 0
        self._is_closed = False

    def tell(self, heard: Heard) -> None:
        """Have the handler hear something after all that waits; never blocks."""
        if self._is_closed:
            return
        if isinstance(heard, Lost) or not self._has_room(heard):
            # whoever reads the journal afterwards needs none of what waited
            self._waiting.clear()
            self._bytes = 0
            heard = LOST
            self._counts.lost += 1
        else:
            self._bytes += len(heard)
            self._counts.heard += 1
        self._waiting.append(heard)
        if self.task is None:
            self.task = asyncio.create_task(self._work(), name=f"topic {self.topic}")

    def close(self) -> None:
        """Hear no more; a handler that runs is cancelled, unless it is the one that says so."""
        if self._is_closed:
            return
        self._is_closed = True
        self._waiting.clear()
        self._forget(self)
        if self.task is not None and self.task is not asyncio.current_task():
            self.task.cancel()

    def _has_room(self, body: bytes) -> bool:
        return len(self._waiting) < WAITING_MAX and self._bytes + len(body) <= WAITING_MAX_BYTES

    async def _work(self) -> None:
        try:
            while self._waiting:
                heard = self._waiting.popleft()
                self._bytes -= 0 if isinstance(heard, Lost) else len(heard)
                if not await self._handle(heard):
                    self.tell(LOST)
                    await asyncio.sleep(AGAIN_S)
        finally:
            self.task = None

    async def _handle(self, heard: Heard) -> bool:
        """Tell whether the handler took it."""
        try:
            await self._handler(heard)
        except asyncio.CancelledError:
            if is_cancelled():
                raise
            _log.warning("handler_failed", topic=self.topic, why="CancelledError")
            return False
        except Exception as error:
            _log.warning("handler_failed", topic=self.topic, exc_info=error)
            return False
        return True


class Subscriptions:
    """All subscriptions of a process, by topic."""

    def __init__(
        self, counts: Counts, unwanted: Callable[[str], None] = lambda topic: None
    ) -> None:
        """Take who is told when the last subscription of a topic is closed."""
        self._counts = counts
        self._unwanted = unwanted
        self._of: dict[str, list[Subscription]] = {}

    def add(self, topic: str, handler: Handler) -> Subscription:
        """Add one; it has heard nothing yet."""
        subscription = Subscription(topic, handler, self._drop, self._counts)
        self._of.setdefault(topic, []).append(subscription)
        return subscription

    def tell(self, topic: str, heard: Heard) -> None:
        """Tell all subscriptions of a topic."""
        for one in self._of.get(topic, ()):
            one.tell(heard)

    async def close(self) -> None:
        """Close all, and wait until none of their handlers runs."""
        everyone = [one for those in self._of.values() for one in those]
        tasks = [one.task for one in everyone if one.task is not None]
        for one in everyone:
            one.close()
        if tasks:
            await asyncio.wait(tasks)

    def _drop(self, subscription: Subscription) -> None:
        those = self._of[subscription.topic]
        those.remove(subscription)
        if not those:
            del self._of[subscription.topic]
            self._unwanted(subscription.topic)


def is_cancelled() -> bool:
    """Tell a cancellation of this very task from one that came out of what it waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
