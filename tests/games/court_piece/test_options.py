"""What an operator may choose, and what a game of Court Piece is."""

from dataclasses import fields
from typing import Any

import pytest

from server.cards.game import Direction, InvalidOption
from server.cards.options import options_fields, options_text
from server.cards.pack import Pack
from server.games.court_piece import GAME
from server.games.court_piece.options import Options


def test_7_the_options_and_their_defaults() -> None:
    assert options_text(Options()) == (
        "counting=points\nmiss_limit=3\nnamer_leads=false\npractice=false\nseats=4\n"
        "short_first_matches=true\ntarget=10\nturn_ms=30000\n"
    )
    assert options_text(Options(counting="courts")).count("target=3\n") == 1


def test_7_what_is_written_reads_as_the_same_options() -> None:
    for options in (Options(), Options(counting="courts"), Options(counting="courts", target=7)):
        assert Options(**options_fields(options)) == options  # type: ignore[arg-type]


@pytest.mark.parametrize("field", [field.name for field in fields(Options)])
@pytest.mark.parametrize("value", [None, 4.0, (4,), [], "4x"])
def test_7_another_type_is_refused(field: str, value: Any) -> None:
    with pytest.raises(InvalidOption) as caught:
        Options(**{field: value})
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("field", "value"),
    [("seats", 5), ("target", -1), ("target", 101), ("target", False), ("counting", "tricks")],
)
def test_7_a_value_out_of_range_is_refused(field: str, value: Any) -> None:
    with pytest.raises(InvalidOption) as caught:
        Options(**{field: value})
    assert caught.value.field == field


def test_1_one_pack_counter_clockwise_and_nothing_at_stake() -> None:
    assert GAME.pack(Options()) == Pack(1, 0)
    assert GAME.direction is Direction.COUNTER_CLOCKWISE
    assert GAME.stake_points(Options()) is None
