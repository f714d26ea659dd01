"""What has happened in a hand of Batak; all of it is public, cards are dealt by `Given`."""

from dataclasses import dataclass
from typing import ClassVar

from server.cards.card import Card
from server.cards.game import Event, Seat
from server.cards.substitutes import AutoMoved
from server.cards.tricks import TrumpSuit


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDealt(Event):
    """Each seat holds thirteen cards; `deal` of `deals` in this match. `Given` events follow."""

    name: ClassVar[str] = "dealt"
    dealer: Seat
    deal: int
    deals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BidMade(Event):
    """A seat has promised to take so many tricks."""

    name: ClassVar[str] = "bid_made"
    seat: Seat
    tricks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPassed(Event):
    """A seat is out of the auction."""

    name: ClassVar[str] = "passed"
    seat: Seat
    auto: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionWon(Event):
    """The auction is over; `is_forced` if all have passed and the dealer must play for four."""

    name: ClassVar[str] = "auction_won"
    seat: Seat
    tricks: int
    is_forced: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TrumpNamed(Event):
    """The bidder has chosen trump, and leads."""

    name: ClassVar[str] = "trump_named"
    seat: Seat
    suit: TrumpSuit
    auto: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayed(Event):
    """A card lies on the table."""

    name: ClassVar[str] = "played"
    seat: Seat
    card: Card
    auto: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickTaken(Event):
    """Four cards lay on the table; `seat` has taken them, its `tricks`-th trick."""

    name: ClassVar[str] = "trick_taken"
    seat: Seat
    tricks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCounted(Event):
    """What each seat owed, took and got, and the match so far; all by seat."""

    name: ClassVar[str] = "counted"
    owed: tuple[int, ...]
    tricks: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


EVENT_TYPES: tuple[type[Event], ...] = (
    HandDealt,
    AutoMoved,
    BidMade,
    SeatPassed,
    AuctionWon,
    TrumpNamed,
    CardPlayed,
    TrickTaken,
    HandCounted,
)
"""All of them but those that every game has: the documents are made from this list."""
