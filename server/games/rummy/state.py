"""Everything needed to go on with a hand of rummy."""

from dataclasses import dataclass, replace
from typing import Any

from server.cards.card import Card
from server.cards.game import Scored, Seat
from server.games.rummy.events import HandShown, WhyOut
from server.games.rummy.moves import Place, Source
from server.games.rummy.options import PACKS, Options
from server.games.rummy.scoring import wild_rank_of


@dataclass(frozen=True, slots=True)
class SeatState:
    """One listed seat.

    Shape: `cards` is its holding in the order received, empty once it is out; `known` are those of
           them that all have seen it take from the open pile. `misses` are turns in a row that the
           clock finished. `laid_down` are the cards of a seat that is out.
    """

    seat: Seat
    cards: tuple[Card, ...] = ()
    known: frozenset[Card] = frozenset()
    has_drawn: bool = False
    misses: int = 0
    out: WhyOut | None = None
    points: int = 0
    laid_down: tuple[Card, ...] = ()
    finish: Place | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """The card that the acting seat drew in this turn."""

    card: Card
    source: Source


@dataclass(frozen=True, slots=True)
class Pending:
    """A closed draw that waits for a reshuffle; `auto` if the clock plays it."""

    auto: bool


@dataclass(frozen=True, slots=True)
class State:
    """A hand.

    Shape: `orders` has one order of cards for each shuffle; `next_position` is the top of the
           closed pile in the last of them. `open_pile` lies bottom to top, `discards` are all of
           the hand. `acting` is None before the deal and at the end. `ended` without `scored` is
           a void hand.
    """

    options: Options
    seats: tuple[SeatState, ...]
    first: Seat | None
    acting: Seat | None = None
    drawn: Drawn | None = None
    pending: Pending | None = None
    orders: tuple[tuple[Card, ...], ...] = ()
    next_position: int = 0
    turned: Card | None = None
    open_pile: tuple[Card, ...] = ()
    discards: tuple[tuple[Seat, Card], ...] = ()
    shown: tuple[HandShown, ...] = ()
    scored: Scored | None = None
    ended: bool = False

    @property
    def wild_rank(self) -> str | None:
        """Derive the wild rank; None if only the printed jokers are wild."""
        return None if self.turned is None else wild_rank_of(self.turned)

    @property
    def epoch(self) -> int:
        """Derive the number of the last shuffle, 0 for the deal's."""
        return len(self.orders) - 1

    @property
    def closed_pile(self) -> tuple[Card, ...]:
        """Derive the closed pile, top first."""
        return self.orders[-1][self.next_position :] if self.orders else ()

    @property
    def in_play(self) -> tuple[SeatState, ...]:
        """List the seats that are not out, ascending."""
        return tuple(player for player in self.seats if player.out is None)

    def player(self, seat: Seat) -> SeatState:
        """Find a listed seat. Errors: KeyError if it is not listed."""
        for player in self.seats:
            if player.seat == seat:
                return player
        raise KeyError(seat)

    def place_of(self, card: Card) -> Place:
        """Derive where the card's latest shuffle put it. Errors: KeyError if none did."""
        for epoch in range(self.epoch, -1, -1):
            if card in self.orders[epoch]:
                return Place(epoch, self.orders[epoch].index(card))
        raise KeyError(card)

    def after(self, seat: Seat) -> Seat:
        """Derive the next seat in playing order that is not out."""
        playing = [player.seat for player in self.in_play]
        return next((other for other in playing if other > seat), playing[0])

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
        """Tell whether every card of the pack is in exactly one place, by their number."""
        held = sum(len(player.cards) + len(player.laid_down) for player in self.seats)
        finished = sum(player.finish is not None for player in self.seats)
        table = len(self.closed_pile) + len(self.open_pile) + (self.turned is not None)
        return held + finished + table == PACKS[self.options.seats].size
