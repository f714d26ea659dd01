"""Who wins a trick, and what may follow."""

import itertools

import pytest

from server.cards.card import Card
from server.cards.game import Seat
from server.cards.pack import Pack
from server.cards.tricks import (
    best_of,
    following,
    higher,
    in_suit,
    longest_suit,
    lowest,
    seat_after,
    seats_from,
    strength,
)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(card) for card in text.split())


@pytest.mark.parametrize(
    ("trick", "place"),
    [
        ("TH KH 2S AH", 2),
        ("TH AD KH 3H", 2),
        ("2S 9S AH JS", 3),
        ("TH 3S AH 2S", 1),
        ("TH", 0),
        ("2H AD AC KD", 0),
    ],
)
def test_the_highest_trump_wins_else_the_highest_of_the_suit_led(trick: str, place: int) -> None:
    """Report 31: trump was ignored, or a card of another suit won.

    OWASP/cornucopia 1350, Oliboy50/coinche 33, rbtying/shengji 259.
    """
    assert best_of(cards(trick), "S") == place


def test_of_several_trumps_the_highest_wins_in_whatever_order() -> None:
    for order in itertools.permutations(cards("2S 9S JS")):
        trick = (Card("AH"), *order)
        assert trick[best_of(trick, "S")] == "JS"


def test_the_ace_is_high() -> None:
    spades = in_suit(Pack(1, 0).cards, "S")
    assert sorted(spades, key=strength) == list(cards("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"))
    assert higher(spades, Card("QS")) == cards("AS KS")


def test_who_has_the_suit_follows_and_who_has_not_plays_anything() -> None:
    holding = cards("9H 2H AS 5D")
    assert following(holding, cards("TH")) == cards("9H 2H")
    assert following(holding, cards("TC AH")) == holding
    assert following(holding, ()) == holding


def test_the_lowest_card_is_no_trump_if_there_is_another() -> None:
    assert lowest(cards("2S AH 3D 3C"), "S") == "3D"
    assert lowest(cards("KS 4S"), "S") == "4S"


def test_of_equally_long_suits_the_first_is_chosen() -> None:
    assert longest_suit(cards("2D 3D 9H TH AS")) == "H"
    assert longest_suit(cards("2C")) == "C"


def test_the_seats_go_round() -> None:
    assert seat_after(Seat(3)) == 0
    assert seats_from(Seat(2)) == (2, 3, 0, 1)
