"""The points of a hand, the score and the end of a match."""

from dataclasses import replace

import pytest

from server.cards.game import Carry, Seat
from server.games.batak import GAME
from server.games.batak.options import Options
from server.games.batak.scoring import Standing, memo_of, standing_of
from tests.games.batak.table import Table
from tests.games.tricks import humans


def finished(memo: str) -> Table:
    """Play a deal that seat 0 wins with all tricks: 5 bid, 13 taken."""
    table = Table(memo=memo).bid(5, "S")
    while not table.state.ended:
        table.time_out(table.state.acting)
    return table


def test_5_1_and_5_2_the_bidder_has_58_and_the_others_lose_ten() -> None:
    table = finished("")
    assert table.points == (58, -10, -10, -10)
    counted = table.event("counted")
    assert counted.owed == (5, 1, 1, 1)
    assert counted.tricks == (13, 0, 0, 0)
    scored = table.event("scored")
    assert scored.winner is None
    assert scored.carry == Carry(dealer=Seat(0), memo="deals=1 totals=58,-10,-10,-10")


def test_5_2_the_forced_dealer_owes_four() -> None:
    table = Table().say("0 pass", "1 pass", "2 pass", "3 pass", "3 trump C")
    while not table.state.ended:
        table.time_out(table.state.acting)
    assert table.points == (-10, -10, -10, 49)


def test_5_3_the_highest_total_wins_the_match() -> None:
    table = finished("deals=7 totals=0,69,-10,12")
    assert table.event("counted").totals == (58, 59, -20, 2)
    scored = table.event("scored")
    assert scored.winners == (1,)
    assert scored.match_over
    assert scored.winner == 1
    assert scored.carry == Carry()


def test_5_3_equal_highest_totals_share_it() -> None:
    table = finished("deals=7 totals=0,68,-10,12")
    assert table.event("scored").champions == (0, 1)
    assert table.event("scored").winner is None


def test_2_1_the_first_dealer_comes_from_the_toss() -> None:
    state = GAME.start(Options(), humans(), Carry())
    assert GAME.draws(state) == (4,)
    assert GAME.draws(replace(state, dealer=Seat(1))) == ()


@pytest.mark.parametrize(
    "standing", [Standing(1, (58, -10, 0, 10)), Standing(7, (-910, 0, 1, 999))]
)
def test_a_match_is_carried_as_text(standing: Standing) -> None:
    assert standing_of(memo_of(standing)) == standing
    assert memo_of(standing).isascii()


def test_a_fresh_match_carries_nothing() -> None:
    assert memo_of(Standing()) == ""
    assert standing_of("") == Standing()


@pytest.mark.parametrize(
    "memo",
    [
        " ",
        "deals=0 totals=0,0,0,0",
        "deals=8 totals=0,0,0,0",
        "deals=1 totals=0,0,0",
        "deals=1 totals=0,0,0,0,0",
        "deals=1 totals=0,0,0,-0",
        "deals=1 totals=0,0,0,01",
        "deals=1 totals=0,0,0,٣",
        "deals=1 totals=0,0,0,10000",
        "deals=1  totals=0,0,0,0",
        "deals=1 totals=0,0,0,0\n",
        "Deals=1 totals=0,0,0,0",
    ],
)
def test_any_other_memo_is_refused(memo: str) -> None:
    with pytest.raises(ValueError, match="not a memo of batak"):
        standing_of(memo)
