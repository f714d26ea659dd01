"""The worked cases of `cases.json`, each by its number."""

import json
from pathlib import Path
from typing import Any

import pytest

from server.cards.card import Card
from server.cards.game import IllegalMove, Seat
from server.games.seep.moves import Bid, Take, Throw
from server.games.seep.scoring import POINTS_MIN, Account, card_points, seep_points, settled
from server.games.seep.state import PLAYS
from tests.games.seep.table import Table, cards, house

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())["cases"]
KINDS = (
    "capture", "bid", "opening", "build", "retain", "raise", "score", "baazi", "sweep", "end",
)  # fmt: skip
HOUSE_CARDS = {9: "5H 4C", 11: "6H 5D", 12: "7H 5D"}
PAKKA_CARDS = {9: "5H 4C 9S"}


def _cases(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["type"] == kind]


def test_every_kind_of_case_is_run() -> None:
    assert {case["type"] for case in CASES} == set(KINDS)


@pytest.mark.parametrize("case", _cases("capture"))
def test_4_a_card_takes_what_the_case_says(case: dict[str, Any]) -> None:
    floor, expect, card = case["floor"], case["expect"], case["card"]
    houses = [
        house(one["value"], " ".join(one["cards"]), *one["owners"]) for one in floor["houses"]
    ]
    table = Table.midway({0: f"{card} AC"}, " ".join(floor["loose"]), houses)
    for one, made in zip(floor["houses"], houses, strict=True):
        assert made.is_pakka is one["pakka"]
    moves = [move for move in table.legal() if isinstance(move, Take | Throw) and move.card == card]
    assert (Throw(Card(card)) in moves) is expect["throw_legal"]
    taking = [move for move in moves if isinstance(move, Take)]
    assert {frozenset(move.cards or ()) for move in taking} == {
        frozenset(choice) for choice in expect["capture_choices"]
    }
    for choice, clears in zip(
        expect["capture_choices"], expect.get("clears_floor", ()), strict=True
    ):
        after = Table.midway({0: f"{card} AC"}, " ".join(floor["loose"]), houses)
        after.take(0, card, " ".join(choice))
        assert after.state.floor.is_clear is clears
        assert ("seep" in after.names) is clears


@pytest.mark.parametrize("case", _cases("bid"))
def test_3_1_a_bid_names_a_card_held(case: dict[str, Any]) -> None:
    expect = case["expect"]
    table = Table({0: " ".join(case["setup"]["first_four"])})
    assert ("redeal" in table.names) is expect.get("redeal", False)
    allowed = [] if table.state.scored else table.legal()
    assert allowed == [Bid(value) for value in expect["allowed"]]


def test_s_15_the_bid_house_is_built_with_any_one_combination() -> None:
    (case,) = (case for case in CASES if case["id"] == "S-15")
    setup, expect = case["setup"], case["expect"]
    hand = f"{setup['hand_after_has']} {setup['play']}"
    table = Table({0: hand}, " ".join(setup["floor"])).bid(0, setup["bid"])
    table.build(0, setup["bid"], setup["play"], " ".join(setup["with_"]))
    made = table.house(expect["house"]["value"])
    assert set(made.cards) == set(expect["house"]["cards"])
    assert made.is_pakka is expect["house"]["pakka"]


def test_s_17_the_bid_card_is_thrown_where_nothing_serves_the_bid() -> None:
    (case,) = (case for case in CASES if case["id"] == "S-17")
    setup = case["setup"]
    table = Table.midway(
        {0: " ".join(setup["hand"])}, " ".join(setup["floor"]), bid=setup["bid"], plays=0
    )
    assert table.legal() == [Throw(Card("9H"))]


@pytest.mark.parametrize("case", _cases("build"))
def test_5_a_house_is_built_as_the_case_says(case: dict[str, Any]) -> None:
    """Report 35 among them, S-23: 11 + 12 + 13 was accepted as a house of nine."""
    setup, expect = case["setup"], case["expect"]
    hand = " ".join([setup["card"], *setup["hand_after"]])
    table = Table.midway({0: hand}, " ".join(setup["floor"]["loose"]))
    named = " ".join(setup["with_"])
    if not expect["legal"]:
        before = table.state
        with pytest.raises(IllegalMove) as caught:
            table.build(0, setup["value"], setup["card"], named)
        assert caught.value.code == {"S-20": "house_value", "S-23": "not_a_sum"}[case["id"]]
        assert table.state == before
        return
    table.build(0, setup["value"], setup["card"], named)
    made = table.house(setup["value"])
    assert set(made.cards) == set(expect["house"]["cards"])
    assert made.is_pakka is expect["house"]["pakka"]
    assert made.owners == (0,)


