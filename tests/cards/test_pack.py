"""The numbers of the cards (fairdeal/1 section 2)."""

import pytest

from server.cards.card import Card, copy_of, parse_card
from server.cards.pack import Pack


@pytest.mark.parametrize(
    ("number", "card"),
    [
        (0, "AS"),
        (12, "KS"),
        (13, "AH"),
        (26, "AD"),
        (39, "AC"),
        (51, "KC"),
        (52, "AS#1"),
        (103, "KC#1"),
        (104, "JK"),
        (105, "JK#1"),
    ],
)
def test_cards_are_numbered_by_pack_suit_and_rank(number: int, card: str) -> None:
    pack = Pack(2, 2)
    assert pack.card_of(number) == card
    assert pack.number_of(Card(card)) == number


@pytest.mark.parametrize(("packs", "jokers", "size"), [(1, 0, 52), (2, 2, 106), (3, 3, 159)])
def test_a_pack_holds_each_card_once(packs: int, jokers: int, size: int) -> None:
    pack = Pack(packs, jokers)
    assert pack.size == len(pack.cards) == len(set(pack.cards)) == size
    assert [parse_card(card) for card in pack.cards] == list(pack.cards)
    assert max(copy_of(card) for card in pack.cards) == packs - 1


def test_what_is_not_in_the_pack_is_an_error() -> None:
    for number in (-1, 106):
        with pytest.raises(IndexError):
            Pack(2, 2).card_of(number)
    for card in ("AS#2", "JK#2"):
        with pytest.raises(KeyError):
            Pack(2, 2).number_of(Card(card))
