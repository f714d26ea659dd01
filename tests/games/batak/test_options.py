"""What an operator may choose, and what a game of Batak is."""

from dataclasses import fields
from typing import Any

import pytest

from server.cards.game import Direction, InvalidOption
from server.cards.options import options_text
from server.cards.pack import Pack
from server.games.batak import GAME
from server.games.batak.options import Options


def test_7_the_options_and_their_defaults() -> None:
    assert options_text(Options()) == (
        "beat_trump_led=true\nmiss_limit=3\npractice=false\nseats=4\nsingle_round=false\n"
        "turn_ms=30000\n"
    )


@pytest.mark.parametrize("field", [field.name for field in fields(Options)])
@pytest.mark.parametrize("value", [None, "4", 4.0, (4,)])
def test_7_another_type_is_refused(field: str, value: Any) -> None:
    with pytest.raises(InvalidOption) as caught:
        Options(**{field: value})
    assert caught.value.field == field


@pytest.mark.parametrize("seats", [2, 3, 5, 0, -4])
def test_1_1_a_table_has_four_seats(seats: int) -> None:
    with pytest.raises(InvalidOption, match="seats"):
        Options(seats=seats)


def test_1_one_pack_counter_clockwise_and_nothing_at_stake() -> None:
    assert GAME.pack(Options()) == Pack(1, 0)
    assert GAME.direction is Direction.COUNTER_CLOCKWISE
    assert GAME.stake_points(Options()) is None
