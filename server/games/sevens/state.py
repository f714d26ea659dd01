"""Everything needed to go on with a hand."""

from dataclasses import dataclass, replace
from typing import Any

from server.cards.card import Card
from server.cards.game import Scored, Seat
from server.cards.substitutes import Pilots
from server.games.sevens.events import HandShown
from server.games.sevens.lines import Lines, length_of
from server.games.sevens.options import PACK, Options
from server.games.sevens.scoring import Match, pool_of


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat: its holding in the order of the deal, and how often it has passed."""

    seat: Seat
    cards: tuple[Card, ...] = ()
    passes: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """A hand.

    Shape: `seats` are all of the table, ascending. `match` is what was played before this hand.
           `acting` is None before the deal and at the end; `silent` counts the passes since the
           last card.
    """

    options: Options
    seats: tuple[SeatState, ...]
    pilots: Pilots
    match: Match
    dealer: Seat | None
    acting: Seat | None = None
    lines: Lines = ()
    silent: int = 0
    shown: tuple[HandShown, ...] = ()
    scored: Scored | None = None

    @property
    def number(self) -> int:
        """Derive the hand's number in its match, from 1."""
        return self.match.played + 1

    @property
    def scores(self) -> tuple[int, ...]:
        """Derive the match's scores, with this hand's points once it is scored."""
        if self.scored is None:
            return self.match.scores
        points = (points for _, points in self.scored.points)
        return tuple(sum(pair) for pair in zip(self.match.scores, points, strict=True))

    @property
    def pool(self) -> int:
        """Derive the chips in the middle, 0 where no chips are played for."""
        return pool_of([player.passes for player in self.seats]) if self.options.has_chips else 0

    def player(self, seat: Seat) -> SeatState:
        """Find a seat; a seat's number is its place, for every seat is dealt in."""
        return self.seats[seat]

    def after(self, seat: Seat) -> Seat:
        """Derive the seat at the left of another."""
        return Seat((seat + 1) % len(self.seats))

    def with_player(self, seat: Seat, **changes: Any) -> "State":
        """Make the state in which one seat has changed."""
        return replace(
            self,
            seats=tuple(
                replace(player, **changes) if player.seat == seat else player
                for player in self.seats
            ),
        )

    def is_whole(self) -> bool:
        """Tell whether every card is in exactly one place, by their number."""
        held = sum(len(player.cards) for player in self.seats)
        return held + length_of(self.lines) == PACK.size
