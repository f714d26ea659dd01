"""The worked cases of `cases.json`, each by its number."""

import json
from pathlib import Path
from typing import Any

import pytest

from server.cards.card import Card
from server.cards.game import Carry, IllegalMove, Scored, Seat
from server.cards.tricks import best_of
from server.games.batak.bids import Contract
from server.games.batak.duties import legal_cards
from server.games.batak.moves import Bid
from server.games.batak.scoring import DEALS, owed_by, points_of, standing_of
from tests.games.batak.table import Table

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())["cases"]
DECIDED = {"Q-BAT-02", "Q-BAT-03", "Q-BAT-05"}
"""What cases depend on; the options' defaults are these decisions."""


def _cases(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["type"] == kind]


def test_every_case_is_run() -> None:
    kinds = {case["type"] for case in CASES}
    assert kinds == {"legal", "trick", "score", "auction", "match"}
    assert {case["depends"] for case in CASES if "depends" in case} == DECIDED


@pytest.mark.parametrize("case", _cases("legal"))
def test_4_what_may_be_played(case: dict[str, Any]) -> None:
    holding = [Card(card) for card in case["hand"]]
    legal = legal_cards(
        holding,
        [Card(card) for card in case["trick"]],
        case["trump"],
        is_broken=case["trump_broken"],
        beat_trump_led=True,
    )
    assert list(legal) == case["expect"]["legal"]


@pytest.mark.parametrize("case", _cases("trick"))
def test_4_7_who_takes_a_trick(case: dict[str, Any]) -> None:
    trick = [Card(card) for card in case["trick"]]
    assert best_of(trick, case["trump"]) == case["expect"]["winner_index"]


@pytest.mark.parametrize("case", _cases("score"))
def test_5_what_a_hand_counts(case: dict[str, Any]) -> None:
    owed = owed_by(Contract(Seat(case["bidder"]), case["contract"], is_forced=False))
    taken = case["tricks"]
    points = [points_of(owed=o, taken=t) for o, t in zip(owed, taken, strict=True)]
    assert points == case["expect"]["points"]


@pytest.mark.parametrize("case", _cases("auction"))
def test_3_how_an_auction_goes(case: dict[str, Any]) -> None:
    table, expect = Table(dealer=case["dealer"]), case["expect"]
    calls = [
        f"{seat} {'pass' if said == 'pass' else f'bid {said}'}" for seat, said in case["calls"]
    ]
    if "rejected" in expect:
        table.say(*calls[:-1])
        before = table.state
        with pytest.raises((IllegalMove, ValueError)):
            table.say(calls[-1])
        assert table.state == before
        assert table.state.acting == expect.get("next_to_call", case["calls"][-1][0])
        return
    table.say(*calls)
    won = table.event("auction_won")
    assert (won.seat, won.tricks) == (expect["bidder"], expect["contract"])
    assert table.state.phase == "trump"


def test_3_1_k_26_four_is_no_bid() -> None:
    table = Table(dealer=0)
    with pytest.raises(IllegalMove, match="bad_bid"):
        table.move(Seat(1), Bid(4))


def test_5_3_k_31_a_match_is_eight_deals_and_the_deal_moves_to_the_right() -> None:
    (case,) = (case for case in CASES if case["id"] == "K-31")
    assert case["deals"] == DEALS
    carry, dealers = Carry(dealer=Seat(2)), []
    for _ in range(DEALS):
        assert carry.dealer is not None
        dealers.append(carry.dealer)
        scored = _played(carry)
        carry = scored.carry
    assert dealers == [2, 3, 0, 1, 2, 3, 0, 1]
    assert scored.match_over
    assert carry == Carry()


def _played(carry: Carry) -> Scored:
    """Play a deal in which each seat holds one suit: all for the forced dealer's trumps."""
    assert carry.dealer is not None
    before = standing_of(carry.memo)
    table = Table(dealer=carry.dealer, memo=carry.memo)
    assert table.event("dealt").deal == before.deals_played + 1
    while table.state.phase == "auction":
        table.say(f"{table.state.acting} pass")
    table.say(f"{carry.dealer} trump {'SHDC'[carry.dealer]}")
    while not table.state.ended:
        table.time_out(table.state.acting)
    counted = table.event("counted")
    assert counted.totals == before.after(table.points).totals
    scored: Scored = table.event("scored")
    return scored
