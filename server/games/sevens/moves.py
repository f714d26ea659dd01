"""What a player may say. `name` is the move's name on the wire."""

from dataclasses import dataclass
from typing import ClassVar

from server.cards.card import Card


@dataclass(frozen=True, slots=True)
class Play:
    """Lay a card that fits: a seven, or the next at an end of a line."""

    name: ClassVar[str] = "play"
    card: Card


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass, because no card fits."""

    name: ClassVar[str] = "pass"


Move = Play | Pass
MOVE_TYPES: tuple[type[Move], ...] = (Play, Pass)
