"""What all games share."""

import pytest

from server.cards.game import Carry, IllegalMove, InvalidOption, Seat, dealer_of
from server.cards.options import options_text
from server.games.rummy.options import Options

LISTED = tuple(Seat(seat) for seat in (1, 3, 4))


@pytest.mark.parametrize(("named", "dealer"), [(1, 1), (2, 3), (3, 3), (4, 4), (5, 1), (0, 1)])
def test_the_dealer_is_the_named_seat_or_the_next_listed_one(named: int, dealer: int) -> None:
    assert dealer_of(Carry(dealer=Seat(named)), LISTED) == dealer


def test_without_a_named_dealer_the_toss_decides() -> None:
    assert dealer_of(Carry(), LISTED) is None


def test_options_are_sorted_lines() -> None:
    lines = options_text(Options(practice=True)).splitlines(keepends=True)
    assert lines == sorted(lines)
    assert all(line.endswith("\n") for line in lines)
    assert "practice=true\n" in lines
    assert "seats=6\n" in lines


def test_refusals_carry_their_code_and_field() -> None:
    refusal = IllegalMove("not_held", "no such card", "card")
    assert (refusal.code, refusal.text, refusal.field) == ("not_held", "no such card", "card")
    option = InvalidOption("seats", "must be 4, 6 or 8")
    assert (option.field, option.text) == ("seats", "must be 4, 6 or 8")
    assert isinstance(option, ValueError)
