"""The options that every free table has: no tokens move, every seat is filled."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar

from server.cards.game import InvalidOption

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FreeTable:
    """The base of a free game's options; a game adds its own fields, ranges and choices.

    Shape:  `choices` are the values that a field may have, `ranges` its least and its most; a
            boolean field needs neither.
    Units:  `turn_ms` milliseconds.
    Errors: InvalidOption, which names the field.
    """

    ranges: ClassVar[Mapping[str, Range]] = {"turn_ms": (5_000, 120_000), "miss_limit": (1, 20)}
    choices: ClassVar[Mapping[str, tuple[int | str, ...]]] = {"seats": (4,)}

    seats: int = 4
    turn_ms: int = 30_000
    miss_limit: int = 3
    practice: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            value, wanted = getattr(self, field.name), type(field.default)
            if type(value) is not wanted:
                raise InvalidOption(field.name, _SAID[wanted])
        for name, values in self.choices.items():
            if getattr(self, name) not in values:
                raise InvalidOption(name, f"must be {_listed(values)}")
        for name, (least, most) in self.ranges.items():
            if not least <= getattr(self, name) <= most:
                raise InvalidOption(name, f"must be from {least} to {most}")

    @property
    def rate(self) -> int:
        """No tokens move."""
        return 0

    @property
    def commission_bps(self) -> int:
        """No tokens move."""
        return 0

    @property
    def min_players(self) -> int:
        """Say how many seats begin a hand: all of them."""
        return self.seats


_SAID = {int: "must be a whole number", bool: "must be true or false", str: "must be text"}


def _listed(values: tuple[int | str, ...]) -> str:
    *others, last = map(str, values)
    return f"{', '.join(others)} or {last}" if others else last
