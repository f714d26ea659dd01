"""What an operator may choose at a rummy table."""

from dataclasses import dataclass

from server.cards.game import InvalidOption
from server.cards.pack import Pack

SEATS = (4, 6, 8)

PACKS = {4: Pack(2, 2), 6: Pack(2, 2), 8: Pack(3, 3)}
"""By the table's size, not by the number present. Source: rules.md 1.2."""

_RANGES = {
    "rate": (10_000, 1_000_000_000),
    "commission_bps": (0, 2_000),
    "turn_ms": (5_000, 120_000),
    "miss_limit": (1, 20),
    "reshuffle_cap": (1, 8),
}
_SWITCHES = ("open_joker_pick", "return_open_card", "practice")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one table; rules.md section 9 says what each does.

    Units:  `rate` micro-HT a point, `commission_bps` of the gross, `turn_ms` milliseconds.
    Errors: InvalidOption, which names the field.
    """

    seats: int = 6
    rate: int = 1_000_000
    commission_bps: int = 1_000
    turn_ms: int = 30_000
    miss_limit: int = 3
    min_players: int = 2
    open_joker_pick: bool = True
    return_open_card: bool = True
    reshuffle_cap: int = 8
    practice: bool = False

    def __post_init__(self) -> None:
        for field in ("seats", "min_players", *_RANGES):
            if type(getattr(self, field)) is not int:
                raise InvalidOption(field, "must be a whole number")
        for field in _SWITCHES:
            if type(getattr(self, field)) is not bool:
                raise InvalidOption(field, "must be true or false")
        if self.seats not in SEATS:
            raise InvalidOption("seats", "must be 4, 6 or 8")
        for field, (least, most) in {**_RANGES, "min_players": (2, self.seats)}.items():
            if not least <= getattr(self, field) <= most:
                raise InvalidOption(field, f"must be from {least} to {most}")