def test_s_21_the_other_sets_join_by_themselves() -> None:
    table = Table.midway({0: "5C 9D"}, "4D 9H 6S 3H KD").build(0, 9, "5C", "4D")
    assert set(table.house(9).cards) == set(cards("5C 4D 9H 6S 3H"))
    assert table.loose == "KD"


def test_s_26_a_second_card_of_the_value_is_free() -> None:
    (case,) = (case for case in CASES if case["id"] == "S-26")
    hand, own = " ".join(case["setup"]["hand"]), house(12, "7H 5D", 0)
    Table.midway({0: hand}, "", [own]).take(0, "QH")
    table = Table.midway({0: hand}, "", [own]).build(0, 12, "QH")
    assert table.house(12).is_pakka


@pytest.mark.parametrize("case", _cases("raise"))
def test_6_2_a_house_is_raised_as_the_case_says(case: dict[str, Any]) -> None:
    setup, expect = case["setup"], case["expect"]
    given, by = setup["house"], setup["by_team"]
    text = (PAKKA_CARDS if given["pakka"] else HOUSE_CARDS)[given["value"]]
    target = house(given["value"], text, given["owner_team"])
    hand = " ".join([setup["card"], *setup["hand_after"]])
    table = Table.midway({by: hand}, "", [target], acting=by)
    if not expect["legal"]:
        before = table.state
        with pytest.raises(IllegalMove) as caught:
            table.raise_(by, given["value"], setup["card"])
        codes = {"S-28": "house_pakka", "S-29": "house_value", "S-30": "house_not_held"}
        assert caught.value.code == codes[case["id"]]
        assert table.state == before
        return
    table.raise_(by, given["value"], setup["card"])
    made, wanted = table.house(expect["house"]["value"]), expect["house"]
    assert (set(made.cards), made.is_pakka) == (set(wanted["cards"]), wanted["pakka"])
    assert made.owners == (wanted["owner_team"],)


@pytest.mark.parametrize("case", _cases("score"))
def test_8_1_taken_cards_count_as_the_case_says(case: dict[str, Any]) -> None:
    setup = case["setup"]
    points = card_points(setup["captured"]) + sum(setup["sweep_points"])
    assert points == case["expect"]["points"]
    assert (points < POINTS_MIN) is (case["id"] == "S-36")


@pytest.mark.parametrize("case", _cases("baazi"))
def test_8_4_a_lead_of_a_hundred_wins(case: dict[str, Any]) -> None:
    setup, expect = case["setup"], case["expect"]
    first, second = setup["deal"]
    outcome = settled(Account(setup["running_lead_of_0"], 1), Seat(0), (first, second))
    assert (outcome.match_winner, outcome.lead) == (expect["winner"], expect["lead"])


def test_s_41_a_seep_is_worth_25_50_or_nothing() -> None:
    (case,) = (case for case in CASES if case["id"] == "S-41")
    first, middle, last, _ = case["expect"]["points"]
    assert [seep_points(play, PLAYS) for play in (1, 2, 22, 47, 48)] == [
        first, middle, middle, middle, last,
    ]  # fmt: skip


def test_s_42_the_leftovers_go_to_the_pair_that_took_last() -> None:
    (case,) = (case for case in CASES if case["id"] == "S-42")
    setup, expect = case["setup"], case["expect"]
    table = Table.midway({3: "5D"}, " ".join(setup["loose_left"]), acting=3, plays=PLAYS - 1)
    before = card_points(table.state.taken[1])
    table.throw(3, "5D")
    assert table.state.scored is not None
    assert "seep" not in table.names
    gained = card_points(table.state.taken[expect["leftovers_to"]]) - before
    assert gained == expect["points_from_leftovers"]
