"""Cancelling a task at one of its awaits, and a look at what is left open in PostgreSQL then.

A task may be cancelled in two ways at each await: while it still waits, and when what it waits
for has just come but was not taken yet. It is the second that loses connections and locks.
"""

import asyncio
from collections.abc import Coroutine, Generator
from typing import Any, Final

import asyncpg

from server.database import Database

PATIENCE_S: Final = 30
"""How long PostgreSQL may take to end what it was doing for a task that has gone."""


class Cancelled:
    """A coroutine whose task is cancelled at its await number `point`, counted from 1.

    Shape: `times`: so often, at the awaits that follow too, as whoever insists does. `late`:
           when what is awaited there has come, and not before. `awaits` counts those there were;
           with fewer than `point` of them the work went on to its end.
    """

    def __init__(
        self, work: Coroutine[Any, Any, Any], point: int, *, times: int = 1, late: bool = False
    ) -> None:
        self._work = work
        self._point = point
        self._last = point + times - 1
        self._late = late
        self.awaits = 0

    @property
    def was_reached(self) -> bool:
        """Tell whether there was such an await."""
        return self.awaits >= self._point

    async def run(self) -> BaseException | None:
        """Run it in a task of its own; what it ended with, None if it came to its end."""
        task = asyncio.create_task(self.here())
        (ended,) = await asyncio.gather(task, return_exceptions=True)
        return ended if isinstance(ended, BaseException) else None

    async def here(self) -> object:
        """Run it in the task that asks, which is the one to be cancelled then."""
        return await self

    def __await__(self) -> Generator[Any, Any, object]:
        thrown: BaseException | None = None
        given: object = None
        while True:
            try:
                waited = self._work.send(given) if thrown is None else self._work.throw(thrown)
            except StopIteration as end:
                return end.value
            self.awaits += 1
            if self._point <= self.awaits <= self._last:
                self._cancel(waited)
            thrown, given = None, None
            try:
                given = yield waited
            except BaseException as error:
                thrown = error

    def _cancel(self, waited: Any) -> None:
        task = asyncio.current_task()
        assert task is not None
        if self._late and waited is not None:
            waited.add_done_callback(lambda _: task.cancel())
        else:
            asyncio.get_running_loop().call_soon(task.cancel)


async def left_open(url: str) -> list[str]:
    """List the transactions, statements and locks of others in a database, as its owner."""
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch(_STILL_OPEN)
    finally:
        await connection.close()
    return [str(row[0]) for row in rows]


async def assert_all_is_let_go(database: Database, url: str) -> None:
    """Demand that nothing of a database stays open: no transaction, no lock, no connection."""
    async with asyncio.timeout(PATIENCE_S):
        while await left_open(url) or database.in_use:
            await asyncio.sleep(0.02)


_STILL_OPEN = """
select coalesce(state, '?') || ': ' || left(query, 80) from pg_stat_activity
 where datname = current_database() and pid <> pg_backend_pid()
   and backend_type = 'client backend' and (xact_start is not null or state <> 'idle')
union all
select 'lock: ' || locktype || ' ' || coalesce(relation::regclass::text, '') from pg_locks l
  join pg_stat_activity a using (pid)
 where a.datname = current_database() and pid <> pg_backend_pid()
   and a.backend_type = 'client backend'
"""
