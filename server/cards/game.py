"""What every game promises to the table that plays it, and the words they share.

A hand is a fold of (seat, move) over `start`; all chance enters as the dealer's `Deal`. The table
knows a game by this page alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from server.cards.card import Card
from server.cards.carry import Carry as Carry
from server.cards.carry import dealer_of as dealer_of
from server.cards.pack import Pack
from server.cards.seats import DEALER as DEALER
from server.cards.seats import Direction as Direction
from server.cards.seats import Seat as Seat
from server.cards.seats import SeatInfo as SeatInfo
from server.cards.seats import SeatKind as SeatKind

# --- moves that no game defines for itself


@dataclass(frozen=True, slots=True)
class Deal:
    """The dealer's move: the order of the cards that `undealt` named, and the toss's numbers."""

    order: tuple[Card, ...]
    draws: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The clock ran out on a seat: the game says what is played for it."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Left:
    """The owner left the table in mid-hand: the game says what that costs."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Returned:
    """The owner of a seat that a substitute plays on is back: the seat is its own again."""

    seat: Seat


# --- events


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that has happened; `to` is the only seat that may see it, None is everybody.

    `name` is its name on the wire. A game's own events extend this with plain fields: text,
    whole numbers, booleans, and tuples of them.
    """

    name: ClassVar[str]
    to: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Given(Event):
    """The cards at `positions` of epoch `epoch` may now be seen by `to`.

    The table attaches their openings to the event before it, for that seat alone.
    """

    name: ClassVar[str] = "given"
    epoch: int
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Event):
    """A decision's clock starts now for `seats`."""

    name: ClassVar[str] = "turn"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatHandedOver(Event):
    """A substitute plays the seat on, so that the others can finish.

    Shape: `why` is "left" (the owner got up) or "misses" (the clock played for it too often).
    """

    name: ClassVar[str] = "handed_over"
    seat: Seat
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTakenBack(Event):
    """The owner plays its seat itself again."""

    name: ClassVar[str] = "taken_back"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored(Event):
    """The last event of a hand.

    Shape: `points` has one (seat, points) for each seat dealt in, ascending. `winners` are named
           with `match_over` alone: all seats that won the match, a team's or those who share it
           (then `winner` is None); without them `winner` alone has won.
    """

    name: ClassVar[str] = "scored"
    points: tuple[tuple[Seat, int], ...]
    winner: Seat | None
    carry: Carry
    match_over: bool
    winners: tuple[Seat, ...] = ()

    @property
    def champions(self) -> tuple[Seat, ...]:
        """Give all seats that have won the match, ascending; none while it goes on."""
        if not self.match_over:
            return ()
        alone = () if self.winner is None else (self.winner,)
        return tuple(sorted(self.winners)) or alone


@dataclass(frozen=True, slots=True, kw_only=True)
class HandVoid(Event):
    """The hand ends without a result by the game's own rule; nobody pays, the carry stays."""

    name: ClassVar[str] = "void"
    reason: str


class IllegalMove(Exception):
    """A player's mistake: a stable code and an English text for the log. No state has changed."""

    def __init__(self, code: str, text: str, field: str | None = None) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text
        self.field = field


class InvalidOption(ValueError):
    """An option of a table that the game refuses; `field` names it."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(f"{field}: {text}")
        self.field = field
        self.text = text


class TableOptions(Protocol):
    """What the table reads of a game's options; a frozen dataclass of ints, bools and text.

    Units: `rate` micro-HT a point (0 at a free table), `commission_bps` of the gross.
    """

    @property
    def seats(self) -> int: ...
    @property
    def rate(self) -> int: ...
    @property
    def commission_bps(self) -> int: ...
    @property
    def min_players(self) -> int: ...
    @property
    def practice(self) -> bool: ...


StateT = TypeVar("StateT")
OptionsT = TypeVar("OptionsT", bound=TableOptions)
MoveT = TypeVar("MoveT")


@dataclass(frozen=True, slots=True)
class Step(Generic[StateT]):
    """What a move has made: the new state, and what happened on the way, in order."""

    state: StateT
    events: tuple[Event, ...]


class Notation(Protocol):
    """One ASCII line for each move, both ways; `notation.py` of a game is such a module.

    The same grammar serves the journal and the transcript: a journal line is what a seat decided
    (`2 draw closed`), a transcript line is what then happened (`2 draw closed @0.53`). `read`
    understands both. No line names a card that is not public once the line is.
    """

    def write(self, state: Any, seat: Seat, move: Any) -> str:
        """Write the journal line of a move, seen from the state before it."""

    def read(self, line: str) -> tuple[Seat, Any]:
        """Read a journal or transcript line; ValueError if it is none."""

    def line_of(self, event: Event) -> str | None:
        """Write the transcript line of an event; None for an event that has none."""


class Game(Protocol[StateT, OptionsT, MoveT]):
    """A game: pure functions over a frozen state. `GAME` of a game's folder is one."""

    name: str
    rules_version: str
    seats: tuple[int, ...]
    direction: Direction
    options_type: type[OptionsT]
    move_types: tuple[type[MoveT], ...]
    event_types: tuple[type[Event], ...]
    view_type: type[Any]
    notation: Notation

    def pack(self, options: OptionsT) -> Pack:
        """Say which cards are used, before anybody sits in the hand."""

    def stake_points(self, options: OptionsT) -> int | None:
        """Say the dearest hand in points; None at a free table."""

    def start(self, options: OptionsT, seats: tuple[SeatInfo, ...], carry: Carry) -> StateT:
        """Make the state before the cards. `carry.dealer` is already one of `seats`, or None."""

    def draws(self, state: StateT) -> tuple[int, ...]:
        """Say which numbers the toss must bring, as moduli, in order."""

    def to_act(self, state: StateT) -> frozenset[Seat]:
        """Say who may move; `{DEALER}`: cards must be ordered; empty: the hand is over."""

    def undealt(self, state: StateT) -> tuple[Card, ...]:
        """List the cards whose order the dealer must bring, in public order."""

    def legal_moves(self, state: StateT, seat: Seat) -> Iterable[MoveT]:
        """List moves that `apply` accepts, lazily; free-form ones by one example."""

    def apply(
        self, state: StateT, seat: Seat, move: MoveT | Deal | TimedOut | Left | Returned
    ) -> Step[StateT]:
        """Play a move. Raises `IllegalMove`, and then nothing has changed."""

    def clock_ms(self, state: StateT, seat: Seat) -> int:
        """Say how long this decision may take, in milliseconds."""

    def view(self, state: StateT, seat: Seat | None) -> Any:
        """Build what a seat (None: a spectator) may see: a frozen dataclass of plain values."""


AnyGame = Game[Any, Any, Any]
