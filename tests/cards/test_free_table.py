"""The options that every free table has, and how a game adds its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from server.cards.free_table import FreeTable, Range
from server.cards.game import InvalidOption
from server.cards.options import options_text


@dataclass(frozen=True, slots=True)
class Chosen(FreeTable):
    """A game's options with a choice and a range of its own."""

    ranges: ClassVar[Mapping[str, Range]] = {**FreeTable.ranges, "hands": (1, 9)}
    choices: ClassVar[Mapping[str, tuple[int | str, ...]]] = {
        "seats": (4, 6),
        "counting": ("points", "courts"),
    }

    hands: int = 5
    counting: str = "points"


def test_no_tokens_move_and_every_seat_is_filled() -> None:
    options = Chosen(seats=6)
    assert (options.rate, options.commission_bps, options.min_players) == (0, 0, 6)


def test_the_text_has_the_fields_alone() -> None:
    assert options_text(Chosen()) == (
        "counting=points\nhands=5\nmiss_limit=3\npractice=false\nseats=4\nturn_ms=30000\n"
    )


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("seats", 5, "must be 4 or 6"),
        ("seats", True, "must be a whole number"),
        ("turn_ms", 4_999, "must be from 5000 to 120000"),
        ("turn_ms", 120_001, "must be from 5000 to 120000"),
        ("miss_limit", 0, "must be from 1 to 20"),
        ("practice", 1, "must be true or false"),
        ("hands", 10, "must be from 1 to 9"),
        ("hands", "5", "must be a whole number"),
        ("counting", "tricks", "must be points or courts"),
        ("counting", None, "must be text"),
    ],
)
def test_a_value_that_may_not_be_is_refused_by_its_field(field: str, value: Any, text: str) -> None:
    with pytest.raises(InvalidOption, match=text) as caught:
        Chosen(**{field: value})
    assert caught.value.field == field
