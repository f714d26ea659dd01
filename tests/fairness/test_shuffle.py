"""The shuffle is fair, and none of the mistakes of section 8 is in it."""

from collections import Counter

import pytest

from server.fairness import shuffle
from server.fairness.encoding import enc, mac
from server.fairness.shuffle import Stream, shuffled, toss

HANDS = 2_000
CARDS = 52


def key_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_8_cards_may_stay_in_place_once_in_a_pack_on_average() -> None:
    """Sattolo's algorithm would give 0; Fisher-Yates gives 1, here within five deviations."""
    fixed = sum(
        place == card
        for number in range(HANDS)
        for place, card in enumerate(shuffled(range(CARDS), key_of(number)))
    )
    assert abs(fixed / HANDS - 1) < 5 / HANDS**0.5


def test_8_every_order_of_four_cards_is_as_likely() -> None:
    """Report 29: sorting by chance, or swapping with any place, makes some orders likelier.

    deck-of-cards/deck-of-cards 9, johreh/gloomycompanion 39, keeshii/ryuu-play PR 3.
    """
    rounds = 4_800
    counts = Counter(tuple(shuffled(range(4), key_of(number))) for number in range(rounds))
    expected = rounds / 24
    assert len(counts) == 24
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_square < 56  # 23 degrees of freedom: exceeded once in 10 000 keys


def test_a_shuffle_keeps_every_card() -> None:
    assert sorted(shuffled(range(159), key_of(1))) == list(range(159))
    assert shuffled([7], key_of(1)) == [7]
    assert shuffled([], key_of(1)) == []


def words_of(key: bytes, count: int) -> list[int]:
    blocks = b"".join(mac(key, "stream", k.to_bytes(4, "big")) for k in range(count // 16 + 1))
    return [int.from_bytes(blocks[2 * i : 2 * i + 2], "big") for i in range(count)]


def test_8_words_at_and_above_the_limit_are_rejected() -> None:
    """A modulus of 40 000 rejects four words in ten; the rest come out as they are."""
    stream, limit = Stream(key_of(3)), 40_000
    wanted = [word for word in words_of(key_of(3), 200) if word < limit]
    assert [stream.below(40_000) for _ in wanted[:100]] == wanted[:100]
    assert stream.rejected > 30


def test_8_the_bias_of_a_plain_remainder_is_gone() -> None:
    """65536 mod 159 = 28: without the rejection the first 28 numbers come too often."""
    edge = 65_536 - 65_536 % 159
    assert edge == 65_508
    stream = Stream(key_of(4))
    for _ in range(20_000):
        stream.below(159)
    assert stream.rejected > 0


def test_the_limits_of_a_modulus() -> None:
    stream = Stream(key_of(5))
    assert stream.below(1) == 0
    assert stream.below(65_536) == words_of(key_of(5), 2)[1]
    for modulus in (0, -1, 65_537):
        with pytest.raises(ValueError, match="modulus"):
            stream.below(modulus)


def test_tosses_follow_each_other_on_one_stream() -> None:
    assert toss(key_of(6), (5, 5, 5)) == (*toss(key_of(6), (5, 5)), toss(key_of(6), (5,) * 3)[2])
    assert len({toss(key_of(number), (2,) * 12) for number in range(50)}) > 40


def test_8_fields_are_not_joined_without_their_lengths() -> None:
    assert enc("x", b"ab", b"c") != enc("x", b"a", b"bc")
    assert enc("x", b"") != enc("x")
    assert enc("xy") != enc("x", b"y")


def test_8_a_key_that_is_not_32_bytes_is_refused() -> None:
    for key in (b"", bytes(31), bytes(33), bytes(64)):
        with pytest.raises(ValueError, match="32 bytes"):
            mac(key, "prk")


def test_two_epochs_two_hands_and_two_entropies_share_no_key() -> None:
    keys = {
        shuffle.prk_of(bytes(32), hand=key_of(hand), epoch=epoch, entropy=key_of(entropy))
        for hand in range(3)
        for epoch in range(9)
        for entropy in range(3)
    }
    assert len(keys) == 3 * 9 * 3
