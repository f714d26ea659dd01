"""The words for seats: where somebody sits, whose the seat is, which way round they go."""

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import NewType

Seat = NewType("Seat", int)
"""A place at the table; the index grows in playing order."""

DEALER = Seat(-1)
"""The seat of chance: only the actor plays for it, with an order that can be checked."""


class SeatKind(IntEnum):
    """Who owns a seat; the numbers are fairdeal/1's."""

    HUMAN = 1
    BOT = 2


class Direction(Enum):
    """Which way round the seats go, for the drawing alone."""

    CLOCKWISE = "clockwise"
    COUNTER_CLOCKWISE = "counter_clockwise"


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A seat that is dealt in."""

    seat: Seat
    kind: SeatKind
    matches_played: int = 0
