"""A crowded floor must not stall a table: work is counted in calls, never by a clock."""

import sys
from types import FrameType

import pytest

from server.cards.game import Seat
from server.games.seep.captures import Floor, complete_values
from server.games.seep.moves import Build, Play, Take
from server.games.seep.turns import Position, plays, resolved
from tests.games.seep.table import cards, house

CROWDED = Floor(cards("6S 6H 6D 6C KS QS JS TS 9S 8S 7S 5S 4S 3S 2S AS"))
"""Four sixes were dealt to the floor, and all else was thrown from the king down."""


def position(hand: str, floor: Floor = CROWDED) -> Position:
    return Position(Seat(0), cards(hand), floor)


def calls(asked: Position, play: Play | None = None) -> int:
    """Count the calls that listing the plays takes, or checking one, on a floor never seen."""
    complete_values.cache_clear()
    return calls_again(asked, play)


def calls_again(asked: Position, play: Play | None = None) -> int:
    """Count them on a floor that was asked about before."""
    count = 0

    def called(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(called)
    try:
        _ = list(plays(asked)) if play is None else resolved(asked, play)
    finally:
        sys.setprofile(None)
    return count


def test_cards_of_one_value_are_as_dear_as_one_card() -> None:
    one, three = calls(position("AH KH")), calls(position("AH AD AC KH"))
    assert three < 2 * one


def test_a_house_whose_card_is_not_held_costs_nothing() -> None:
    without, held = calls(position("AH 2H 3H 4H")), calls(position("AH 2H 3H 4H KH QH"))
    assert without < held / 3
    target = Floor(cards("7H 4C 4H 3H 2C 2D AC AD"), (house(9, "5H 4D", 1),))
    without, held = calls(position("4S", target)), calls(position("4S KS", target))
    assert without < held / 2


@pytest.mark.parametrize("kind", [Take, Build])
def test_a_listed_play_is_checked_with_little_more_work(kind: type[Play]) -> None:
    asked = position("AH 2H 3H 4H KH QH JH TH 9H 5H")
    whole = calls(asked)
    for play in [play for play in plays(asked) if isinstance(play, kind)][::40]:
        assert calls_again(asked, play) < whole / 20
