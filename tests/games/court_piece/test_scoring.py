"""The result of a hand, the score and the end of a match."""

import pytest

from server.cards.game import Carry, Seat, SeatInfo, SeatKind
from server.games.court_piece.options import Options
from server.games.court_piece.scoring import (
    Result,
    Standing,
    find_result,
    memo_of,
    next_dealer,
    standing_of,
    target_of,
    team_of,
)
from tests.games.court_piece.table import Table, memo
from tests.games.tricks import humans

COURT = Result(0, 0, "court")
GOON = Result(0, 1, "goon")
PLAIN = Result(0, 0, "none")
OTHERS = Result(0, 1, "none")


def test_5_1_the_callers_court_counts_three_for_both_partners() -> None:
    table = Table(memo=memo((4, 2))).finish("S")
    counted = table.event("counted")
    assert (counted.team, counted.callers, counted.court) == (0, 0, "court")
    assert (counted.tricks, counted.gained, counted.bonus, counted.score) == ((7, 0), 3, 0, (7, 2))
    assert table.points == (3, 0, 3, 0)
    scored = table.event("scored")
    assert scored.winner == 0
    assert scored.winners == ()
    assert scored.carry == Carry(dealer=Seat(1), memo=memo((7, 2), hands=2))


def test_5_1_a_goon_court_is_the_others_and_the_dealers_right_deals_next() -> None:
    """Report 37: every first seven was called goon court, whoever had called trump."""
    table = Table(memo=memo((4, 2))).finish("H")
    assert table.event("counted").court == "goon"
    assert table.points == (0, 4, 0, 4)
    assert table.event("scored").carry == Carry(dealer=Seat(0), memo=memo((4, 6), hands=2))


@pytest.mark.parametrize(
    ("counting", "result", "gained"),
    [
        ("points", PLAIN, 1),
        ("points", OTHERS, 2),
        ("points", COURT, 3),
        ("points", GOON, 4),
        ("courts", PLAIN, 0),
        ("courts", OTHERS, 0),
        ("courts", COURT, 1),
        ("courts", GOON, 3),
    ],
)
def test_5_2_what_a_hand_brings(counting: str, result: Result, gained: int) -> None:
    assert Standing(50).after(result, counting).score == (gained, 0)


def test_5_3_a_run_of_seven_brings_a_bonus_in_either_counting() -> None:
    six = Standing(50, 6, (0, 0), run_team=0, run=6)
    assert six.after(PLAIN, "points") == Standing(50, 7, (3, 0))
    assert six.after(PLAIN, "courts") == Standing(50, 7, (1, 0))


def test_5_3_another_teams_win_begins_another_run() -> None:
    six = Standing(50, 6, (0, 0), run_team=0, run=6)
    assert six.after(Result(1, 0, "none"), "points") == Standing(50, 7, (0, 2), run_team=1, run=1)


def test_5_4_a_court_sets_the_run_to_nothing_and_pays_no_bonus() -> None:
    six = Standing(50, 6, (0, 0), run_team=0, run=6)
    assert six.after(COURT, "points") == Standing(50, 7, (3, 0))
    assert six.after(Result(1, 0, "goon"), "points") == Standing(50, 7, (0, 4))


def test_5_5_the_target_ends_the_match_and_a_fresh_one_is_carried() -> None:
    table = Table(memo=memo((7, 9))).finish("S")
    scored = table.event("scored")
    assert scored.match_over
    assert scored.champions == (0, 2)
    assert scored.carry == Carry()
    assert table.event("counted").score == (10, 9)


def test_5_5_three_courts_are_a_match_in_courts() -> None:
    options = Options(counting="courts")
    assert options.target == 3
    table = Table(memo=memo((0, 0), target=3), options=options).finish("H")
    assert table.points == (0, 3, 0, 3)
    assert table.event("scored").champions == (1, 3)


def test_5_6_the_winners_always_choose_next() -> None:
    for dealer in range(4):
        callers = 1 - team_of(Seat(dealer))
        for team in (0, 1):
            for made in ("none", "court" if team == callers else "goon"):
                result = Result(team, callers, made)
                chooser = Seat((next_dealer(Seat(dealer), result) + 1) % 4)
                assert team_of(chooser) == team


def test_5_7_one_person_beyond_the_first_three_makes_it_long() -> None:
    new, old = humans(2), humans(3)
    assert target_of(Options(), (*new[:3], old[3])) == 10
    bot = SeatInfo(Seat(3), SeatKind.BOT)
    assert target_of(Options(), (*new[:3], bot)) == 3
    bots = tuple(SeatInfo(Seat(seat), SeatKind.BOT) for seat in range(4))
    assert target_of(Options(), bots) == 10


def test_5_7_only_points_and_only_if_the_table_has_it_so() -> None:
    assert target_of(Options(counting="courts"), humans(0)) == 3
    assert target_of(Options(counting="courts", target=5), humans(0)) == 5
    assert target_of(Options(short_first_matches=False), humans(0)) == 10
    assert target_of(Options(target=2), humans(0)) == 2


def test_5_7_the_target_is_fixed_when_the_match_begins() -> None:
    first = Table(seats=humans(0)).finish("S")
    assert first.event("scored").match_over
    later = Table(seats=humans(0), memo=memo((3, 0))).finish("S")
    assert not later.event("scored").match_over


def test_4_4_seven_tricks_win_at_whatever_moment() -> None:
    assert find_result(0, [0, 1] * 6) is None
    assert find_result(0, [0, 1] * 6 + [1]) == Result(1, 0, "none")


@pytest.mark.parametrize(
    "standing", [Standing(10, 1, (9, 4)), Standing(3, 12, (0, 2), run_team=1, run=6)]
)
def test_a_match_is_carried_as_text(standing: Standing) -> None:
    assert standing_of(memo_of(standing)) == standing
    assert memo_of(standing).isascii()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hands=0 score=0,0 run=0:0 target=10",
        "hands=1 score=0,0 run=1:0 target=10",
        "hands=1 score=0,0 run=0:7 target=10",
        "hands=1 score=0,0 run=2:1 target=10",
        "hands=1 score=10,0 run=0:0 target=10",
        "hands=1 score=00,0 run=0:0 target=10",
        "hands=1 score=-1,0 run=0:0 target=10",
        "hands=1 score=0,0 run=0:0 target=0",
        "hands=1 score=0,0 run=0:0",
        "hands=1 score=0,0 run=0:0 target=10 ",
        "hands=1 score=0,٣ run=0:0 target=10",
    ],
)
def test_any_other_memo_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a memo of court piece"):
        standing_of(text)
