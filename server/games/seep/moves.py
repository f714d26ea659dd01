"""What a player may say. `name` is the move's name on the wire.

`cards` are the floor cards that a play takes or joins. They may be left out where the rules leave
one choice alone.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.cards.card import Card


@dataclass(frozen=True, slots=True)
class Bid:
    """Promise to build the house of that value, or to take that value, with the first play."""

    name: ClassVar[str] = "bid"
    value: int


@dataclass(frozen=True, slots=True)
class Throw:
    """Lay a card that can take nothing loose on the floor."""

    name: ClassVar[str] = "throw"
    card: Card


@dataclass(frozen=True, slots=True)
class Take:
    """Take the house of the card's value, whole, and loose cards; `cards` names all of them."""

    name: ClassVar[str] = "take"
    card: Card
    cards: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class Build:
    """Build the house of that value, or add to it; `cards` are the loose cards that go in.

    As many of them as make the choice clear will do: the other sets join by themselves.
    """

    name: ClassVar[str] = "build"
    value: int
    card: Card
    cards: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class Raise:
    """Add one card to an opponent's kacha house; `cards` are the loose cards that join it then."""

    name: ClassVar[str] = "raise"
    house: int
    card: Card
    cards: tuple[Card, ...] | None = None


Play = Throw | Take | Build | Raise
Move = Bid | Play
MOVE_TYPES: tuple[type[Move], ...] = (Bid, Throw, Take, Build, Raise)
