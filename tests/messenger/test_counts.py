"""What a messenger has carried and dropped is counted, whichever it is."""

import asyncio

import pytest

from server.errors import Refusal
from server.messenger import Messenger
from tests.messenger.conftest import Open
from tests.messenger.ears import listening, numbered, until
from tests.messenger.relay import Relay


async def test_messages_and_calls_are_counted_where_they_pass(
    both: tuple[Messenger, Messenger],
) -> None:
    near, far = both
    ear = await listening(far, "table")
    release = asyncio.Event()

    async def echo(body: bytes) -> bytes:
        return body

    async def late(body: bytes) -> bytes:
        await release.wait()
        return body

    far.serve("echo", echo)
    far.serve("late", late)
    for body in numbered(3):
        near.publish("table", body)
    await ear.until_heard(b"2")
    await near.call("far", "echo", b"1", timeout_s=20)
    with pytest.raises(Refusal, match="busy"):
        await near.call("far", "late", b"1", timeout_s=0.05)
    await until(lambda: far.counts.calls_answered == 2)
    release.set()
    assert (near.counts.published, near.counts.calls, near.counts.calls_timed_out) == (3, 2, 1)
    assert (far.counts.heard, far.counts.lost, far.counts.reconnects) == (3, 1, 0)


async def test_a_line_that_breaks_is_counted_when_it_is_there_again(
    relay: Relay, opened: Open
) -> None:
    url = await relay.start()
    messenger = await opened(url, "near")
    ear = await listening(messenger, "table")
    assert messenger.counts.reconnects == 0
    relay.cut()
    await until(lambda: relay.accepted > 2)
    relay.mend()
    await ear.until_lost(2)
    await until(lambda: messenger.counts.reconnects == 2)
    assert messenger.counts.lost == 2
