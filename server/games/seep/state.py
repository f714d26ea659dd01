"""Everything needed to go on with a hand of Seep."""

from dataclasses import dataclass, replace
from typing import Any

from server.cards.card import Card
from server.cards.game import Scored, Seat
from server.cards.substitutes import Pilots
from server.games.seep.captures import Floor
from server.games.seep.moves import Play
from server.games.seep.options import PACK, SEATS, Options
from server.games.seep.scoring import Account, Pair
from server.games.seep.turns import Position

FIRST_FOUR = 4
HAND_CARDS = 12
PLAYS = SEATS * HAND_CARDS
EMPTY_FLOOR = Floor()


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat. Shape: `cards` is its holding in the order received."""

    seat: Seat
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A hand.

    Shape: `order` is the pack as it was dealt, empty before; `bid` is 0 before the bid. `taken` and
           `seeps` are those of the pair of seats 0 and 2, and of the pair of 1 and 3. `last` is the
           latest play and who made it. `redealt` are the first four of a hand without a bid.
    """

    options: Options
    seats: tuple[SeatState, ...]
    pilots: Pilots
    account: Account
    dealer: Seat | None
    acting: Seat | None = None
    order: tuple[Card, ...] = ()
    bid: int = 0
    floor: Floor = EMPTY_FLOOR
    taken: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    seeps: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    last_taker: int | None = None
    plays: int = 0
    last: tuple[Seat, Play] | None = None
    redealt: tuple[Card, ...] = ()
    counted: tuple[Pair, Pair] | None = None
    scored: Scored | None = None

    @property
    def bidder(self) -> Seat | None:
        """Derive who bids and plays first: the seat on the dealer's right. Source: rules.md 2.2."""
        return None if self.dealer is None else Seat((self.dealer + 1) % SEATS)

    def player(self, seat: Seat) -> SeatState:
        """Find a seat. Errors: KeyError if it is not in the hand."""
        for player in self.seats:
            if player.seat == seat:
                return player
        raise KeyError(seat)

    def position(self, seat: Seat) -> Position:
        """Derive what a seat's play is judged by. Errors: KeyError if it is not in the hand."""
        return Position(
            seat,
            self.player(seat).cards,
            self.floor,
            due=0 if self.plays else self.bid,
            partner_may_raise=self.options.partner_may_raise,
        )

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
        """Tell whether every card that was dealt is in exactly one place."""
        places = [card for player in self.seats for card in player.cards]
        places += [*self.floor.cards, *self.taken[0], *self.taken[1]]
        if not self.bid:
            return sorted(places) == sorted(self.order[:FIRST_FOUR])
        return sorted(places) == sorted(PACK.cards)
