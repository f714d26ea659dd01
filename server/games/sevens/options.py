"""What an operator may choose at a table of Badam Satti or of Sevens."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from server.cards.card import Card
from server.cards.free_table import FreeTable
from server.cards.pack import Pack

SEATS = (3, 4, 5, 6, 7)
PACK = Pack(1, 0)


@dataclass(frozen=True, slots=True)
class Options(FreeTable):
    """The options of both games; what differs between the games is no option.

    Shape:  `opener` is the seven that is laid first; `has_chips` tells whether a hand is paid in
            chips (Sevens) or counted in penalty points (Badam Satti).
    Errors: InvalidOption, which names the field.
    Source: rules.md 7.
    """

    choices: ClassVar[Mapping[str, tuple[int | str, ...]]] = {"seats": SEATS, "hands": (3, 5)}
    opener: ClassVar[Card]
    has_chips: ClassVar[bool]

    hands: int = 5


@dataclass(frozen=True, slots=True)
class BadamSattiOptions(Options):
    """Badam Satti: the seven of hearts, penalty points."""

    opener: ClassVar[Card] = Card("7H")
    has_chips: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class SevensOptions(Options):
    """British Sevens: the seven of diamonds, chips."""

    opener: ClassVar[Card] = Card("7D")
    has_chips: ClassVar[bool] = True
