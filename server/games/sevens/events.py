"""What has happened in a hand; all of it is public, cards are dealt by `Given`."""

from dataclasses import dataclass
from typing import ClassVar

from server.cards.card import Card
from server.cards.game import Event, Seat
from server.cards.substitutes import AutoMoved


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDealt(Event):
    """Hand `number` of `hands` is dealt, from the seat at the dealer's left on; `Given`s follow.

    Shape: `counts` has one (seat, cards) for each seat, ascending.
    Units: `ante` chips of each seat, 0 where no chips are played for; `pool` chips of all.
    """

    name: ClassVar[str] = "dealt"
    dealer: Seat
    number: int
    hands: int
    counts: tuple[tuple[Seat, int], ...]
    ante: int
    pool: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayed(Event):
    """A card lies in its line; `left` cards are in the seat's holding."""

    name: ClassVar[str] = "played"
    seat: Seat
    card: Card
    left: int
    auto: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPassed(Event):
    """A seat could lay nothing. Units: `chips` that the pass costs, `pool` chips with them."""

    name: ClassVar[str] = "passed"
    seat: Seat
    chips: int
    pool: int
    auto: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HandShown(Event):
    """The cards that a seat has left at the end.

    Units: `cost` is what they cost: penalty points, or a chip for each card.
    """

    name: ClassVar[str] = "shown"
    seat: Seat
    cards: tuple[Card, ...]
    cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolTaken(Event):
    """The winner takes the pool and a chip for each card left. Units: chips."""

    name: ClassVar[str] = "pool_taken"
    seat: Seat
    pool: int
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStanding(Event):
    """The match after hand `number` of `hands`.

    Shape: `scores` has one (seat, score) for each seat, ascending; `winners` are those who have
           won the match, none before its last hand.
    """

    name: ClassVar[str] = "standing"
    number: int
    hands: int
    scores: tuple[tuple[Seat, int], ...]
    winners: tuple[Seat, ...]


EVENT_TYPES: tuple[type[Event], ...] = (
    HandDealt,
    AutoMoved,
    CardPlayed,
    SeatPassed,
    HandShown,
    PoolTaken,
    MatchStanding,
)
"""All of them but those that every game has: the documents are made from this list."""
