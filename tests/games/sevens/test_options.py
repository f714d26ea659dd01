"""What an operator may choose."""

from typing import Any

import pytest

from server.cards.game import AnyGame, InvalidOption
from server.cards.options import options_text
from server.cards.pack import Pack
from server.games.sevens import BADAM_SATTI, SEVENS
from server.games.sevens.options import BadamSattiOptions, SevensOptions

both = pytest.mark.parametrize("game", [BADAM_SATTI, SEVENS], ids=lambda game: game.name)


@both
def test_7_the_options_and_their_defaults(game: AnyGame) -> None:
    assert options_text(game.options_type()) == (
        "hands=5\nmiss_limit=3\npractice=false\nseats=4\nturn_ms=30000\n"
    )


@both
@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("seats", (3, 4, 5, 6, 7), (2, 8, 0, -3)),
        ("hands", (3, 5), (1, 2, 4, 6)),
        ("turn_ms", (5_000, 120_000), (4_999, 120_001)),
        ("miss_limit", (1, 20), (0, 21)),
        ("practice", (True, False), ()),
    ],
)
def test_7_each_option_has_its_range(
    game: AnyGame, field: str, good: tuple[Any, ...], bad: tuple[Any, ...]
) -> None:
    for value in good:
        assert getattr(game.options_type(**{field: value}), field) == value
    for value in (*bad, None, "3", 3.0):
        with pytest.raises(InvalidOption) as caught:
            game.options_type(**{field: value})
        assert caught.value.field == field


@both
def test_1_the_table_is_free_and_every_seat_is_filled(game: AnyGame) -> None:
    options = game.options_type(seats=6)
    assert game.pack(options) == Pack(1, 0)
    assert game.stake_points(options) is None
    assert (options.rate, options.commission_bps, options.min_players) == (0, 0, 6)


def test_what_differs_between_the_games_is_no_option() -> None:
    assert (BadamSattiOptions().opener, SevensOptions().opener) == ("7H", "7D")
    assert (BadamSattiOptions().has_chips, SevensOptions().has_chips) == (False, True)
    with pytest.raises(TypeError):
        BadamSattiOptions(opener="7S")  # type: ignore[call-arg]
