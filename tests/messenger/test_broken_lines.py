"""Redis that is killed, hangs or can't be reached: nothing is lost in silence."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from typing import Any

import pytest
from redis.asyncio import Redis

from server.embedded import EmbeddedValkey
from server.errors import Refusal
from server.messenger import Lost, RedisMessenger, incoming, outgoing
from tests.messenger.conftest import Open
from tests.messenger.ears import Ear, listening, numbered, silent_gaps, until
from tests.messenger.relay import Relay

Pair = tuple[RedisMessenger, RedisMessenger]


async def echo(body: bytes) -> bytes:
    return b"echo of " + body


async def answered(messenger: RedisMessenger, owner: str) -> bytes:
    """Call until there is an answer, as who has a command for a table does."""
    while True:
        try:
            return await messenger.call(owner, "echo", b"1", timeout_s=1)
        except Refusal:
            await asyncio.sleep(0.05)


async def ready(*messengers: RedisMessenger) -> None:
    """Wait until messages go through again."""
    async with asyncio.timeout(30):
        for messenger in messengers:
            while not await messenger.is_ready():
                await asyncio.sleep(0.05)


async def goes_through(messenger: RedisMessenger, ear: Ear) -> None:
    """Publish until something is heard: an impatient line may be given up once more."""
    async with asyncio.timeout(30):
        for body in numbered(1_000, 1):
            messenger.publish("table", body)
            await asyncio.sleep(0.03)
            if body in ear.heard:
                return


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that count as dead sooner."""
    monkeypatch.setattr(incoming, "PING_EVERY_S", 0.1)


@pytest.fixture
async def pair(own_valkey: EmbeddedValkey, opened: Open) -> Pair:
    near, far = await opened(own_valkey.url, "near"), await opened(own_valkey.url, "far")
    far.serve("echo", echo)
    return near, far


@pytest.fixture
async def admin(own_valkey: EmbeddedValkey) -> AsyncIterator[Any]:
    """A connection to do harm by."""
    async with Redis.from_url(own_valkey.url, client_name="admin") as client:
        yield client


async def test_a_server_that_was_killed_and_started_again(
    own_valkey: EmbeddedValkey, pair: Pair
) -> None:
    near, far = pair
    ears = [await listening(far, "one"), await listening(far, "two"), await listening(near, "one")]
    os.kill(own_valkey.pid, signal.SIGKILL)
    await until(lambda: not own_valkey.is_running())
    assert not await near.is_ready()
    assert not await far.is_ready()
    near.publish("one", b"0")
    with pytest.raises(Refusal, match="busy"):
        await near.call("far", "echo", b"", timeout_s=0.5)
    new = await asyncio.gather(asyncio.to_thread(own_valkey.start_again), listening_later(far))
    for ear in ears:
        await ear.until_lost(2)
    await new[1].until_lost(1)
    await ready(near, far)
    assert await answered(near, "far") == b"echo of 1"
    for topic in ("one", "two", "new"):
        near.publish(topic, b"1")
    for ear in (*ears, new[1]):
        await ear.until_heard(b"1")


async def listening_later(messenger: RedisMessenger) -> Ear:
    """Subscribe while there is no line."""
    ear = Ear()
    messenger.subscribe("new", ear)
    return ear


async def test_lines_that_the_server_kills_are_opened_again(admin: Any, pair: Pair) -> None:
    near, far = pair
    ear = await listening(far, "table")
    bodies = numbered(300)
    for at, body in enumerate(bodies):
        if at % 60 == 30:
            await admin.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        if at % 60 == 50:
            await admin.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        near.publish("table", body)
        await asyncio.sleep(0.005)
    await until(lambda: isinstance(ear.heard[-1], Lost) or ear.heard[-1] == bodies[-1])
    await ready(near, far)
    near.publish("table", b"300")
    await ear.until_heard(b"300")
    assert silent_gaps(ear.heard) == []
    assert ear.lost > 1
    assert await answered(near, "far") == b"echo of 1"


