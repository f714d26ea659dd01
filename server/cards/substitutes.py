"""Who plays a seat, in the games where a substitute plays a leaver on (rules.md section 7).

A game's state holds a `Pilot` for each seat; the words are those of `server.cards.game`. A seat is
handed over when its owner leaves, or when the clock has played for it too often. A hand
begins with nobody handed over: the table lists a seat that a substitute still plays as a bot's.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from server.cards.game import (
    Event,
    IllegalMove,
    Seat,
    SeatHandedOver,
    SeatInfo,
    SeatKind,
    SeatTakenBack,
)

Why = Literal["left", "misses"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoMoved(Event):
    """The clock plays for a seat: its `misses`-th missed turn in a row, of `miss_limit`."""

    name: ClassVar[str] = "auto_moved"
    seat: Seat
    misses: int
    miss_limit: int


@dataclass(frozen=True, slots=True)
class Pilot:
    """Who plays a seat.

    Shape: `misses` are decisions in a row that the clock made; `handed_over` says why a
           substitute plays it since this hand, `is_bot` that the hand began with one.
    """

    seat: Seat
    is_bot: bool = False
    misses: int = 0
    handed_over: Why | None = None

    @property
    def is_own(self) -> bool:
        """Tell whether the owner plays."""
        return not self.is_bot and self.handed_over is None


Pilots = tuple[Pilot, ...]


def pilots_of(seats: Iterable[SeatInfo]) -> Pilots:
    """List who plays at the beginning of a hand."""
    return tuple(Pilot(info.seat, is_bot=info.kind is SeatKind.BOT) for info in seats)


def pilot_of(pilots: Pilots, seat: Seat) -> Pilot:
    """Find who plays a seat. Errors: IllegalMove if the seat is not in the hand."""
    for pilot in pilots:
        if pilot.seat == seat:
            return pilot
    raise IllegalMove("not_your_turn", "the seat is not in this hand")


def acted(pilots: Pilots, seat: Seat) -> Pilots:
    """Forget an owner's misses: it has made a decision itself."""
    pilot = pilot_of(pilots, seat)
    return _with(pilots, replace(pilot, misses=0)) if pilot.is_own else pilots


@dataclass(frozen=True, slots=True)
class Missed:
    """A decision that the clock makes.

    Shape: `before` are the events before the clock's own move, `after` those that follow it.
    """

    pilots: Pilots
    before: tuple[Event, ...] = ()
    after: tuple[Event, ...] = ()


def missed(pilots: Pilots, seat: Seat, limit: int) -> Missed:
    """Count a decision that the clock makes, and hand the seat over at the limit.

    A substitute's decision is not counted.
    """
    pilot = pilot_of(pilots, seat)
    if not pilot.is_own:
        return Missed(pilots)
    misses = pilot.misses + 1
    before = AutoMoved(seat=seat, misses=misses, miss_limit=limit)
    if misses < limit:
        return Missed(_with(pilots, replace(pilot, misses=misses)), (before,))
    pilot = replace(pilot, misses=misses, handed_over="misses")
    after = SeatHandedOver(seat=seat, why="misses")
    return Missed(_with(pilots, pilot), (before,), (after,))


def left(pilots: Pilots, seat: Seat) -> tuple[Pilots, SeatHandedOver]:
    """Hand the seat of a leaver over. Errors: IllegalMove if it has left already."""
    pilot = pilot_of(pilots, seat)
    if pilot.handed_over == "left":
        raise IllegalMove("already_leaving", "the seat is handed over already")
    pilot = replace(pilot, handed_over="left")
    return _with(pilots, pilot), SeatHandedOver(seat=seat, why="left")


def returned(pilots: Pilots, seat: Seat) -> tuple[Pilots, SeatTakenBack]:
    """Give a seat back to its owner. Errors: IllegalMove if the owner plays it."""
    pilot = pilot_of(pilots, seat)
    if pilot.is_own:
        raise IllegalMove("not_handed_over", "the owner plays this seat already")
    return _with(pilots, Pilot(seat)), SeatTakenBack(seat=seat)


def line_of(event: Event) -> str | None:
    """Write the transcript's line of a handing over: `2 leave`, `2 back`, none for misses."""
    match event:
        case SeatHandedOver(why="left"):
            return f"{event.seat} leave"
        case SeatTakenBack():
            return f"{event.seat} back"
        case _:
            return None


def _with(pilots: Pilots, changed: Pilot) -> Pilots:
    return tuple(changed if pilot.seat == changed.seat else pilot for pilot in pilots)
