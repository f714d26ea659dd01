"""The tables that a fresh house opens: each once, by its key, and an operator may close them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

MICRO_PER_HT: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueTable:
    """A table to open. `options` are the game's; what is missing has the game's default."""

    key: str
    name: str
    game: str = "rummy"
    options: Mapping[str, int | bool] = field(default_factory=dict)


def _rummy(key: str, name: str, *, seats: int, rate: int) -> CatalogueTable:
    return CatalogueTable(key=key, name=name, options={"seats": seats, "rate": rate})


def _free(game: str, name: str, *, seats: int) -> tuple[CatalogueTable, CatalogueTable]:
    """Make a free game's two tables: one for people, one where bots sit down too."""
    key = game.replace("_", "-")
    return (
        CatalogueTable(key=key, name=name, game=game, options={"seats": seats}),
        CatalogueTable(
            key=f"{key}-practice",
            name=f"Practice: {name}",
            game=game,
            options={"seats": seats, "practice": True},
        ),
    )


CATALOGUE: Final = (
    CatalogueTable(
        key="rummy-practice",
        name="Practice",
        options={
            "seats": 4,
            "rate": MICRO_PER_HT // 100,
            "min_players": 4,
            "practice": True,
        },
    ),
    _rummy("rummy-4-low", "Four, 0.05 HT", seats=4, rate=MICRO_PER_HT // 20),
    _rummy("rummy-4-mid", "Four, 1 HT", seats=4, rate=MICRO_PER_HT),
    _rummy("rummy-6-low", "Six, 0.05 HT", seats=6, rate=MICRO_PER_HT // 20),
    _rummy("rummy-6-mid", "Six, 1 HT", seats=6, rate=MICRO_PER_HT),
    _rummy("rummy-6-high", "Six, 10 HT", seats=6, rate=10 * MICRO_PER_HT),
    _rummy("rummy-8-low", "Eight, 0.05 HT", seats=8, rate=MICRO_PER_HT // 20),
    _rummy("rummy-8-mid", "Eight, 1 HT", seats=8, rate=MICRO_PER_HT),
    *_free("seep", "Seep", seats=4),
    *_free("court_piece", "Court Piece", seats=4),
    *_free("batak", "Batak", seats=4),
    *_free("badam_satti", "Badam Satti", seats=4),
    *_free("sevens", "Sevens", seats=4),
)
