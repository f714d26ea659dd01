"""The sealing of what crosses Redis, without a Redis."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.fairness.seal import Sealer
from server.messenger import KEY_PURPOSE, envelope
from server.messenger.envelope import HEAD_BYTES, NONCE_BYTES, TAG_BYTES, Envelope, Unreadable

KEY = bytes(range(32))


@given(st.binary(max_size=200), st.text(max_size=20), st.text(max_size=20))
def test_what_one_process_seals_another_opens(body: bytes, kind: str, name: str) -> None:
    frame = Envelope(KEY).seal(body, kind, name)
    assert len(frame) == len(body) + HEAD_BYTES + TAG_BYTES
    assert Envelope(KEY).open(frame, kind, name) == body


def test_no_bit_of_a_message_can_be_changed() -> None:
    here, there = Envelope(KEY), Envelope(KEY)
    frame = here.seal(b"body", "topic", "one")
    for bit in range(8 * len(frame)):
        changed = bytearray(frame)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(Unreadable):
            there.open(bytes(changed), "topic", "one")
    for length in range(len(frame)):
        with pytest.raises(Unreadable):
            there.open(frame[:length], "topic", "one")
    assert there.open(frame, "topic", "one") == b"body"


@pytest.mark.parametrize(
    ("kind", "name"), [("topic", "two"), ("inbox", "one"), ("topico", "ne"), ("", "topicone")]
)
def test_a_message_opens_at_its_place_alone(kind: str, name: str) -> None:
    here = Envelope(KEY)
    with pytest.raises(Unreadable):
        here.open(here.seal(b"body", "topic", "one"), kind, name)
    assert here.channel_of(kind, name) != here.channel_of("topic", "one")


def test_a_message_opens_with_the_houses_key_alone() -> None:
    frame = Envelope(KEY).seal(b"body", "topic", "one")
    with pytest.raises(Unreadable):
        Envelope(bytes(32)).open(frame, "topic", "one")
    assert Envelope(KEY).channel_of("a", "b") != Envelope(bytes(32)).channel_of("a", "b")


def test_no_nonce_comes_twice_under_one_key_and_no_start_has_anothers_key() -> None:
    one, other = Envelope(KEY), Envelope(KEY)
    heads = [
        sealer.seal(b"", "topic", "one")[:HEAD_BYTES] for sealer in (one, other) for _ in "123"
    ]
    assert len(set(heads)) == 6
    assert len({head[:-NONCE_BYTES] for head in heads}) == 2


def test_keys_of_other_processes_are_kept_in_bounds_and_strangers_push_none_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(envelope, "SENDERS_MAX", 2)
    here = Envelope(KEY)
    senders = [Envelope(KEY) for _ in range(4)]
    for sender in senders * 2:
        assert here.open(sender.seal(b"x", "topic", "one"), "topic", "one") == b"x"
    assert len(here._others) == 2
    kept = set(here._others)
    with pytest.raises(Unreadable):
        here.open(Envelope(bytes(32)).seal(b"x", "topic", "one"), "topic", "one")
    assert set(here._others) == kept


def test_the_key_is_the_sealing_keys_but_not_the_same() -> None:
    derived = Sealer(KEY).derive(KEY_PURPOSE)
    assert len(derived) == 32
    assert derived == Sealer(KEY, [bytes(32)]).derive(KEY_PURPOSE)
    assert derived not in {
        KEY,
        Sealer(KEY).derive("another"),
        Sealer(bytes(32)).derive(KEY_PURPOSE),
    }


def test_a_key_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Envelope(b"short")
