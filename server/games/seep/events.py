"""What has happened in a hand of Seep; all of it is public, cards are dealt by `Given`."""

from dataclasses import dataclass
from typing import ClassVar

from server.cards.card import Card
from server.cards.game import Event, Seat
from server.cards.substitutes import AutoMoved


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstFourDealt(Event):
    """The bidder holds four cards, four more lie face down on the floor."""

    name: ClassVar[str] = "dealt"
    dealer: Seat
    bidder: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Redealt(Event):
    """None of the bidder's first four `cards` is a nine or more: the hand ends without a result."""

    name: ClassVar[str] = "redeal"
    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BidMade(Event):
    """The bid; the floor's cards and the rest of each hand are given with it."""

    name: ClassVar[str] = "bid"
    seat: Seat
    value: int
    auto: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorOpened(Event):
    """The four cards on the floor."""

    name: ClassVar[str] = "floor_opened"
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardThrown(Event):
    """A card lies loose on the floor."""

    name: ClassVar[str] = "thrown"
    seat: Seat
    card: Card
    auto: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsTaken(Event):
    """A card took `cards` from the floor, those of `house` among them; 0 if no house was taken."""

    name: ClassVar[str] = "taken"
    seat: Seat
    card: Card
    cards: tuple[Card, ...]
    house: int
    auto: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseBuilt(Event):
    """A house is new, or was added to (`added`); `cards` went in from the floor.

    Shape: `house_cards`, `owners` and `is_pakka` are those of the house as it lies now.
    """

    name: ClassVar[str] = "built"
    seat: Seat
    value: int
    card: Card
    cards: tuple[Card, ...]
    added: bool
    house_cards: tuple[Card, ...]
    owners: tuple[Seat, ...]
    is_pakka: bool
    auto: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRaised(Event):
    """A kacha house of `house` is one of `value` now; `cards` joined it from the floor."""

    name: ClassVar[str] = "raised"
    seat: Seat
    house: int
    value: int
    card: Card
    cards: tuple[Card, ...]
    house_cards: tuple[Card, ...]
    owners: tuple[Seat, ...]
    is_pakka: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeepMade(Event):
    """The floor was cleared in one play. Units: points, 50, 25 or 0."""

    name: ClassVar[str] = "seep"
    seat: Seat
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftoversTaken(Event):
    """What lay on the floor at the end goes to the pair that took last."""

    name: ClassVar[str] = "leftovers"
    team: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsCounted(Event):
    """The deal's count, for the pair of seats 0 and 2 and for that of 1 and 3.

    Units: points. `lead` is that of the first pair over the second in the match, after this deal;
           `under_nine` is the pair that loses the match at once, -1 if none does.
    """

    name: ClassVar[str] = "counted"
    card_points: tuple[int, ...]
    seep_points: tuple[int, ...]
    lead: int
    under_nine: int


EVENT_TYPES: tuple[type[Event], ...] = (
    FirstFourDealt,
    Redealt,
    AutoMoved,
    BidMade,
    FloorOpened,
    CardThrown,
    CardsTaken,
    HouseBuilt,
    HouseRaised,
    SeepMade,
    LeftoversTaken,
    PointsCounted,
)
"""All of them but those that every game has: the documents are made from this list."""
