"""The outbox is bounded, keeps the order and closes once."""

import asyncio

from server.web.outbox import Outbox

WAIT_S = 10


async def test_frames_come_in_order_then_the_close() -> None:
    outbox = Outbox(4)
    outbox.put({"n": 1})
    outbox.put({"n": 2})
    outbox.close(4409)
    outbox.close(1012)
    outbox.put({"n": 3})
    assert [await outbox.get() for _ in range(4)] == [{"n": 1}, {"n": 2}, 4409, 4409]


async def test_a_reader_that_falls_behind_is_closed_with_1013_and_gets_nothing_more() -> None:
    outbox = Outbox(3)
    for n in range(5):
        outbox.put({"n": n})
    assert len(outbox) == 0
    assert await outbox.get() == 1013


async def test_a_reader_waits_for_the_next_frame() -> None:
    outbox = Outbox(3)
    waiting = asyncio.create_task(outbox.get())
    await asyncio.sleep(0)
    assert not waiting.done()
    outbox.put({"n": 1})
    assert await waiting == {"n": 1}


async def test_room_is_waited_for_and_a_close_ends_the_wait() -> None:
    outbox = Outbox(3)
    for n in range(3):
        outbox.put({"n": n})
    roomy = asyncio.create_task(outbox.room(2))
    await asyncio.sleep(0)
    await outbox.get()
    await asyncio.sleep(0)
    assert not roomy.done()
    await outbox.get()
    await asyncio.wait_for(roomy, WAIT_S)
    never = asyncio.create_task(outbox.room(3))
    await asyncio.sleep(0)
    assert not never.done()
    outbox.close(1012)
    await asyncio.wait_for(never, WAIT_S)
    await asyncio.wait_for(Outbox(3).room(99), WAIT_S)
