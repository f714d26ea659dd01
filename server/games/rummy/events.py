"""What has happened in a hand of rummy; all of it is public, cards are dealt by `Given`."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from server.cards.card import Card
from server.cards.game import Event, Seat
from server.games.rummy.melds import Case
from server.games.rummy.moves import Place, Source

Groups = tuple[tuple[Card, ...], ...]

WhyOut = Literal["drop", "miss", "left", "wrong_declare"]
"""How a seat went out: by its own drop, by the clock, by leaving the table, by a wrong declare."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDealt(Event):
    """Each of `seats` holds thirteen cards, dealt from `first` on; `Given` events follow."""

    name: ClassVar[str] = "dealt"
    first: Seat
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WildTurned(Event):
    """The turned card; `wild_rank` is empty if only the printed jokers are wild."""

    name: ClassVar[str] = "turned"
    card: Card
    wild_rank: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PileOpened(Event):
    """The first card of the open pile."""

    name: ClassVar[str] = "opened"
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoMoved(Event):
    """The clock plays for a seat: its `misses`-th missed turn in a row, of `miss_limit`."""

    name: ClassVar[str] = "auto_moved"
    seat: Seat
    misses: int
    miss_limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDrawn(Event):
    """A seat has drawn: `place` from the closed pile, or `card` from the open one."""

    name: ClassVar[str] = "drawn"
    seat: Seat
    source: Source
    auto: bool
    place: Place | None = None
    card: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDiscarded(Event):
    """A card lies on the open pile."""

    name: ClassVar[str] = "discarded"
    seat: Seat
    card: Card
    auto: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatDropped(Event):
    """A seat is out at a fixed price."""

    name: ClassVar[str] = "dropped"
    seat: Seat
    why: WhyOut
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatDeclared(Event):
    """A seat put its finish card face down; `groups` are those it sent, empty if none."""

    name: ClassVar[str] = "declared"
    seat: Seat
    finish: Place
    groups: Groups = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongDeclare(Event):
    """The thirteen cards shown can't be completed: the seat is out, all fourteen out of play."""

    name: ClassVar[str] = "wrong_declare"
    seat: Seat
    points: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandShown(Event):
    """A holding at its best arrangement; `submitted` are the declarer's own groups, if any."""

    name: ClassVar[str] = "shown"
    seat: Seat
    cards: tuple[Card, ...]
    groups: Groups
    loose: tuple[Card, ...]
    points: int
    case: Case
    submitted: Groups = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReshuffleCalled(Event):
    """The closed pile is empty: all of the open pile but its top will be shuffled.

    Units: `epoch` is the coming shuffle's number, `cards` how many will be shuffled.
    """

    name: ClassVar[str] = "reshuffle_called"
    epoch: int
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PileReshuffled(Event):
    """The closed pile is new."""

    name: ClassVar[str] = "reshuffled"
    epoch: int
    cards: int


EVENT_TYPES: tuple[type[Event], ...] = (
    HandDealt,
    WildTurned,
    PileOpened,
    AutoMoved,
    CardDrawn,
    CardDiscarded,
    SeatDropped,
    SeatDeclared,
    WrongDeclare,
    HandShown,
    ReshuffleCalled,
    PileReshuffled,
)
"""All of them but those that every game has: the documents are made from this list."""
