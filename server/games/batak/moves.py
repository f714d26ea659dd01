"""What a player may say. `name` is the move's name on the wire."""

from dataclasses import dataclass
from typing import ClassVar

from server.cards.card import Card
from server.cards.tricks import TrumpSuit


@dataclass(frozen=True, slots=True)
class Bid:
    """Promise to take so many tricks of the thirteen."""

    name: ClassVar[str] = "bid"
    tricks: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave the auction for good."""

    name: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class NameTrump:
    """Choose the trump suit, as the winner of the auction."""

    name: ClassVar[str] = "trump"
    suit: TrumpSuit


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card to the trick."""

    name: ClassVar[str] = "play"
    card: Card


Move = Bid | Pass | NameTrump | Play
MOVE_TYPES: tuple[type[Move], ...] = (Bid, Pass, NameTrump, Play)
