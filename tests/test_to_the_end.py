"""Work that is finished, and tasks that are waited for, whoever is cancelled meanwhile."""

import asyncio

import pytest

from server.cancellation import end_all, to_the_end


async def cancelled_often(waiting: asyncio.Task[object]) -> None:
    """Cancel a task over and over, as long as it goes on."""
    while not waiting.done():
        waiting.cancel()
        await asyncio.sleep(0)


async def test_work_goes_to_its_end_however_often_its_waiter_is_cancelled() -> None:
    done = []

    async def work() -> None:
        for step in range(20):
            await asyncio.sleep(0)
            done.append(step)

    waiting = asyncio.create_task(to_the_end(work()))
    await asyncio.sleep(0)
    await cancelled_often(waiting)
    assert done == list(range(20))
    assert waiting.cancelled()


async def test_a_failure_of_the_work_is_the_waiters_but_its_cancellation_comes_first() -> None:
    async def work() -> None:
        await asyncio.sleep(0)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await to_the_end(work())
    waiting = asyncio.create_task(to_the_end(work()))
    await asyncio.sleep(0)
    await cancelled_often(waiting)
    assert waiting.cancelled()


async def test_tasks_that_end_are_waited_for_and_cancelled_once() -> None:
    cleaned = []

    async def work(number: int) -> int:
        try:
            await asyncio.sleep(number)
        finally:
            for _ in range(5):
                await asyncio.sleep(0)
            cleaned.append(number)
        return number

    tasks = [asyncio.create_task(work(number)) for number in (0, 3_600, 7_200)]
    await tasks[0]
    ended = await end_all(*tasks)
    assert ended[0] == 0
    assert [type(one) for one in ended[1:]] == [asyncio.CancelledError] * 2
    assert cleaned == [0, 3_600, 7_200]
    last = asyncio.create_task(work(9_000))
    await asyncio.sleep(0)
    ending = asyncio.create_task(end_all(last))
    await asyncio.sleep(0)
    await cancelled_often(ending)
    assert cleaned[-1] == 9_000
    assert last.cancelled()
    assert ending.cancelled()
