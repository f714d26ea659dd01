"""The events of a table's seats and of its turns, as the socket has them."""

from typing import Literal

from server.web.documents.deal_events import DEAL_EVENTS, InHand
from server.web.documents.values import Kind, Ms, Number, Pseudonym, Said, SeatIndex


class SeatedPlayer(Said):
    """Who sits in a seat."""

    name: str
    kind: Kind
    pseudonym: Pseudonym


class SeatTaken(Said):
    """Somebody sat down."""

    e: Literal["seat.taken"]
    seat: SeatIndex
    player: SeatedPlayer


class SeatLeft(Said):
    """A seat is free."""

    e: Literal["seat.left"]
    seat: SeatIndex
    why: str


class SeatChanged(Said):
    """A seat fell silent, sits out (`sits_out` says why), or is back."""

    e: Literal["seat.away", "seat.back", "seat.sits_out"]
    seat: SeatIndex
    away: bool
    sits_out: str | None
    why: str


class StoodIn(Said):
    """The bot that the hand in play is listed with, though the seat's owner is back since."""

    kind: Kind
    pseudonym: Pseudonym


class SubstituteAbout(SeatedPlayer):
    """The bot that plays a seat; `why` its owner does not: `left`, `misses` or `absent`."""

    why: str


class SeatPilot(Said):
    """Who plays a seat from now on: a substitute, or its owner again (`substitute` is null).

    Shape: `player` is the owner, who keeps the seat until the match is over.
    """

    e: Literal["seat.substituted", "seat.returned"]
    seat: SeatIndex
    player: SeatedPlayer
    substitute: SubstituteAbout | None


class MatchAbandoned(Said):
    """Everybody has left the match in progress; it has no result."""

    e: Literal["match.abandoned"]
    number: Number


class SeatGone(InHand):
    """The owner of a seat got up in mid-hand; what that costs follows."""

    e: Literal["seat.gone"]
    seat: SeatIndex


class HandedOver(InHand):
    """By the game's rules a substitute plays the seat on; `seat.substituted` names it."""

    e: Literal["handed_over"]
    seat: SeatIndex
    why: Literal["left", "misses"]


class TakenBack(InHand):
    """By the game's rules the seat's owner plays it again."""

    e: Literal["taken_back"]
    seat: SeatIndex


class TableClosing(Said):
    """The table closes: after the hand (`drain`) or now."""

    e: Literal["table.closing"]
    drain: bool


class TableClosed(Said):
    """The table is closed."""

    e: Literal["table.closed"]


class TimeGivenBack(Said):
    """The server lost time: the seats have until the new deadline."""

    e: Literal["time.given_back"]
    seats: list[SeatIndex]
    ms: Ms
    why: str
    deadline: Ms


class TurnBegan(InHand):
    """A decision's clock starts: `play` frames name this `turn`, until `deadline`."""

    e: Literal["turn"]
    seats: list[SeatIndex]
    turn: Number
    deadline: Ms


class HandVoidByRule(InHand):
    """The hand ends without a result by the game's own rule."""

    e: Literal["void"]
    reason: str


TABLE_EVENTS = (
    SeatTaken,
    SeatLeft,
    SeatChanged,
    SeatPilot,
    MatchAbandoned,
    SeatGone,
    HandedOver,
    TakenBack,
    TableClosing,
    TableClosed,
    TimeGivenBack,
    TurnBegan,
    HandVoidByRule,
    *DEAL_EVENTS,
)
"""Every event that is told at any game's table; the game's own come besides."""
