"""Bugs of others' trick-takers and of their Seep, by the number in the project's list of reports.

Those that a test of a rule reaches already are named there, in its docstring.
"""

import itertools

import pytest

from server.cards.card import Card
from server.cards.game import IllegalMove
from server.games.seep.moves import Build
from tests.games.batak.table import Table as BatakTable
from tests.games.seep.table import Table as SeepTable
from tests.games.seep.table import cards

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
DIAMONDS = "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD"
CLUBS = "AD 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
SPADES = "AS KS QS JS TS 8S 7S 6S 5S 4S 2S 2C AC"


@pytest.mark.parametrize(("first", "second"), [("9S", "3S"), ("3S", "9S")])
def test_report_32_of_two_trumps_in_a_trick_the_higher_is_to_be_beaten(
    first: str, second: str
) -> None:
    """thomas-koller/jass-kit-py 10: the later trump counted as the highest, so 5S was offered."""
    table = BatakTable([HEARTS, f"{first} {DIAMONDS}", f"{second} {CLUBS}", SPADES]).bid(trump="S")
    table.play(0, f"2H {first} {second}")
    assert [str(one.card) for one in table.state.trick] == ["2H", first, second]
    for low in ("2S", "4S", "5S", "8S"):
        with pytest.raises(IllegalMove, match="must_overtrump"):
            table.play(3, low)
    table.play(3, "TS")
    assert table.event("trick_taken").seat == 3


def test_report_35_any_of_equal_combinations_may_build_the_bid() -> None:
    """neilcheema/seep-angular-phase1, FIX-opening-build: the first one found was forced."""
    floor = "4D 4H KC 2S"
    for chosen in ("4D", "4H"):
        table = SeepTable({0: "5C 9D 3H 8H"}, floor).bid(0, 9)
        assert {Build(9, Card("5C"), cards(one)) for one in ("4D", "4H")} <= set(table.legal())
        table.build(0, 9, "5C", chosen)
        assert set(table.house(9).cards) == set(cards(f"5C {chosen}"))


def test_report_35_three_court_cards_are_no_house_of_nine_whatever_their_order() -> None:
    """neilcheema/seep-angular-phase1, FIX-houses-need-whole-sets: 11 + 12 + 13 is four nines."""
    for one, *others in itertools.permutations(("JC", "QH", "KC")):
        table = SeepTable.midway({0: f"{one} 9H"}, " ".join(others))
        assert not [move for move in table.legal() if isinstance(move, Build)]
