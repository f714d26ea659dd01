"""What both messengers promise of topics: the local one, and two of them on a real Valkey."""

import asyncio

import pytest

from server.messenger import Heard, Lost, Messenger, subscriptions
from tests.messenger.ears import Ear, listening, numbered, silent_gaps, until

Both = tuple[Messenger, Messenger]


async def test_a_subscriber_hears_lost_first_and_then_everything_in_order(both: Both) -> None:
    near, far = both
    ear = await listening(far, "table 1")
    bodies = numbered(200)
    for body in bodies:
        near.publish("table 1", body)
    await ear.until_heard(bodies[-1])
    first, *rest = ear.heard
    assert isinstance(first, Lost)
    assert rest == bodies


async def test_a_topic_is_heard_by_its_subscribers_alone(both: Both) -> None:
    near, far = both
    ears = [await listening(one, topic) for one in (near, far) for topic in ("one", "two")]
    near.publish("one", b"1")
    near.publish("two", b"2")
    for ear, body in zip(ears, (b"1", b"2", b"1", b"2"), strict=True):
        await ear.until_heard(body)
    assert [ear.heard[1:] for ear in ears] == [[b"1"], [b"2"], [b"1"], [b"2"]]


async def test_a_slow_subscriber_does_not_delay_another(both: Both) -> None:
    near, far = both
    slow, quick = await listening(far, "table 1"), await listening(far, "table 1")
    other = await listening(far, "table 2")
    slow.free.clear()
    bodies = numbered(100)
    for body in bodies:
        near.publish("table 1", body)
    near.publish("table 2", b"0")
    await quick.until_heard(bodies[-1])
    await other.until_heard(b"0")
    assert slow.heard[1:] == bodies[:1]
    slow.free.set()
    await slow.until_heard(bodies[-1])
    assert slow.heard[1:] == bodies


async def test_a_subscriber_that_is_too_slow_hears_lost_in_place_of_what_is_missing(
    both: Both,
) -> None:
    near, far = both
    slow, quick = await listening(far, "table"), await listening(far, "table")
    slow.free.clear()
    bodies = numbered(subscriptions.WAITING_MAX + 100)
    for body in bodies:
        near.publish("table", body)
    await quick.until_heard(bodies[-1])
    slow.free.set()
    near.publish("table", str(len(bodies)).encode())
    await slow.until_heard(str(len(bodies)).encode())
    assert slow.lost == 2
    assert silent_gaps(slow.heard[1:]) == []
    assert len(slow.heard) < len(bodies)


async def test_what_waits_for_a_slow_subscriber_is_bounded_in_bytes_too(
    both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriptions, "WAITING_MAX_BYTES", 10_000)
    near, far = both
    slow, quick = await listening(far, "table"), await listening(far, "table")
    slow.free.clear()
    for letter in b"abcd":
        near.publish("table", bytes([letter]) * 4_000)
    await quick.until_heard(b"d" * 4_000)
    slow.free.set()
    await slow.until_lost(2)


async def test_a_handler_that_fails_hears_lost_until_it_does_not(
    both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriptions, "AGAIN_S", 0.01)
    near, far = both
    heard: list[Heard] = []

    async def fails_thrice(one: Heard) -> None:
        heard.append(one)
        if len(heard) == 2:
            gone = asyncio.get_running_loop().create_future()
            gone.cancel()
            await gone  # what it waited for was cancelled, not the handler
        if len(heard) <= 3:
            raise OSError

    far.subscribe("table", fails_thrice)
    await until(lambda: len(heard) == 4)
    near.publish("table", b"news")
    await until(lambda: b"news" in heard)
    assert all(isinstance(one, Lost) for one in heard[:-1])


async def test_a_closed_subscription_hears_no_more_and_others_do(both: Both) -> None:
    near, far = both
    ear = Ear()
    subscription = far.subscribe("table", ear)
    await ear.until_lost(1)
    other = await listening(far, "table")
    subscription.close()
    subscription.close()
    near.publish("table", b"1")
    await other.until_heard(b"1")
    assert b"1" not in ear.heard
    again = await listening(far, "table")
    near.publish("table", b"2")
    await again.until_heard(b"2")
    assert b"2" not in ear.heard


async def test_a_handler_may_close_its_own_subscription(both: Both) -> None:
    near, far = both
    heard: list[Heard] = []

    async def once(one: Heard) -> None:
        heard.append(one)
        if isinstance(one, bytes):
            subscription.close()
            await asyncio.sleep(0)
            heard.append(b"went on")

    subscription = far.subscribe("table", once)
    await until(lambda: len(heard) == 1)
    other = await listening(far, "table")
    near.publish("table", b"1")
    near.publish("table", b"2")
    await other.until_heard(b"2")
    assert heard[1:] == [b"1", b"went on"]
