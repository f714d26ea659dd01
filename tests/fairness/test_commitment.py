"""Commitments bind what they must, and refuse what has the wrong form."""

import pickle

import pytest

from server.fairness import commitment, entries, transcript
from server.fairness.commitment import ListedSeat
from server.fairness.merkle import card_leaf, root_from_path
from server.fairness.shoe import Shoe, deal

HAND = bytes(range(32))


def shoe_of(numbers: list[int], epoch: int = 0) -> Shoe:
    seed = bytes([7]) * 32
    return deal(seed, hand=HAND, listing=bytes(32), entropy=bytes(32), epoch=epoch, numbers=numbers)


def test_every_opening_of_a_shoe_leads_to_its_root() -> None:
    for numbers in ([5], [9, 4, 7], list(range(52)), list(range(159))):
        shoe = shoe_of(numbers)
        assert sorted(shoe.order) == sorted(numbers)
        for position, number in enumerate(shoe.order):
            o = shoe.opening(position)
            assert (o.epoch, o.position, o.number) == (0, position, number)
            leaf = card_leaf(hand=HAND, epoch=0, position=position, number=o.number, salt=o.salt)
            assert root_from_path(leaf, position, len(numbers), o.path) == shoe.root


def test_8_the_published_hash_is_not_the_source_of_the_order() -> None:
    """Who knows C_S and everything else that is public before the close can't derive the cards."""
    seed = bytes([7]) * 32
    public = commitment.server_commit(HAND, seed)
    orders = {
        deal(source, hand=HAND, listing=HAND, entropy=HAND, epoch=0, numbers=range(52)).order
        for source in (seed, public, commitment.server_commit(HAND, public))
    }
    assert len(orders) == 3


def test_8_no_seat_alone_fixes_the_order() -> None:
    """Each seat's entropy changes it, and so does the server's seed."""
    roots = set()
    for seed in (bytes(32), HAND):
        for shown in (bytes(32), HAND):
            entropy = commitment.entropy(HAND, [(0, bytes(32)), (1, shown)])
            shoe = deal(seed, hand=HAND, listing=HAND, entropy=entropy, epoch=0, numbers=range(52))
            roots.add(shoe.root)
    assert len(roots) == 4


def test_a_shoe_shows_no_card_by_its_repr_and_is_not_pickled() -> None:
    shoe = shoe_of(list(range(52)))
    assert repr(shoe) == f"<Shoe epoch 0, 52 cards, root {shoe.root.hex()[:16]}>"
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(shoe)


def test_a_chain_is_checked_down_to_its_commitment() -> None:
    chain = commitment.chain(bytes(32), hand=HAND, seat=3)
    assert len(chain) == commitment.EPOCHS_MAX + 1
    assert chain[8] == bytes(32)
    for epoch in range(1, 9):
        assert commitment.link(chain[epoch], hand=HAND, seat=3, epoch=epoch) == chain[epoch - 1]
        assert commitment.link(chain[epoch], hand=HAND, seat=4, epoch=epoch) != chain[epoch - 1]


def test_an_absent_seat_is_not_a_seat_that_revealed_zeros() -> None:
    absent = commitment.entropy(HAND, [(0, None)])
    assert absent != commitment.entropy(HAND, [(0, bytes(32))])
    assert absent != commitment.entropy(HAND, [])


@pytest.mark.parametrize("attempt", [-1, 4])
def test_a_fifth_attempt_is_refused(attempt: int) -> None:
    with pytest.raises(ValueError, match="attempt"):
        commitment.hand_hash(
            server_pub=HAND, table=bytes(16), hand_no=1, attempt=attempt, spec=HAND
        )


def test_options_are_sorted_lines_and_booleans_are_words() -> None:
    options: dict[str, int | bool | str] = {"b": True, "a": 10, "B": False, "name": "x"}
    assert commitment.options_text(options) == "B=false\na=10\nb=true\nname=x\n"


@pytest.mark.parametrize("options", [{"a": "1\nb=2"}, {"a=b": 1}, {"a\n": 1}])
def test_options_that_could_be_read_as_others_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="one line"):
        commitment.options_text(options)


def seat(number: int, player: bytes = bytes(16)) -> ListedSeat:
    return ListedSeat(number, 1, player, bytes(32), 0)


@pytest.mark.parametrize("seats", [[seat(1), seat(0)], [seat(1), seat(1)], [seat(0, bytes(15))]])
def test_a_list_ascends_and_pseudonyms_are_16_bytes(seats: list[ListedSeat]) -> None:
    with pytest.raises(ValueError, match="ascend"):
        commitment.seats_hash(hand=HAND, server_commit=HAND, seats=seats)


def test_an_open_has_four_commitments() -> None:
    with pytest.raises(ValueError, match="4"):
        entries.log_open(table=bytes(16), hand_no=1, spec=HAND, commits=[HAND] * 3)


def test_the_transcript_tells_a_line_from_a_reshuffle_and_one_order_from_another() -> None:
    first = transcript.begin(HAND, HAND)
    values = {
        first,
        transcript.extend(first, 1, "a"),
        transcript.extend(first, 2, "a"),
        transcript.extend(transcript.extend(first, 1, "a"), 2, "b"),
        transcript.extend(transcript.extend(first, 1, "b"), 2, "a"),
        transcript.reshuffled(first, 1, HAND),
    }
    assert len(values) == 6
    with pytest.raises(UnicodeEncodeError):
        transcript.extend(first, 1, "पक्का")


def test_a_typed_phrase_is_hashed_with_fresh_bytes() -> None:
    one = commitment.phrase_seed("पक्का", bytes(32))
    assert one != commitment.phrase_seed("पक्का", HAND)
    with pytest.raises(ValueError, match="32 bytes"):
        commitment.phrase_seed("पक्का", b"")
