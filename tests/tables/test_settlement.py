"""From points to tokens: rules.md Q-RUM-37, Q-RUM-38, and the settlement cases of rummy.json."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.cards.game import Carry, Scored, Seat
from server.tables.settlement import settle

CASES = json.loads((Path(__file__).parent.parent / "cases" / "rummy.json").read_text())["cases"]
SETTLE = [case for case in CASES if case["type"] == "settle"]


def scored(losers: list[int]) -> Scored:
    points = ((Seat(0), 0), *((Seat(i + 1), p) for i, p in enumerate(losers)))
    return Scored(points=points, winner=Seat(0), carry=Carry(), match_over=True)


@pytest.mark.parametrize("case", SETTLE, ids=lambda case: case["id"])
def test_the_settlement_cases_hold(case: dict[str, Any]) -> None:
    expect = case["expect"]
    made = settle(
        scored(case["loser_points"]),
        rate=case["rate_micro_per_point"],
        commission_bps=case["commission_bps"],
    )
    amounts = dict(made.amounts)
    assert [-amounts[Seat(i + 1)] for i in range(len(case["loser_points"]))] == expect[
        "loser_pays_micro"
    ]
    assert made.gross == expect["gross_micro"]
    assert made.commission == expect["commission_micro"]
    assert amounts[Seat(0)] == expect["winner_net_micro"]


def test_the_cases_are_there() -> None:
    assert len(SETTLE) == 4


@given(
    st.lists(st.integers(0, 130), min_size=1, max_size=7),
    st.integers(10_000, 1_000_000_000),
    st.integers(0, 2_000),
)
def test_38_nothing_is_made_or_lost_and_the_commission_is_floored(
    losers: list[int], rate: int, bps: int
) -> None:
    made = settle(scored(losers), rate=rate, commission_bps=bps)
    assert sum(amount for _, amount in made.amounts) + made.commission == 0
    assert made.commission * 10_000 <= made.gross * bps < (made.commission + 1) * 10_000
