"""What must be finished although the task that waits for it is cancelled, once or several times."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """Wait for `work` even when the waiting task is cancelled; the cancellation then goes on.

    Errors: what `work` raises; CancelledError, after `work` has ended.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            if task.cancelled():
                raise
            cancelled = error
        except Exception:
            break
    if cancelled is not None:
        task.exception()
        raise cancelled
    return task.result()


async def end_all(*tasks: asyncio.Task[Any]) -> list[Any]:
    """Cancel tasks and wait until all have ended; give what each returned or raised.

    Errors: CancelledError if the waiting task is cancelled meanwhile, after all have ended.
    """
    for task in tasks:
        task.cancel()
    return await to_the_end(_all_of(tasks))


def let_go(going: set[asyncio.Task[Any]], *tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks that nobody waits for now; `going` keeps them until they have ended."""
    for task in tasks:
        task.cancel()
        going.add(task)
        task.add_done_callback(going.discard)


async def _all_of(tasks: tuple[asyncio.Task[Any], ...]) -> list[Any]:
    return await asyncio.gather(*tasks, return_exceptions=True)
