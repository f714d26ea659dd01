"""What an operator may choose."""

from dataclasses import fields
from typing import Any

import pytest

from server.cards.game import InvalidOption
from server.cards.options import options_text
from server.cards.pack import Pack
from server.games.rummy import GAME
from server.games.rummy.options import Options


def test_9_the_options_and_their_defaults() -> None:
    assert options_text(Options()) == (
        "commission_bps=1000\nmin_players=2\nmiss_limit=3\nopen_joker_pick=true\npractice=false\n"
        "rate=1000000\nreshuffle_cap=8\nreturn_open_card=true\nseats=6\nturn_ms=30000\n"
    )


@pytest.mark.parametrize(
    ("field", "least", "most"),
    [
        ("rate", 10_000, 1_000_000_000),
        ("commission_bps", 0, 2_000),
        ("turn_ms", 5_000, 120_000),
        ("miss_limit", 1, 20),
        ("min_players", 2, 6),
        ("reshuffle_cap", 1, 8),
    ],
)
def test_9_each_number_has_its_range(field: str, least: int, most: int) -> None:
    for value in (least, most):
        assert getattr(_options(field, value), field) == value
    for value in (least - 1, most + 1):
        with pytest.raises(InvalidOption) as caught:
            _options(field, value)
        assert caught.value.field == field


@pytest.mark.parametrize("seats", [2, 3, 5, 7, 9, 0, -4])
def test_9_a_table_has_4_6_or_8_seats(seats: int) -> None:
    with pytest.raises(InvalidOption, match="seats"):
        Options(seats=seats)


@pytest.mark.parametrize("field", [field.name for field in fields(Options)])
@pytest.mark.parametrize("value", [None, "4", 4.0, (4,)])
def test_9_another_type_is_refused(field: str, value: Any) -> None:
    with pytest.raises(InvalidOption) as caught:
        _options(field, value)
    assert caught.value.field == field


def test_9_a_switch_is_no_number_and_a_number_no_switch() -> None:
    with pytest.raises(InvalidOption, match="min_players"):
        Options(min_players=True)
    with pytest.raises(InvalidOption, match="practice"):
        Options(practice=1)  # type: ignore[arg-type]


def test_1_2_the_packs_follow_the_table() -> None:
    assert GAME.pack(Options(seats=4)) == GAME.pack(Options(seats=6)) == Pack(2, 2)
    assert GAME.pack(Options(seats=8)) == Pack(3, 3)
    assert [GAME.pack(Options(seats=seats)).size for seats in (4, 6, 8)] == [106, 106, 159]


def test_11_1_the_dearest_hand_is_130_points() -> None:
    assert GAME.stake_points(Options()) == 130


def _options(field: str, value: Any) -> Options:
    return Options(**{field: value})
