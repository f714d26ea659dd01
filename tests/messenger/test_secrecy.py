"""What crosses Redis: nothing readable, and nothing that opens where it was not sent."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest
from redis.asyncio import Redis

from server.embedded import EmbeddedValkey
from server.errors import Refusal
from server.messenger import Lost, RedisMessenger
from server.messenger.line import Address
from tests.messenger.conftest import Open
from tests.messenger.ears import listening, until

Frame = tuple[bytes, bytes]


@asynccontextmanager
async def monitored(url: str) -> AsyncIterator[bytearray]:
    """Read all that the server is told, as its own MONITOR shows it."""
    there, said = urlsplit(url), bytearray()
    reader, writer = await asyncio.open_connection(there.hostname, there.port)
    writer.write(f"AUTH {there.password}\r\nMONITOR\r\n".encode())
    assert await reader.readline() + await reader.readline() == b"+OK\r\n+OK\r\n"

    async def read() -> None:
        while some := await reader.read(65_536):
            said.extend(some)

    task = asyncio.create_task(read())
    try:
        yield said
    finally:
        task.cancel()
        await asyncio.wait([task])
        writer.close()


@asynccontextmanager
async def overheard(url: str) -> AsyncIterator[list[Frame]]:
    """Read what a plain subscriber to everything gets."""
    frames: list[Frame] = []
    line = await Address(url).open_line()
    await line.send((b"PSUBSCRIBE", b"*"))
    assert await line.read() == [b"psubscribe", b"*", 1]

    async def read() -> None:
        while True:
            _, _, channel, frame = await line.read()
            frames.append((channel, frame))

    task = asyncio.create_task(read())
    try:
        yield frames
    finally:
        task.cancel()
        await asyncio.wait([task])
        await line.close()


@pytest.fixture
async def intruder(own_valkey: EmbeddedValkey) -> AsyncIterator[Redis]:
    """Somebody who may do anything on Redis, but has no key."""
    async with Redis.from_url(own_valkey.url) as client:
        yield client


async def test_who_reads_redis_reads_no_body_and_no_name(
    own_valkey: EmbeddedValkey, opened: Open
) -> None:
    """Twice, under keys of their own: four letters may come up in what is sealed by luck alone."""
    seen = [await _exchange(own_valkey.url, opened) for _ in range(2)]
    assert all(b"PUBLISH" in each for each in seen)  # and so they would have been found
    for word in (
        b"topic", b"body-of-it", b"near-process", b"far-process", b"kind", b"question", b"answer",
        b"refused", b"no_such_table", b"call", b"reply", b"lost",
    ):  # fmt: skip
        assert not all(word in each for each in seen), word


async def _exchange(url: str, opened: Open) -> bytes:
    """Let two processes of a new house talk; all that can be read of it at Redis."""
    key = secrets.token_bytes(32)
    async with monitored(url) as said, overheard(url) as frames:
        near = await opened(url, "near-process", key=key)
        far = await opened(url, "far-process", key=key)

        async def answer(body: bytes) -> bytes:
            return b"answer-" + body

        async def refuse(body: bytes) -> bytes:
            raise Refusal("no_such_table", "refused-words")

        far.serve("kind-of-call", answer)
        far.serve("another-kind", refuse)
        ear = await listening(far, "topic-name")
        near.publish("topic-name", b"body-of-it")
        await ear.until_heard(b"body-of-it")
        answered = await near.call("far-process", "kind-of-call", b"question", timeout_s=20)
        assert answered == b"answer-question"
        with pytest.raises(Refusal, match="refused-words"):
            await near.call("far-process", "another-kind", b"question", timeout_s=20)
        await until(lambda: len(frames) >= 5)
        await until(lambda: said.count(b"PUBLISH") >= 5)
    return bytes(said) + b"".join(channel + frame for channel, frame in frames)


async def test_the_same_body_never_looks_the_same(own_valkey: EmbeddedValkey, opened: Open) -> None:
    async with overheard(own_valkey.url) as frames:
        near, far = await opened(own_valkey.url, "near"), await opened(own_valkey.url, "far")
        for messenger in (near, far):
            for _ in range(10):
                messenger.publish("table", bytes(64))
        await until(lambda: len(frames) == 20)
    assert len({frame for _, frame in frames}) == 20
    assert len({frame[i : i + 16] for _, frame in frames for i in range(29, 77, 16)}) == 60
    assert len({channel for channel, _ in frames}) == 1


async def test_a_changed_or_moved_message_is_refused_and_counted(
    own_valkey: EmbeddedValkey, opened: Open, intruder: Redis
) -> None:
    url = own_valkey.url
    near, far = await opened(url, "near"), await opened(url, "far")
    one, two = await listening(far, "one"), await listening(far, "two")
    async with overheard(url) as frames:
        near.publish("one", b"of one")
        near.publish("two", b"of two")
        await two.until_heard(b"of two")
        await until(lambda: len(frames) == 2)
    (channel, frame), (other, _) = frames
    forged = [
        (other, frame),
        *((channel, flipped(frame, at)) for at in (0, 1, 20, 28, 29, len(frame) - 1)),
        (channel, frame[:-1]),
        (channel, frame[:30]),
        (channel, b""),
        (channel, secrets.token_bytes(100)),
    ]
    for place, made in forged:
        await intruder.publish(place, made)
    await until(lambda: far.counts.unreadable == len(forged))
    near.publish("one", b"later")
    near.publish("two", b"later")
    for ear in (one, two):
        await ear.until_heard(b"later")
    assert one.heard[1:] == [b"of one", b"later"]
    assert two.heard[1:] == [b"of two", b"later"]
    assert near.counts.unreadable == 0


async def test_a_call_does_not_open_at_another_process(
    own_valkey: EmbeddedValkey, opened: Open, intruder: Redis
) -> None:
    url = own_valkey.url
    near, far, third = [await opened(url, owner) for owner in ("near", "far", "third")]
    calls: list[bytes] = []

    async def note(body: bytes) -> bytes:
        calls.append(body)
        return body

    for messenger in (far, third):
        messenger.serve("note", note)
    async with overheard(url) as frames:
        await near.call("far", "note", b"to far", timeout_s=20)
        await near.call("third", "note", b"to third", timeout_s=20)
        await until(lambda: len(frames) == 4)
    (_, to_far), _, (channel_of_third, _), _ = frames
    await intruder.publish(channel_of_third, to_far)
    await until(lambda: third.counts.unreadable == 1)
    assert calls == [b"to far", b"to third"]


async def test_a_message_of_another_house_is_neither_heard_nor_opened(
    own_valkey: EmbeddedValkey, opened: Open, intruder: Redis
) -> None:
    url = own_valkey.url
    stranger = await opened(url, "near", key=secrets.token_bytes(32))
    near, far = await opened(url, "near"), await opened(url, "far")
    ear = await listening(far, "table")
    async with overheard(url) as frames:
        stranger.publish("table", b"from outside")
        await until(lambda: len(frames) == 1)
        near.publish("table", b"1")
        await ear.until_heard(b"1")
        await until(lambda: len(frames) == 2)
    assert frames[0][0] != frames[1][0]
    assert far.counts.unreadable == 0
    await intruder.publish(frames[1][0], frames[0][1])
    await until(lambda: far.counts.unreadable == 1)
    assert ear.heard[1:] == [b"1"]
    with pytest.raises(Refusal, match="busy"):
        await stranger.call("far", "note", b"", timeout_s=20)


async def test_word_of_what_is_lost_can_not_be_forged_but_a_message_may_come_twice(
    own_valkey: EmbeddedValkey, opened: Open, intruder: Redis
) -> None:
    near = await opened(own_valkey.url, "near")
    ear = await listening(near, "table")
    async with overheard(own_valkey.url) as frames:
        near.publish("table", b"1")
        await until(lambda: len(frames) == 1)
    channel, frame = frames[0]
    await intruder.publish(channel, b"\x01")
    await intruder.publish(channel, frame)
    await until(lambda: ear.heard.count(b"1") == 2)
    assert near.counts.unreadable == 1
    assert sum(isinstance(one, Lost) for one in ear.heard) == 1


def flipped(frame: bytes, at: int) -> bytes:
    """Change one bit of a byte."""
    return frame[:at] + bytes([frame[at] ^ 1]) + frame[at + 1 :]


def test_neither_a_messenger_nor_its_parts_show_the_key(valkey: EmbeddedValkey) -> None:
    key = b"k" * 32
    messenger = RedisMessenger(valkey.url, owner="near", key=key)
    password = urlsplit(valkey.url).password or ""
    for shown in (repr(messenger), *map(repr, vars(messenger).values())):
        assert "kkk" not in shown
        assert password not in shown
