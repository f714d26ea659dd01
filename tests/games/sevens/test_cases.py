"""The worked cases of `cases.json`, each by its number."""

import json
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from server.cards.card import Card
from server.cards.game import Carry, IllegalMove, Seat
from server.games.sevens.lines import SUIT_ORDER, Line, Lines, length_of
from server.games.sevens.moves import Pass, Play
from server.games.sevens.options import PACK, BadamSattiOptions, SevensOptions
from server.games.sevens.play import _play, legal_moves
from server.games.sevens.scoring import chips_of, penalty, pool_of, winners_of
from server.games.sevens.state import State
from tests.games.sevens.table import Table

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())["cases"]


def cases(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["type"] == kind]


def of_kind(kind: str) -> pytest.MarkDecorator:
    """Parametrize with the cases of a kind; there is at least one."""
    assert cases(kind), kind
    return pytest.mark.parametrize("case", cases(kind))


def test_every_case_is_run() -> None:
    run = {"legal", "deal", "hand_score", "match", "chips", "turn", "end", "property"}
    assert {case["type"] for case in CASES} == run
    assert len(CASES) == 17
    assert not any("depends" in case for case in CASES)


@of_kind("legal")
def test_legal(case: Any) -> None:
    """Seat 0 is in turn with the case's hand; the other cards are somewhere else."""
    state = situation(case)
    moves = list(legal_moves(state, Seat(0)))
    cards = [move.card for move in moves if isinstance(move, Play)]
    assert sorted(cards) == sorted(case["expect"]["legal"])
    assert (Pass() in moves) == case["expect"]["pass_allowed"]
    for card in set(case["hand"]) - set(cards):
        with pytest.raises(IllegalMove):
            _play(state, Seat(0), Card(card))


def situation(case: Any) -> State:
    options = (SevensOptions if case["variant"] == "sevens" else BadamSattiOptions)(seats=3)
    lines: Lines = tuple(
        Line(Card(case["layout"][suit][0] + suit), Card(case["layout"][suit][1] + suit))
        for suit in SUIT_ORDER
        if suit in case["layout"]
    )
    own = tuple(Card(card) for card in case["hand"])
    state = Table(options=options).state
    away = PACK.size - len(own) - length_of(lines)
    seats = (replace(state.seats[0], cards=own), *state.seats[1:])
    state = replace(state, lines=lines, acting=Seat(0), seats=seats)
    others = tuple(card for card in PACK.cards if card not in own)[:away]
    state = state.with_player(Seat(1), cards=others).with_player(Seat(2), cards=())
    assert state.is_whole()
    return state


@of_kind("deal")
def test_deal(case: Any) -> None:
    players = case["setup"]["players"]
    table = Table(options=BadamSattiOptions(seats=players), dealer=1)
    sizes = [len(table.held((2 + offset) % players)) for offset in range(players)]
    assert sizes == case["expect"]["sizes_from_dealers_left"]


@of_kind("hand_score")
def test_hand_score(case: Any) -> None:
    assert [penalty(cards) for cards in case["setup"]["hands_left"]] == case["expect"]["points"]


@of_kind("match")
def test_match(case: Any) -> None:
    winners = winners_of(case["setup"]["totals"], has_chips=False)
    assert list(winners) == case["expect"]["winners"]
    assert (len(winners) > 1) == case["expect"]["shared"]


@of_kind("chips")
def test_chips(case: Any) -> None:
    setup, expect = case["setup"], case["expect"]
    assert len(setup["passes"]) == setup["players"]
    delta = chips_of(winner=setup["winner"], passes=setup["passes"], cards_left=setup["cards_left"])
    assert pool_of(setup["passes"]) == expect["pool"]
    assert list(delta) == expect["delta"]
    assert (sum(delta) == 0) == expect["sum_zero"]


@of_kind("turn")
def test_turn(case: Any) -> None:
    """Each hand is played to its end by the clock; the dealers are those that the carry names."""
    setup = case["setup"]
    carry, dealers = Carry(Seat(setup["first_dealer"])), []
    for _ in setup["hand_no"]:
        assert carry.dealer is not None
        dealers.append(int(carry.dealer))
        options = BadamSattiOptions(seats=setup["players"])
        carry = played_out(Table(options=options, dealer=carry.dealer, memo=carry.memo)).carry
    assert dealers == case["expect"]["dealers"]


def played_out(table: Table) -> Any:
    while table.state.scored is None:
        table.time_out(table.acting)
    return table.scored


@of_kind("end")
def test_end(case: Any) -> None:
    """Nobody has come out before the seat that has; then nobody may play on."""
    expect, table = case["expect"], Table()
    scored = played_out(table)
    winner = next(seat for seat in range(3) if not table.held(seat))
    assert expect["hand_over"] == (table.game.to_act(table.state) == frozenset())
    assert table.points[winner] == expect["winner_points"]
    assert all(table.points[seat] > 0 for seat in range(3) if seat != winner)
    assert scored.winner == winner
    for seat in range(3):
        assert (list(legal_moves(table.state, Seat(seat))) != []) == expect["others_play_on"]
    with pytest.raises(IllegalMove, match="hand_over"):
        table.say("0 pass")


@of_kind("property")
def test_property(case: Any) -> None:
    """Many hands: between two cards fewer pass than sit at the table."""
    assert "a full round of passes is impossible" in case["expect"]["always"]
    for seats in (3, 4, 5, 6, 7):
        table = Table(options=BadamSattiOptions(seats=seats))
        played_out(table)
        silent = accumulate(table.lines, lambda n, line: n + 1 if "pass" in line else 0, initial=0)
        assert max(silent) < seats
