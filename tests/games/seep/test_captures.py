"""The enumeration of choices, against a plain reading of the rules and by hand."""

from random import Random

import pytest

from server.cards.card import Card
from server.cards.game import Seat
from server.games.seep.captures import HOUSE_VALUES, Floor, House, complete_sets, value_of
from server.games.seep.options import PACK
from tests.games.seep import oracle
from tests.games.seep.table import cards, house

FLOORS = 2_400


def _floors(seed: str, count: int, most: int) -> list[tuple[Card, ...]]:
    """Make floors of up to `most` loose cards; most of them are low, where sets overlap."""
    chance = Random(seed)
    low = [card for card in PACK.cards if value_of(card) <= 6]
    made = []
    for _ in range(count):
        stock = low if chance.random() < 0.6 else list(PACK.cards)
        made.append(tuple(chance.sample(stock, chance.randint(0, most))))
    return made


@pytest.mark.parametrize("batch", range(8))
def test_4_3_a_card_takes_exactly_what_the_plain_reading_allows(batch: int) -> None:
    for loose in _floors(f"takes {batch}", FLOORS // 8, 9):
        for value in range(1, 14):
            found = complete_sets(loose, value)
            assert len(set(map(frozenset, found))) == len(found)
            assert set(map(frozenset, found)) == oracle.takes(loose, value), (loose, value)


@pytest.mark.parametrize("batch", range(8))
def test_5_5_exactly_those_join_that_the_plain_reading_allows(batch: int) -> None:
    chance = Random(f"cards {batch}")
    for loose in _floors(f"joins {batch}", FLOORS // 8, 8):
        card = chance.choice([card for card in PACK.cards if card not in loose])
        for value in HOUSE_VALUES:
            wanted = oracle.joins(loose, card, value)
            added = Floor(loose, (House(value, (), (Seat(1),)),)).joins(card, value)
            assert set(map(frozenset, added)) == wanted, (loose, card, value)
            new = Floor(loose).joins(card, value)
            assert set(map(frozenset, new)) == wanted - {frozenset()}, (loose, card, value)


def test_4_3_a_floor_that_can_be_reached_at_worst_is_enumerated_whole() -> None:
    """Thrown from the king down, one card of each value lies loose beside three more aces."""
    loose = cards("AS AH AD KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C AC")
    for value in range(1, 14):
        found = complete_sets(loose, value)
        assert 1 <= len(found) <= 500
        for choice in found[:20]:
            rest = [card for card in loose if card not in choice]
            assert complete_sets(rest, value) == ((),)
            assert oracle.worth(choice) % value == 0


def test_4_3_choices_come_with_most_cards_first_then_as_they_lie() -> None:
    assert complete_sets(cards("2H 3D 5C 6S"), 11) == (cards("2H 3D 6S"), cards("5C 6S"))
    assert complete_sets(cards("5S 5H 4D 4C"), 9) == (cards("5S 5H 4D 4C"),)
    assert complete_sets(cards("5S 5H 4D"), 9) == (cards("5S 4D"), cards("5H 4D"))


def test_4_3_a_smaller_choice_will_do_if_it_leaves_no_set() -> None:
    found = complete_sets(cards("4S 4H AD 5C 5D 8H"), 9)
    assert found == (cards("4S 4H AD 5C 5D 8H"), cards("4S 4H AD"))


def test_4_2_nothing_that_adds_up_is_one_empty_choice() -> None:
    assert complete_sets((), 9) == ((),)
    assert complete_sets(cards("KS QH"), 9) == ((),)
    assert Floor(cards("KS QH")).takes(9) == ()


def test_5_2_a_played_card_needs_a_set_of_its_own() -> None:
    assert complete_sets(cards("9H 5D"), 9, lack=3) == ()
    assert complete_sets(cards("9H 5D 3D"), 9, lack=3) == (cards("9H 3D"),)


def test_4_2_a_house_goes_with_every_choice() -> None:
    floor = Floor(cards("2H 3D 5C 6S"), (house(11, "7H 4H", 1), house(12, "QH QD", 2)))
    assert floor.takes(11) == (cards("7H 4H 2H 3D 6S"), cards("7H 4H 5C 6S"))
    left = Floor(cards("2H 3D"), (house(12, "QH QD", 2),))
    assert floor.without(cards("7H 4H 5C 6S")) == left


def test_5_2_a_card_of_the_value_alone_is_no_new_house_but_may_be_added() -> None:
    assert Floor(cards("KD")).joins(Card("9S"), 9) == ()
    assert Floor(cards("KD"), (house(9, "5H 4C", 1),)).joins(Card("9S"), 9) == ((),)
    assert Floor(cards("KD")).joins(Card("TS"), 9) == ()


@pytest.mark.parametrize("card", PACK.cards)
def test_1_3_a_card_takes_its_number(card: Card) -> None:
    assert value_of(card) == "A23456789TJQK".index(card[0]) + 1
