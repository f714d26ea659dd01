"""What a player may say. `name` is the move's name on the wire."""

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from server.cards.card import Card

Source = Literal["closed", "open"]


class Place(NamedTuple):
    """A card by where the shuffle put it: `@0.53` is position 53 of epoch 0."""

    epoch: int
    position: int


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the top card of a pile."""

    name: ClassVar[str] = "draw"
    from_: Source


@dataclass(frozen=True, slots=True)
class Discard:
    """Lay a card of the holding on the open pile; the turn is over."""

    name: ClassVar[str] = "discard"
    card: Card


@dataclass(frozen=True, slots=True)
class Declare:
    """Put `finish` face down and show the other thirteen cards; `groups` are for show alone."""

    name: ClassVar[str] = "declare"
    finish: Card | Place
    groups: tuple[tuple[Card, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class Drop:
    """Give the hand up, in turn and before drawing."""

    name: ClassVar[str] = "drop"


Move = Draw | Discard | Declare | Drop
MOVE_TYPES: tuple[type[Move], ...] = (Draw, Discard, Declare, Drop)
