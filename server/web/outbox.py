"""What waits to be written to one socket: bounded, and never waited for by a table."""

import asyncio
from collections import deque
from typing import Final

from server.web.closing import CLOSE_OVERLOAD

OUTBOX_MAX: Final = 256
"""Frames; a reader that falls further behind is closed with 1013 and comes back with resume."""


class Outbox:
    """Frames in order, then at most one close code; whatever comes after that is dropped."""

    def __init__(self, limit: int = OUTBOX_MAX) -> None:
        self._limit = limit
        self._frames: deque[dict[str, object]] = deque()
        self._close_code: int | None = None
        self._changed = asyncio.Event()
        self._drained = asyncio.Event()
        self.closed = asyncio.Event()
        """Set when it is closed; what waits is still to be written then."""

    def __len__(self) -> int:
        return len(self._frames)

    def put(self, frame: dict[str, object]) -> None:
        """Add a frame; a full outbox is emptied and closed instead."""
        if self._close_code is not None:
            return
        if len(self._frames) >= self._limit:
            self._frames.clear()
            self.close(CLOSE_OVERLOAD)
            return
        self._frames.append(frame)
        self._changed.set()

    def close(self, code: int) -> None:
        """Close after what is waiting; the first code stands."""
        if self._close_code is None:
            self._close_code = code
            self.closed.set()
            self._changed.set()
            self._drained.set()

    async def get(self) -> dict[str, object] | int:
        """Wait for the next frame, or for the code to close with."""
        while not self._frames:
            if self._close_code is not None:
                return self._close_code
            self._changed.clear()
            await self._changed.wait()
        self._drained.set()
        return self._frames.popleft()

    async def room(self, frames: int) -> None:
        """Wait until so many frames can be put at once, or until it is closed.

        Shape: at most the limit; a larger number waits for an empty outbox.
        """
        while (
            self._frames and self._limit - len(self._frames) < frames and not self.closed.is_set()
        ):
            self._drained.clear()
            await self._drained.wait()
