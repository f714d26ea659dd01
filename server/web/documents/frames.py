"""What the server says on the socket: one model for each frame.

The frames themselves are written by the tables (`told.py`, `audience.py`, `bodies.py`) and by
`dispatch.py`; these models describe them, and the tests hold each frame that was sent to them.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from server.web.documents.deal_events import (
    CallBody,
    ClosedBody,
    DealtBody,
    ListBody,
    OpenBody,
    ReshuffledBody,
)
from server.web.documents.table_events import SeatedPlayer, StoodIn, SubstituteAbout
from server.web.documents.values import (
    AttemptIndex,
    CardOpening,
    EpochIndex,
    Hash,
    Id,
    Kind,
    Ms,
    Number,
    Said,
    SeatIndex,
    Signature,
    TableId,
)
from server.web.documents.words import GameOptions, GameView, RefusalCode
from server.web.messages import CommandId


class WelcomedPlayer(Said):
    """Who this socket plays for."""

    id: Id
    name: str
    kind: Kind


class Welcome(Said):
    """The answer to `hello`: who you are, the server's clock, and the keys to pin."""

    t: Literal["welcome"]
    re: CommandId
    player: WelcomedPlayer
    now: Ms
    heartbeat_ms: Number
    server_key: Hash
    log_key: str


class Ok(Said):
    """It is done and committed; `seq` is the table's number when it was answered."""

    t: Literal["ok"]
    re: CommandId
    seq: Number | None = None


class Refused(Said):
    """It is not done; `re` is null if the frame had no id that can be repeated.

    Shape: `text` is English and for logs: clients show their own words for `code`.
    """

    t: Literal["refused"]
    re: CommandId | None
    code: RefusalCode
    text: str
    field: str | None = None
    seq: Number | None = None


class Beat(Said):
    """The heartbeat: answer with `pong`."""

    t: Literal["ping"]
    now: Ms


class EventFrame(Said):
    """One event of a table. `d` is null for whoever may not see it: the numbers stay dense.

    Shape: `T` is the transcript after this event and `sig` the server's signature over it, while a
           hand runs.
    """

    t: Literal["event"]
    table: TableId
    seq: Number
    stream: Number
    now: Ms
    d: Annotated[dict[str, Any] | None, Field(description="the event, by its name `e`")]
    T: Hash | None = None
    sig: Signature | None = None


class TableAbout(Said):
    """What does not change about a table."""

    id: TableId
    name: str
    game: str
    rules: str
    options: GameOptions
    closing: Literal["drain", "now"] | None
    practice: bool


class SeatAbout(SeatedPlayer):
    """A taken seat."""

    seat: SeatIndex
    away: bool
    sits_out: str | None
    leaving: bool
    substitute: SubstituteAbout | None
    stood_in: StoodIn | None


class TranscriptLine(Said):
    """A line of the hand's transcript; `line` is null for a shuffle."""

    k: Number
    line: str | None
    T: Hash
    sig: Signature


class RevealAbout(Said):
    """A reveal that all have seen."""

    seat: SeatIndex
    epoch: EpochIndex
    x: Hash
    sig: Signature | None


class ListedHand(Said):
    """A hand whose list is signed; its cards are not dealt yet."""

    hand: Number
    hand_id: Id
    attempt: AttemptIndex
    listed: ListBody
    revealed: list[RevealAbout]


class PlayedHand(ListedHand):
    """A hand in play, from its first line to what this viewer may see now."""

    heads: list[DealtBody | ReshuffledBody]
    T: Hash
    k: Number
    lines: list[TranscriptLine]
    turn: Number
    view: GameView
    openings: list[CardOpening]
    call: CallBody | None


class OwnCommit(Said):
    """What this viewer has already given to the attempt."""

    committed: bool
    revealed: bool
    revealed_again: bool


class MatchAbout(Said):
    """The match in progress; nobody new may sit in it."""

    number: Number
    first_hand: Number
    seats: list[SeatIndex]


class Snapshot(Said):
    """A table as this viewer may see it.

    Shape: `you` is the seat that this viewer owns, or plays as a substitute; `pilot` says whether
           it is this viewer's to play now.
    """

    table: TableAbout
    seats: list[SeatAbout | None]
    you: SeatIndex | None
    pilot: bool
    match: MatchAbout | None
    phase: Literal["waiting", "commit", "reveal", "play", "reshuffle", "closed"]
    deadline: Ms | None
    waiting: list[SeatIndex]
    attempt: AttemptIndex | None
    open: OpenBody | None
    hand: PlayedHand | ListedHand | None
    last: ClosedBody | None
    commit: OwnCommit


class SnapshotFrame(Said):
    """The whole table, in place of the events that a viewer has missed."""

    t: Literal["snapshot"]
    table: TableId
    seq: Number
    stream: Number
    now: Ms
    d: Snapshot


SERVER_FRAMES = (Welcome, Ok, Refused, Beat, EventFrame, SnapshotFrame)
