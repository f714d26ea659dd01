"""What an operator may choose."""

from dataclasses import fields
from typing import Any

import pytest

from server.cards.game import InvalidOption
from server.cards.options import options_text
from server.cards.pack import Pack
from server.games.seep import GAME
from server.games.seep.options import Options


def test_10_the_options_and_their_defaults() -> None:
    assert options_text(Options()) == (
        "miss_limit=3\npartner_may_raise=false\npractice=false\nseats=4\nturn_ms=30000\n"
    )


@pytest.mark.parametrize(
    ("field", "least", "most"), [("turn_ms", 5_000, 120_000), ("miss_limit", 1, 20)]
)
def test_10_each_number_has_its_range(field: str, least: int, most: int) -> None:
    for value in (least, most):
        assert getattr(_options(field, value), field) == value
    for value in (least - 1, most + 1):
        with pytest.raises(InvalidOption) as caught:
            _options(field, value)
        assert caught.value.field == field


@pytest.mark.parametrize("seats", [-4, 0, 2, 3, 5, 6, 8])
def test_1_1_a_table_has_four_seats(seats: int) -> None:
    with pytest.raises(InvalidOption, match="seats"):
        Options(seats=seats)


@pytest.mark.parametrize("field", [field.name for field in fields(Options)])
@pytest.mark.parametrize("value", [None, "4", 4.0, (4,)])
def test_10_another_type_is_refused(field: str, value: Any) -> None:
    with pytest.raises(InvalidOption) as caught:
        _options(field, value)
    assert caught.value.field == field


def test_10_a_switch_is_no_number() -> None:
    with pytest.raises(InvalidOption, match="partner_may_raise"):
        Options(partner_may_raise=1)  # type: ignore[arg-type]


def test_1_2_one_pack_and_a_free_table_whose_seats_are_all_filled() -> None:
    options = Options()
    assert GAME.pack(options) == Pack(1, 0)
    assert GAME.stake_points(options) is None
    assert (options.rate, options.commission_bps, options.min_players) == (0, 0, 4)


def _options(field: str, value: Any) -> Options:
    return Options(**{field: value})
