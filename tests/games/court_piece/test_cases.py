"""The worked cases of `cases.json`, each by its number."""

import json
from pathlib import Path
from typing import Any

import pytest

from server.cards.card import Card
from server.cards.game import Given, IllegalMove, Seat
from server.cards.tricks import PlayedCard, best_of, following
from server.games.court_piece.batches import chooser_of
from server.games.court_piece.options import Options
from server.games.court_piece.scoring import (
    Result,
    Standing,
    find_result,
    gain_of,
    next_dealer,
    target_of,
    team_of,
)
from tests.games.court_piece.table import SUITS_EACH, Table, memo
from tests.games.tricks import humans

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())["cases"]
DECIDED = {"Q-CP-01", "Q-CP-07"}
"""What cases depend on; the options' defaults are these decisions."""


def _cases(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["type"] == kind]


def _case(number: str) -> dict[str, Any]:
    (case,) = (case for case in CASES if case["id"] == number)
    return dict(case)


def test_every_case_is_run() -> None:
    parametrized = {"legal", "trick", "hand", "next_dealer"}
    single = {"C-19", "C-20", "C-22", "C-24", "C-25", "C-28", "C-29", "C-31", "C-32"}
    assert {case["id"] for case in CASES if case["type"] not in parametrized} == single
    assert {case["depends"] for case in CASES if "depends" in case} == DECIDED


@pytest.mark.parametrize("case", _cases("legal"))
def test_4_2_what_may_be_played(case: dict[str, Any]) -> None:
    holding, trick = ([Card(card) for card in case[name]] for name in ("hand", "trick"))
    assert list(following(holding, trick)) == case["expect"]["legal"]


@pytest.mark.parametrize("case", _cases("trick"))
def test_4_3_who_takes_a_trick_and_leads_next(case: dict[str, Any]) -> None:
    trick = [Card(card) for card in case["trick"]]
    place = best_of(trick, case["trump"])
    assert place == case["expect"]["winner_index"] == case["expect"]["leads_next"]


@pytest.mark.parametrize("case", _cases("hand"))
def test_5_who_wins_a_hand_and_what_it_brings(case: dict[str, Any]) -> None:
    teams, expect = [int(team) for team in case["trick_winner_teams"]], case["expect"]
    ends = [n for n in range(1, 14) if find_result(case["caller_team"], teams[:n]) is not None]
    assert ends[0] == expect["tricks_played"]
    result = find_result(case["caller_team"], teams)
    assert result is not None
    assert result.team == expect["winner"]
    assert result.court == (expect["court"] or "none")
    assert gain_of(result, "points") == expect["points"]
    assert gain_of(result, "courts") == expect["courts"]


@pytest.mark.parametrize("case", _cases("next_dealer"))
def test_5_6_who_deals_and_chooses_next(case: dict[str, Any]) -> None:
    dealer, team = Seat(case["dealer"]), case["winner_team"]
    callers = 1 - team_of(dealer)
    made = "none"
    if case["court"]:
        made = "court" if team == callers else "goon"
    following_dealer = next_dealer(dealer, Result(team, callers, made))  # type: ignore[arg-type]
    assert following_dealer == case["expect"]["dealer"]
    assert (following_dealer + 1) % 4 == case["expect"]["caller"]
    assert team_of(Seat((following_dealer + 1) % 4)) == team


def test_2_1_c_19_the_highest_card_chooses_and_the_dealer_sits_at_its_left() -> None:
    case = _case("C-19")
    drawn = [PlayedCard(Seat(int(s)), Card(c)) for s, c in case["setup"]["draw"].items()]
    chooser = chooser_of(drawn)
    assert chooser == case["expect"]["caller"]
    assert (chooser - 1) % 4 == case["expect"]["dealer"]


def test_3_3_c_20_the_partner_cannot_pass() -> None:
    case = _case("C-20")
    assert case["expect"] == {"second_pass": "rejected"}
    table = Table(dealer=0).say("1 pass")
    with pytest.raises(IllegalMove, match="partner_may_not_pass"):
        table.say("3 pass")


def test_3_3_c_22_the_dealer_turns_a_card_of_luck() -> None:
    expect = _case("C-22")["expect"]
    hands = ["", f"KH QH JH TH 9H {'4C'} 8H 7H 6H 5H 4H 3H 2H", "", ""]
    table = Table(hands, dealer=0).say("1 pass").time_out(3)
    turned = table.event("luck_turned")
    assert turned.card == "4C"
    assert turned.dealer == expect["turned_by"]
    assert table.state.trump == expect["trump"]


def test_2_4_c_24_five_then_four_then_four() -> None:
    expect = _case("C-24")["expect"]
    table = Table()
    assert len(table.state.holdings[0]) == expect["visible_to_chooser"]
    batches = [_batch(table)]
    assert table.state.phase == "trump"
    assert expect["trump_named_after_first_batch"]
    table.say("0 trump S")
    given = [event for event in table.events if isinstance(event, Given) and event.to == 0]
    batches += [len(event.positions) for event in given]
    assert batches == expect["batches"]
    assert [" ".join(holding) for holding in table.state.holdings] == list(SUITS_EACH)


def _batch(table: Table) -> int:
    (given,) = (event for event in table.events if isinstance(event, Given) and event.to == 0)
    return len(given.positions)


def _win(team: int = 0, callers: int = 0) -> Result:
    return Result(team, callers, "none")


def test_5_3_c_25_the_seventh_hand_in_a_row_brings_two_points_more() -> None:
    case = _case("C-25")
    before = Standing(100)
    for _ in range(case["setup"]["won_in_a_row"] - 1):
        before = before.after(_win(), "points")
    after = before.after(_win(), "points")
    assert after.score[0] - before.score[0] == case["expect"]["points_for_the_7th_hand"]


def test_5_3_c_28_after_the_bonus_the_run_starts_again() -> None:
    case, bonuses = _case("C-28"), 0
    standing = Standing(100)
    for _ in case["setup"]["sequence"]:
        after = standing.after(_win(), "points")
        bonuses += after.score[0] - standing.score[0] == 3
        standing = after
    assert bonuses == case["expect"]["bonuses"]


def test_5_5_c_29_what_is_above_the_target_is_kept() -> None:
    case = _case("C-29")
    hands = ("KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AH", "AS KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H")
    one, other = case["setup"]["score"]
    table = Table(hands, dealer=0, memo=memo((one, other))).say("1 trump S")
    table.play(1, "AS 2D 2C 2S").play(1, "KH 3D 3C AH")
    for spade, heart in zip("KQJT98", "23456789", strict=False):
        table.play(
            0, f"{spade}S {heart}H {table.state.holdings[2][0]} {table.state.holdings[3][0]}"
        )
    scored, expect = table.event("scored"), case["expect"]
    assert table.points == (2, 0, 2, 0)
    assert list(table.event("counted").score) == expect["score"]
    assert scored.match_over is expect["session_over"]
    assert scored.winner == expect["winner"]


def test_5_7_c_31_first_matches_go_to_three_points() -> None:
    case = _case("C-31")
    for played, target in ((0, 3), (2, 3), (3, 10)):
        assert target_of(Options(), humans(played)) == target
    assert case["expect"]["target"] == 3


def test_4_1_c_32_the_dealers_right_leads_also_if_the_partner_named_trump() -> None:
    case = _case("C-32")
    table = Table(dealer=0).say("1 pass", f"{case['setup']['trump_named_by']} trump C")
    assert table.state.acting == case["expect"]["leader"]
