"""What both messengers promise of calls: the local one, and two of them on a real Valkey."""

import asyncio

import pytest

from server.errors import Fault, Refusal
from server.messenger import Messenger, services
from server.messenger.heard import BODY_MAX_BYTES
from tests.messenger.ears import listening, numbered, until

Both = tuple[Messenger, Messenger]


async def echo(body: bytes) -> bytes:
    return b"echo of " + body


async def test_a_call_is_answered_by_its_service(both: Both) -> None:
    near, far = both
    far.serve("echo", echo)
    answers = await asyncio.gather(
        *(near.call("far", "echo", body, timeout_s=20) for body in numbered(50))
    )
    assert answers == [b"echo of " + body for body in numbered(50)]
    assert await near.call("far", "echo", b"\x00\xff", timeout_s=20) == b"echo of \x00\xff"


async def test_a_refusal_of_the_service_is_the_callers(both: Both) -> None:
    near, far = both

    async def refuse(body: bytes) -> bytes:
        raise Refusal("no_such_table", "कोई टेबल नहीं", "table")

    far.serve("command", refuse)
    with pytest.raises(Refusal) as refused:
        await near.call("far", "command", b"", timeout_s=20)
    refusal = refused.value
    assert (refusal.code, refusal.text, refusal.field) == ("no_such_table", "कोई टेबल नहीं", "table")


async def test_a_broken_service_is_a_fault_that_says_nothing_of_what_it_held(both: Both) -> None:
    near, far = both

    async def breaks(body: bytes) -> bytes:
        raise KeyError("7H")

    far.serve("broken", breaks)
    with pytest.raises(Fault, match="far failed") as fault:
        await near.call("far", "broken", b"", timeout_s=20)
    assert "7H" not in str(fault.value)
    with pytest.raises(Fault, match="no calls of the kind dance"):
        await near.call("far", "dance", b"", timeout_s=20)


async def test_a_call_to_nobody_ends_as_busy_long_before_its_time(both: Both) -> None:
    near, _ = both
    async with asyncio.timeout(60):
        with pytest.raises(Refusal, match="busy"):
            await near.call("nobody", "echo", b"", timeout_s=3_600)


async def test_a_call_without_an_answer_ends_in_its_time_and_the_next_one_works(
    both: Both,
) -> None:
    near, far = both
    release, answered = asyncio.Event(), asyncio.Event()

    async def late(body: bytes) -> bytes:
        await release.wait()
        answered.set()
        return body

    far.serve("late", late)
    far.serve("echo", echo)
    with pytest.raises(Refusal, match="busy"):
        await near.call("far", "late", b"1", timeout_s=0.05)
    release.set()
    await answered.wait()
    assert await near.call("far", "echo", b"2", timeout_s=20) == b"echo of 2"
    assert await near.call("far", "late", b"3", timeout_s=20) == b"3"


async def test_a_cancelled_caller_leaves_the_service_at_work_and_no_task_behind(
    both: Both,
) -> None:
    near, far = both
    started, release, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def work(body: bytes) -> bytes:
        started.set()
        await release.wait()
        ended.set()
        return body

    far.serve("work", work)
    before = asyncio.all_tasks()
    caller = asyncio.create_task(near.call("far", "work", b"", timeout_s=60))
    await started.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert getattr(near, "_pending", {}) == {}
    assert not ended.is_set()
    release.set()
    await ended.wait()
    await until(lambda: asyncio.all_tasks() <= before)


async def test_calls_above_the_limit_are_refused_at_once(
    both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "CALLS_MAX", 2)
    near, far = both
    release = asyncio.Event()
    in_hand: list[bytes] = []

    async def wait(body: bytes) -> bytes:
        in_hand.append(body)
        await release.wait()
        return body

    far.serve("wait", wait)
    calls = [asyncio.create_task(near.call("far", "wait", b, timeout_s=60)) for b in (b"1", b"2")]
    await until(lambda: len(in_hand) == 2)
    with pytest.raises(Refusal, match="too many calls"):
        await near.call("far", "wait", b"3", timeout_s=60)
    release.set()
    assert await asyncio.gather(*calls) == [b"1", b"2"]
    assert in_hand == [b"1", b"2"]


async def test_what_is_too_large_is_told_as_lost_and_a_call_is_a_fault(both: Both) -> None:
    near, far = both
    large = b"x" * (BODY_MAX_BYTES + 1)

    async def boast(body: bytes) -> bytes:
        return large

    far.serve("boast", boast)
    far.serve("echo", echo)
    ear = await listening(far, "table")
    near.publish("table", large)
    await ear.until_lost(2)
    near.publish("table", large[:BODY_MAX_BYTES])
    await ear.until_heard(large[:BODY_MAX_BYTES])
    with pytest.raises(Fault, match="too large"):
        await near.call("far", "echo", large, timeout_s=20)
    with pytest.raises(Fault, match="too large"):
        await near.call("far", "boast", b"", timeout_s=20)


async def test_a_close_ends_handlers_and_calls_in_hand(both: Both) -> None:
    near, far = both
    started = asyncio.Event()

    async def hang(body: bytes) -> bytes:
        started.set()
        await asyncio.Event().wait()
        return body

    far.serve("hang", hang)
    ear = await listening(far, "table")
    ear.free.clear()
    near.publish("table", b"1")
    await ear.until_heard(b"1")
    caller = asyncio.create_task(near.call("far", "hang", b"", timeout_s=60))
    await started.wait()
    await far.close()
    with pytest.raises(Refusal, match="busy"):
        await caller
    await far.close()
