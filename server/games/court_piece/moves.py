"""What a player may say. `name` is the move's name on the wire."""

from dataclasses import dataclass
from typing import ClassVar

from server.cards.card import Card
from server.cards.tricks import TrumpSuit


@dataclass(frozen=True, slots=True)
class NameTrump:
    """Choose the trump suit from the first five cards."""

    name: ClassVar[str] = "trump"
    suit: TrumpSuit


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave the choice of trump to the partner."""

    name: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card to the trick."""

    name: ClassVar[str] = "play"
    card: Card


Move = NameTrump | Pass | Play
MOVE_TYPES: tuple[type[Move], ...] = (NameTrump, Pass, Play)