async def test_one_line_killed_alone_is_told_as_lost(admin: Any, pair: Pair) -> None:
    near, far = pair
    ear = await listening(far, "table")
    await admin.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
    await ear.until_lost(2)
    near.publish("table", b"1")
    await ear.until_heard(b"1")


@pytest.mark.usefixtures("impatient")
async def test_a_server_that_hangs_longer_than_the_health_check(admin: Any, pair: Pair) -> None:
    near, far = pair
    ear = await listening(far, "table")
    await admin.execute_command("CLIENT", "PAUSE", "1500", "ALL")
    near.publish("table", b"0")
    await ear.until_lost(2)
    await ready(near, far)
    await goes_through(near, ear)
    assert await answered(near, "far") == b"echo of 1"


@pytest.mark.usefixtures("impatient")
async def test_a_line_that_falls_silent_without_a_word_is_given_up(
    own_valkey: EmbeddedValkey, relay: Relay, opened: Open
) -> None:
    near, far = await opened(own_valkey.url, "near"), await opened(await relay.start(), "far")
    ear = await listening(far, "table")
    relay.freeze()
    near.publish("table", b"0")
    await until(lambda: relay.accepted > 2)
    assert not await far.is_ready()
    assert await near.is_ready()
    relay.thaw()
    await ear.until_lost(2)
    await goes_through(near, ear)
    assert silent_gaps(ear.heard[1:]) == []


async def test_what_a_process_could_not_publish_is_told_as_lost_to_who_was_never_cut(
    own_valkey: EmbeddedValkey, relay: Relay, opened: Open
) -> None:
    near, far = await opened(await relay.start(), "near"), await opened(own_valkey.url, "far")
    ear, other = await listening(far, "table"), await listening(far, "quiet")
    relay.cut()
    await until(lambda: relay.accepted > 2)
    near.publish("table", b"0")
    near.publish("table", b"1")
    assert not await near.is_ready()
    assert await far.is_ready()
    relay.mend()
    await ear.until_lost(2)
    near.publish("table", b"2")
    await ear.until_heard(b"2")
    assert ear.heard[2:] == [b"2"]
    assert other.lost == 1


async def test_a_process_that_is_cut_off_still_answers_itself(relay: Relay, opened: Open) -> None:
    alone = await opened(await relay.start(), "alone")
    alone.serve("echo", echo)
    relay.cut()
    assert await alone.call("alone", "echo", b"me", timeout_s=20) == b"echo of me"


async def test_a_call_in_hand_ends_in_its_time_when_the_server_dies(
    own_valkey: EmbeddedValkey, pair: Pair
) -> None:
    near, far = pair
    started = asyncio.Event()

    async def hang(body: bytes) -> bytes:
        started.set()
        await asyncio.Event().wait()
        return body

    far.serve("hang", hang)
    caller = asyncio.create_task(near.call("far", "hang", b"", timeout_s=1))
    await started.wait()
    os.kill(own_valkey.pid, signal.SIGKILL)
    with pytest.raises(Refusal, match="busy"):
        await caller


async def test_a_reply_that_comes_too_late_is_dropped_and_counted(pair: Pair) -> None:
    near, far = pair
    release = asyncio.Event()

    async def late(body: bytes) -> bytes:
        await release.wait()
        return body

    far.serve("late", late)
    with pytest.raises(Refusal, match="busy"):
        await near.call("far", "late", b"", timeout_s=0.1)
    assert near.counts.unknown == 0
    release.set()
    await until(lambda: near.counts.unknown == 1)


async def test_what_waits_for_a_server_that_is_gone_is_bounded(
    own_valkey: EmbeddedValkey, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "WAITING_MAX", 8)
    near, far = pair
    ear = await listening(far, "table")
    bodies = numbered(1_000)
    for body in bodies:  # in one go: nothing of it can be sent meanwhile
        near.publish("table", body)
    with pytest.raises(Refusal, match="busy"):
        await near.call("far", "echo", b"", timeout_s=60)
    await ear.until_lost(2)
    assert len(ear.heard) < 100
    near.publish("table", b"1000")
    await ear.until_heard(b"1000")
