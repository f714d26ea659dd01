"""What has happened in a hand of Court Piece; all of it is public, cards are dealt by `Given`."""

from dataclasses import dataclass
from typing import ClassVar

from server.cards.card import Card
from server.cards.game import Event, Seat
from server.cards.substitutes import AutoMoved
from server.cards.tricks import PlayedCard, TrumpSuit
from server.games.court_piece.scoring import Court


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDrawn(Event):
    """Each seat has drawn a card of a pack; the highest chooses trump and so fixes the dealer."""

    name: ClassVar[str] = "first_draw"
    cards: tuple[PlayedCard, ...]
    chooser: Seat
    dealer: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchDealt(Event):
    """Each seat gets `cards` more cards, batch 1, 2 or 3; `Given` events follow."""

    name: ClassVar[str] = "dealt"
    dealer: Seat
    chooser: Seat
    batch: int
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrumpPassed(Event):
    """The choice of trump goes to the partner."""

    name: ClassVar[str] = "trump_passed"
    seat: Seat
    partner: Seat
    auto: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TrumpNamed(Event):
    """A seat has chosen trump."""

    name: ClassVar[str] = "trump_named"
    seat: Seat
    suit: TrumpSuit


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckTurned(Event):
    """The partner's time is over: the dealer has turned a card, and its suit is trump."""

    name: ClassVar[str] = "luck_turned"
    seat: Seat
    dealer: Seat
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayed(Event):
    """A card lies on the table."""

    name: ClassVar[str] = "played"
    seat: Seat
    card: Card
    auto: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickTaken(Event):
    """Four cards lay on the table; `seat` has taken them, its team's `tricks`-th trick."""

    name: ClassVar[str] = "trick_taken"
    seat: Seat
    team: int
    tricks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCounted(Event):
    """A team has won the hand.

    Shape: teams are 0 (seats 0 and 2) and 1; `tricks` and `score` are by team, the score with this
           hand. `gained` are points or courts, `bonus` of them for seven hands in a row; `run` are
           the hands that the team has now won in a row.
    """

    name: ClassVar[str] = "counted"
    team: int
    callers: int
    court: Court
    tricks: tuple[int, ...]
    gained: int
    bonus: int
    run: int
    score: tuple[int, ...]


EVENT_TYPES: tuple[type[Event], ...] = (
    CardsDrawn,
    BatchDealt,
    AutoMoved,
    TrumpPassed,
    TrumpNamed,
    LuckTurned,
    CardPlayed,
    TrickTaken,
    HandCounted,
)
"""All of them but those that every game has: the documents are made from this list."""
