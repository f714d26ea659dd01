"""The worked cases of `tests/cases/rummy.json`, each by its number."""

import json
from pathlib import Path
from typing import Any

import pytest

from server.cards.card import Card, face_of
from server.cards.game import IllegalMove, Seat
from server.games.rummy.events import CardDrawn
from server.games.rummy.moves import Declare
from server.games.rummy.options import Options
from server.games.rummy.scoring import count, kinds_of, wild_rank_of
from tests.games.rummy.table import BROKEN, COMPLETE, Table

CASES = json.loads((Path(__file__).parents[2] / "cases" / "rummy.json").read_text())["cases"]


def _cases(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["type"] == kind]


@pytest.mark.parametrize("case", _cases("group"))
def test_4_a_group_is_what_the_rules_say(case: dict[str, Any]) -> None:
    kinds = kinds_of(case["cards"], wild_rank_of(case["turned"]))
    assert kinds == set(case["expect"]["kinds"])
    assert bool(kinds) is case["expect"]["valid"]


@pytest.mark.parametrize("case", _cases("score"))
def test_6_a_holding_counts_at_its_best_arrangement(case: dict[str, Any]) -> None:
    wild = wild_rank_of(case["turned"])
    counted, expect = count(case["hand"], wild), case["expect"]
    assert counted.points == expect["points"]
    assert counted.case == expect["rung"]
    assert counted.can_declare is expect["declarable"]
    assert sorted([c for group in counted.groups for c in group] + list(counted.loose)) == sorted(
        case["hand"]
    )


@pytest.mark.parametrize("case", _cases("declare"))
def test_5_a_declare_is_judged_by_its_thirteen_cards(case: dict[str, Any]) -> None:
    options = Options(seats=4 if case["decks"] == 2 else 8)
    *hand, drawn = _finish_last(case)
    opened = next(face for face in ("QC", "2D", "4C") if face not in case["hand14"])
    table = Table(
        [" ".join(hand)], closed=drawn, turned=case["turned"], opened=opened, options=options
    )
    table.draw(0).play(0, Declare(table.held(0)[-1], _submitted(case, table.held(0))))
    expect = case["expect"]
    assert table.state.player(Seat(0)).points == expect["declarer_points"]
    assert table.state.ended is expect["hand_over"]
    assert (table.state.scored is not None and table.state.scored.winner == 0) is expect["valid"]


def _finish_last(case: dict[str, Any]) -> list[str]:
    hand = list(case["hand14"])
    hand.remove(case["finish"])
    return [*hand, case["finish"]]


def _submitted(case: dict[str, Any], held: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...] | None:
    """Give the client's groups the very copies that it holds."""
    left = list(held[:-1])
    groups = []
    for faces in case.get("submitted_groups", ()):
        group = []
        for face in faces:
            card = next(card for card in left if face_of(card) == face)
            left.remove(card)
            group.append(card)
        groups.append(tuple(group))
    return (*groups, *((tuple(left),) if left else ())) if groups else None


def _case(number: str) -> dict[str, Any]:
    (case,) = (case for case in CASES if case["id"] == number)
    expect: dict[str, Any] = case["expect"]
    return expect


def test_r_f01_a_first_drop_costs_20() -> None:
    expect, table = _case("R-F01"), Table()
    table.drop(0)
    assert table.state.player(Seat(0)).points == expect["seat0_points"]
    assert table.state.player(Seat(0)).out == "drop"
    assert table.acting == expect["next_to_act"]


def test_r_f03_after_the_draw_there_is_no_drop() -> None:
    assert _case("R-F03")["rejected"]
    table = Table().draw(0)
    with pytest.raises(IllegalMove, match="must_discard"):
        table.drop(0)


def test_r_f04_leaving_costs_40_without_a_draw() -> None:
    expect, table = _case("R-F04"), Table()
    table.leave(2)
    assert table.state.player(Seat(2)).points == expect["seat2_points"]
    assert table.state.player(Seat(2)).out == "left"
    assert table.acting == 0


def test_r_f06_a_turn_of_its_own_sets_the_misses_back() -> None:
    table = Table(options=Options(seats=4, miss_limit=3), first=1)
    for play in (table.time_out, table.time_out, table.turn, table.time_out, table.time_out):
        play(1)
        table.turn(2).turn(3).turn(0)
    assert _case("R-F06")["seat1"] == "still in"
    assert table.state.player(Seat(1)).out is None
    assert table.state.player(Seat(1)).misses == 2


def test_r_f07_a_wrong_declare_costs_80_and_the_hand_goes_on() -> None:
    expect, table = _case("R-F07"), Table([BROKEN])
    held = set(table.draw(0).held(0))
    table.declare(0)
    player = table.state.player(Seat(0))
    assert player.points == expect["seat0_points"]
    assert not table.state.ended
    assert table.acting == expect["next_to_act"]
    assert len(player.laid_down) == 13
    assert held - set(player.laid_down) == {table.state.orders[0][player.finish.position]}  # type: ignore[union-attr]


def test_r_f10_the_open_pile_is_shuffled_when_the_closed_one_is_empty() -> None:
    expect = _case("R-F10")
    table = Table(seats=range(6), options=Options(seats=6))
    for number in range(26):
        table.turn(number % 6)
    after = expect["after_26_draws"]
    assert len(table.state.closed_pile) == after["closed"]
    assert len(table.state.open_pile) == after["open"]
    top = table.state.open_pile[-1]
    table.draw(26 % 6)
    assert table.event("reshuffle_called") is not None
    table.shuffle()
    assert table.state.open_pile == (top,)
    assert len(table.state.closed_pile) == 25
    assert len(table.held(26 % 6)) == 14


def test_r_f12_illegal_moves_change_nothing() -> None:
    table = Table()
    before = table.state
    with pytest.raises(IllegalMove, match="not_your_turn"):
        table.draw(1)
    with pytest.raises(IllegalMove, match="must_draw_first"):
        table.discard(0)
    with pytest.raises(IllegalMove, match="must_draw_first"):
        table.declare(0)
    assert table.state == before
    table.draw(0)
    before = table.state
    with pytest.raises(IllegalMove, match="already_drawn"):
        table.draw(0)
    with pytest.raises(IllegalMove, match="not_held"):
        table.discard(0, table.held(1)[0])
    assert table.state == before
    assert _case("R-F12") == {"all_rejected": True, "no_penalty": True, "state_unchanged": True}


def test_r_f13_all_see_which_card_was_taken_from_the_open_pile() -> None:
    table = Table(opened="7D").draw(0, "open")
    assert _case("R-F13")["broadcast_to_all"] == "seat 0 took that card"
    assert table.events == (CardDrawn(seat=Seat(0), source="open", auto=False, card=Card("7D")),)


def test_r_f15_the_card_just_taken_may_go_back() -> None:
    table = Table(opened="7D").draw(0, "open").discard(0, "7D")
    assert _case("R-F15")["accepted"]
    assert table.state.open_pile == ("7D",)


def test_r_f17_drops_and_counted_holdings_add_up() -> None:
    counted_86 = "4S 5S 6S KH KD KC 9H 9D 9C QS JH 7D 2H"
    table = Table(
        [COMPLETE, BROKEN, counted_86, COMPLETE], turned="3C", first=1, options=Options(seats=8)
    )
    table.drop(1).turn(2).turn(3).draw(0).declare(0)
    expect = _case("R-F17")
    assert [table.points[seat] for seat in range(4)] == expect["points"]
    assert sum(table.points.values()) == expect["gross_points"]
