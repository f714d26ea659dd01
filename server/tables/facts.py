"""What the journal stores: facts about a table, each one fold step, none with a hidden card.

A fact is a small record of what was decided; everything else (events, signatures, cards) is
derived from the facts before it and from the sealed seed. The journal's rows are these, as JSON.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter
from pydantic.dataclasses import dataclass

from server.tables.seat_facts import CONFIG as _CONFIG
from server.tables.seat_facts import MatchAbandoned as MatchAbandoned
from server.tables.seat_facts import RunningMatch as RunningMatch
from server.tables.seat_facts import SatChair as SatChair
from server.tables.seat_facts import SatSubstitute as SatSubstitute
from server.tables.seat_facts import SeatChanged as SeatChanged
from server.tables.seat_facts import SeatLeft as SeatLeft
from server.tables.seat_facts import SeatReturned as SeatReturned
from server.tables.seat_facts import SeatSubstituted as SeatSubstituted
from server.tables.seat_facts import SeatTaken as SeatTaken


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class LogPlace:
    """Where an entry stands in the public log, and the log's head with it.

    Shape: `path` proves the entry at that head, and `checkpoint` is the head as the log's key
           signed it then; facts of 0.1 have neither.
    """

    index: int
    size: int
    root: bytes
    entry: bytes
    path: tuple[bytes, ...] | None = None
    checkpoint: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class HandOpened:
    """The next hand is open. The fold of a table may start at any of these.

    Shape: `matches` have ended at the table; `match` is the one in progress.
    """

    fact: Literal["hand_opened"] = "hand_opened"
    hand_id: int
    hand_no: int
    hands: tuple[bytes, ...]
    commits: tuple[bytes, ...]
    spec: bytes
    log: LogPlace
    chairs: tuple[SatChair, ...]
    dealer: int | None
    memo: str
    fresh: bool
    closing: str | None
    not_before_ms: int
    matches: int = 0
    match: RunningMatch | None = None


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class CommitsCalled:
    """The seats of an attempt are asked to commit."""

    fact: Literal["commits_called"] = "commits_called"
    attempt: int
    invited: tuple[int, ...]
    deadline_ms: int


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Committed:
    """A seat committed, or chose to play without its seed (no `pub`, no `sig`, zeros)."""

    fact: Literal["committed"] = "committed"
    seat: int
    status: int
    pub: bytes
    commit: bytes
    sig: bytes | None
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Listed:
    """The list of the attempt was signed, and its tokens are held.

    Shape: `matches` says how many matches of the game the owner of each seat has finished, none
           for nobody; `absent` are those of `seats` whose substitute did not commit.
    """

    fact: Literal["listed"] = "listed"
    seats: tuple[int, ...]
    sat_out: tuple[tuple[int, str], ...]
    deadline_ms: int
    at_ms: int
    matches: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Revealed:
    """A seat revealed its value for the deal (epoch 0) or for a reshuffle."""

    fact: Literal["revealed"] = "revealed"
    seat: int
    epoch: int
    x: bytes
    sig: bytes | None
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Dealt:
    """The pack was derived; `root` is what the fold must find again."""

    fact: Literal["dealt"] = "dealt"
    root: bytes
    log: LogPlace
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Moved:
    """A move, in the game's own notation."""

    fact: Literal["moved"] = "moved"
    line: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class AgainCalled:
    """The closed pile is exhausted: the seats are asked for fresh entropy."""

    fact: Literal["again_called"] = "again_called"
    epoch: int
    waiting: tuple[int, ...]
    deadline_ms: int
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Reshuffled:
    """The discards were shuffled; `root` is what the fold must find again."""

    fact: Literal["reshuffled"] = "reshuffled"
    root: bytes
    log: LogPlace
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class AttemptVoided:
    """An attempt was given up; its seed is public from now on."""

    fact: Literal["attempt_voided"] = "attempt_voided"
    reason: int
    seed: bytes
    log: LogPlace
    sat_out: tuple[tuple[int, str], ...]
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class HandCancelled:
    """The hand number is given up; holds are released."""

    fact: Literal["hand_cancelled"] = "hand_cancelled"
    reason: int
    log: LogPlace
    sat_out: tuple[tuple[int, str], ...] = ()
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class HandClosed:
    """The hand is over and settled; every seed is public from now on.

    Shape: `result` has (seat, points, amount) a seat, amounts in micro-HT.
    """

    fact: Literal["hand_closed"] = "hand_closed"
    seeds: tuple[bytes, ...]
    result: tuple[tuple[int, int, int], ...]
    winner: int | None
    gross: int
    commission: int
    journal: int | None
    log: LogPlace
    shown_until_ms: int


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class TimeGivenBack:
    """The house was away: the time is given back to those who had to act."""

    fact: Literal["time_given_back"] = "time_given_back"
    ms: int
    deadline_ms: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class TableClosing:
    """An operator closes the table, after this hand or at once."""

    fact: Literal["table_closing"] = "table_closing"
    drain: bool


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class TableClosed:
    """The table is closed; its open hand was cancelled."""

    fact: Literal["table_closed"] = "table_closed"


Fact = (
    HandOpened
    | SeatTaken
    | SeatLeft
    | SeatChanged
    | SeatSubstituted
    | SeatReturned
    | MatchAbandoned
    | CommitsCalled
    | Committed
    | Listed
    | Revealed
    | Dealt
    | Moved
    | AgainCalled
    | Reshuffled
    | AttemptVoided
    | HandCancelled
    | HandClosed
    | TimeGivenBack
    | TableClosing
    | TableClosed
)

AnyFact = Annotated[Fact, Field(discriminator="fact")]
"""A fact as a field of a model: read by its own name."""

_FACTS: TypeAdapter[Fact] = TypeAdapter(AnyFact)


def to_json(fact: Fact) -> str:
    """Write a fact as the journal stores it; byte strings are hex."""
    return _FACTS.dump_json(fact).decode()


def from_json(text: str) -> Fact:
    """Read a fact of the journal.

    Errors: ValueError if the text is no fact.
    """
    return _FACTS.validate_json(text)
