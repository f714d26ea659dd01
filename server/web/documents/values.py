"""The words of the socket's frames: how a hash, a seat or an amount is written."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from server.web.amounts import Micro
from server.web.messages import ATTEMPT_MAX, COUNTER_MAX, EPOCH_MAX, SEAT_MAX

LINE_MAX: Final = 4_096

Hex = Annotated[str, Field(pattern="^([0-9a-f]{2})*$")]
Hash = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="32 bytes, lower-case hex")]
Signature = Annotated[str, Field(pattern="^[0-9a-f]{128}$", description="Ed25519, lower-case hex")]
Pseudonym = Annotated[
    str, Field(pattern="^[0-9a-f]{32}$", description="who this player is, at this table alone")
]
SeatIndex = Annotated[int, Field(ge=0, le=SEAT_MAX, description="a seat, in playing order")]
Number = Annotated[int, Field(ge=0, le=COUNTER_MAX)]
AttemptIndex = Annotated[int, Field(ge=0, le=ATTEMPT_MAX)]
EpochIndex = Annotated[int, Field(ge=0, le=EPOCH_MAX)]
Ms = Annotated[int, Field(ge=0, le=COUNTER_MAX, description="the server's milliseconds")]
Id = Annotated[str, Field(pattern="^[1-9][0-9]{0,18}$", description="a number, as text")]
TableId = Annotated[str, Field(pattern="^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
Kind = Literal["human", "bot"]
Amount = Micro
CardText = Annotated[
    str,
    Field(
        pattern="^([A23456789TJQK][SHDC]|JK)(#[1-9])?$",
        description="rank and suit, `#d` for a copy of pack d >= 1; JK is a printed joker",
    ),
]


class Said(BaseModel):
    """The base of what the server says: closed, like what it hears."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LogEntry(Said):
    """An entry's place in the public log, its proof, and the checkpoint that holds it.

    Shape: `path` and `checkpoint` are null where the entry was written before there were any.
    """

    index: Number
    size: Number
    root: Hash
    entry: Hex
    path: list[Hash] | None
    checkpoint: str | None


class CardOpening(Said):
    """The proof that a card lay at that place of the shuffle, against the root of its HEAD."""

    epoch: EpochIndex
    position: Number
    card: CardText
    salt: Hex
    path: list[Hash]


class HandMatch(Said):
    """The match that a hand belongs to; with its last hand it is `over`, and has `winners`."""

    number: Number
    over: bool
    winners: list[SeatIndex]
