"""What a client may say on the socket: one model for each frame, and nothing else.

Every model is strict and closed: a wrong type, a number out of range or a field that isn't in
spec/wire.md is refused with a code and the field's name. Byte strings are lower-case hex.
"""

from typing import Annotated, Final, Literal
from uuid import UUID

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    JsonValue,
    StringConstraints,
    Tag,
    TypeAdapter,
    WithJsonSchema,
)

ID_LENGTH_MAX: Final = 64
TOKEN_LENGTH_MAX: Final = 256
RESUME_TABLES_MAX: Final = 16
COUNTER_MAX: Final = 2**53 - 1
"""The largest hand, turn, seq or stream: what every client's numbers hold exactly."""

ATTEMPT_MAX: Final = 3
EPOCH_MAX: Final = 8
SEAT_MAX: Final = 7


def _bytes_of(value: object) -> object:
    return bytes.fromhex(value) if isinstance(value, str) and _is_hex(value) else value


def _is_hex(text: str) -> bool:
    return len(text) % 2 == 0 and set(text) <= set("0123456789abcdef")


def _uuid_of(value: object) -> object:
    """Take only the one text of a table that the server itself writes."""
    if isinstance(value, str) and len(value) == 36:
        try:
            parsed = UUID(value)
        except ValueError:
            return value
        return parsed if str(parsed) == value else value
    return value


Hex32 = Annotated[
    bytes,
    BeforeValidator(_bytes_of),
    Field(min_length=32, max_length=32),
    WithJsonSchema({"type": "string", "pattern": "^[0-9a-f]{64}$"}),
]
Hex64 = Annotated[
    bytes,
    BeforeValidator(_bytes_of),
    Field(min_length=64, max_length=64),
    WithJsonSchema({"type": "string", "pattern": "^[0-9a-f]{128}$"}),
]
CommandId = Annotated[
    str, StringConstraints(min_length=1, max_length=ID_LENGTH_MAX, pattern=r"^[\x21-\x7e]+$")
]
TableText = Annotated[UUID, BeforeValidator(_uuid_of)]
Counter = Annotated[int, Field(ge=0, le=COUNTER_MAX)]
Attempt = Annotated[int, Field(ge=0, le=ATTEMPT_MAX)]


class Frame(BaseModel):
    """The base of all: strict, closed, frozen."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class Resumed(Frame):
    """Where a client was at a table: the last `seq` that it saw, and its `stream`."""

    table: TableText
    seq: Counter
    stream: Counter


class Hello(Frame):
    """The first frame: who you are; with `resume` what was missed comes again."""

    t: Literal["hello"]
    id: CommandId
    token: Annotated[str, StringConstraints(min_length=1, max_length=TOKEN_LENGTH_MAX)] | None = (
        None
    )
    resume: Annotated[list[Resumed], Field(max_length=RESUME_TABLES_MAX)] = []


class Watch(Frame):
    """See a table: a snapshot comes, then its events."""

    t: Literal["table.watch"]
    id: CommandId
    table: TableText


class Unwatch(Frame):
    """See it no more."""

    t: Literal["table.unwatch"]
    id: CommandId
    table: TableText


class SitWish(Frame):
    """Which seat; without one it is the first free seat."""

    seat: Annotated[int, Field(ge=0, le=SEAT_MAX)] | None = None


class SitDown(Frame):
    """Take a seat, and watch the table."""

    t: Literal["table.sit"]
    id: CommandId
    table: TableText
    d: SitWish = SitWish()


class LeaveTable(Frame):
    """Get up; in mid-hand the game says what that costs."""

    t: Literal["table.leave"]
    id: CommandId
    table: TableText


class SitOutHands(Frame):
    """Keep the seat, but be out of the next hands."""

    t: Literal["table.sit_out"]
    id: CommandId
    table: TableText


class ComeBack(Frame):
    """Be dealt in again."""

    t: Literal["table.back"]
    id: CommandId
    table: TableText


class WithSeed(Frame):
    """A commitment; `sig` is null for a seat without a key."""

    attempt: Attempt
    commit: Hex32
    pub: Hex32
    sig: Hex64 | None


def _only_true(value: object) -> object:
    """Refuse 1, which equals True but isn't it."""
    return value if isinstance(value, bool) else None


class WithoutSeed(Frame):
    """The server alone brings chance for this seat."""

    attempt: Attempt
    without_seed: Annotated[Literal[True], BeforeValidator(_only_true)]


def _seed_kind(value: object) -> str:
    return "<without>" if isinstance(value, dict) and "without_seed" in value else "<with>"


class DealCommit(Frame):
    """Commit to the seat's entropy (fairdeal/1), or play without a seed of your own."""

    t: Literal["deal.commit"]
    id: CommandId
    table: TableText
    hand: Counter
    d: Annotated[
        Annotated[WithSeed, Tag("<with>")] | Annotated[WithoutSeed, Tag("<without>")],
        Discriminator(_seed_kind),
    ]


class RevealOf(Frame):
    """The link that was committed to."""

    attempt: Attempt
    x: Hex32
    sig: Hex64 | None


class DealReveal(Frame):
    """Reveal x[0] for the signed list: once, after checking it."""

    t: Literal["deal.reveal"]
    id: CommandId
    table: TableText
    hand: Counter
    d: RevealOf


class RevealAgainOf(Frame):
    """A later link, for the shuffle of that epoch."""

    epoch: Annotated[int, Field(ge=1, le=EPOCH_MAX)]
    x: Hex32
    sig: Hex64 | None


class DealRevealAgain(Frame):
    """Reveal the chain's next link for a reshuffle's call."""

    t: Literal["deal.reveal_again"]
    id: CommandId
    table: TableText
    hand: Counter
    d: RevealAgainOf


class PlayMove(Frame):
    """A move; which ones there are is the game's to say (moves.py reads `d`)."""

    t: Literal["play"]
    id: CommandId
    table: TableText
    hand: Counter
    turn: Counter
    d: dict[str, JsonValue]


class Ping(Frame):
    """Ask whether the server is there."""

    t: Literal["ping"]
    id: CommandId


class Pong(Frame):
    """The answer to the server's `ping`: it keeps the seat present."""

    t: Literal["pong"]


TableFrame = Watch | Unwatch | SitDown | LeaveTable | SitOutHands | ComeBack
DealFrame = DealCommit | DealReveal | DealRevealAgain
ClientFrame = Hello | TableFrame | DealFrame | PlayMove | Ping | Pong

CLIENT_FRAME: TypeAdapter[ClientFrame] = TypeAdapter(
    Annotated[ClientFrame, Field(discriminator="t")]
)
