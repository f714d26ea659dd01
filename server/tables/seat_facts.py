"""The facts of seats: who owns one, who plays it, and the match that they are in."""

from typing import Final, Literal

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

CONFIG: Final = ConfigDict(ser_json_bytes="hex", val_json_bytes="hex", extra="forbid")


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class SatSubstitute:
    """The bot that plays a seat in its owner's place, and why."""

    player: int
    pseudonym: bytes
    why: str


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class SatChair:
    """A seat's owner as the checkpoint of a new hand keeps it; names are not journalled.

    Shape: `leaving`, `returning` and `substitute` are of a match in progress alone.
    """

    seat: int
    player: int
    kind: int
    pseudonym: bytes
    away: bool
    sits_out: str | None
    out_since_ms: int | None
    out_hands: int
    hands_played: int
    leaving: bool = False
    returning: bool = False
    substitute: SatSubstitute | None = None


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class RunningMatch:
    """A match of which a hand has closed: its number at the table, its first hand, its seats."""

    number: int
    first_hand: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class SeatTaken:
    """A player sat down. The name is looked up by the fold: who leaves us takes it along."""

    fact: Literal["seat_taken"] = "seat_taken"
    seat: int
    player: int
    kind: int
    pseudonym: bytes


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class SeatLeft:
    """A seat is free again."""

    fact: Literal["seat_left"] = "seat_left"
    seat: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class SeatChanged:
    """A seat went away, came back, sits out, or is about to leave or to be taken back."""

    fact: Literal["seat_changed"] = "seat_changed"
    seat: int
    away: bool
    sits_out: str | None
    leaving: bool
    why: str
    at_ms: int
    returning: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class SeatSubstituted:
    """A bot plays a seat in its owner's place until the owner is back or the match is over."""

    fact: Literal["seat_substituted"] = "seat_substituted"
    seat: int
    player: int
    pseudonym: bytes
    why: str


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class SeatReturned:
    """The owner plays its seat itself again."""

    fact: Literal["seat_returned"] = "seat_returned"
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class MatchAbandoned:
    """Everybody has left the match in progress: it has no result, and the seats are free."""

    fact: Literal["match_abandoned"] = "match_abandoned"
    at_ms: int
