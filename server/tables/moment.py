"""The time by the database's clock: every process of the house reads the same one."""

import time

from server.database import Database


class Moment:
    """Tells the database's time without asking it each time.

    The process's own wall clock is never read: an hour wrong does no harm.
    """

    def __init__(self) -> None:
        self._offset_ms: int | None = None

    async def set_by(self, database: Database) -> None:
        """Compare with the database's clock; the middle of the question is when it answered."""
        before = time.monotonic_ns()
        database_ms = await database.now_ms()
        middle_ms = (before + time.monotonic_ns()) // 2_000_000
        self._offset_ms = database_ms - middle_ms

    def now_ms(self) -> int:
        """Tell the time in milliseconds since 1970."""
        assert self._offset_ms is not None, "the clock was never set"
        return time.monotonic_ns() // 1_000_000 + self._offset_ms
