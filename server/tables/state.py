"""The state of a table: frozen, rebuilt from the journal alone, replaced only after a commit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from server.cards.card import Card
from server.cards.game import AnyGame, Carry, Event, Seat, TableOptions
from server.database import HandId, PlayerId, TableId
from server.fairness.shoe import Shoe
from server.tables.chairs import Chair as Chair
from server.tables.facts import LogPlace, RunningMatch
from server.tables.listing import Contribution, Listing

HOUSE = PlayerId(0)
"""The sender of the house's own commands; no player has this id."""


NO_CARRY = Carry()


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The hand that is open: its four attempts' hashes and the server's commitments to S."""

    hand_id: HandId
    hand_no: int
    hands: tuple[bytes, ...]
    commits: tuple[bytes, ...]
    spec: bytes
    log: LogPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A step of the transcript: `line` is None for the deal (k = 0) and for a reshuffle."""

    k: int
    line: str | None
    value: bytes
    sig: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A shuffle that was published: epoch 0 is the deal, later ones are reshuffles."""

    shoe: Shoe
    sig: bytes
    log: LogPlace
    numbers: tuple[int, ...] | None = None
    call_sig: bytes | None = None


@dataclass(frozen=True, kw_only=True)
class Hand:
    """A dealt hand. Only the actor and the fold ever hold one.

    Shape: `gone` are seats whose owners left, `own` those that their owners play, by the game;
           `returns` names a seat once for each time that its owner took it back.
    """

    attempt: int
    listing: Listing
    heads: tuple[Head, ...]
    state: object
    lines: tuple[Line, ...]
    turn: int = 0
    gone: frozenset[Seat] = frozenset()
    own: frozenset[Seat] = frozenset()
    returns: tuple[Seat, ...] = ()
    toss: tuple[int, ...] = ()
    last: Event | None = None

    @property
    def transcript(self) -> bytes:
        """Give the transcript's value T."""
        return self.lines[-1].value

    @property
    def k(self) -> int:
        """Count the steps of the transcript after the deal."""
        return self.lines[-1].k

    @property
    def epoch(self) -> int:
        """Give the number of the latest shuffle."""
        return len(self.heads) - 1

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """List the seats dealt in, ascending."""
        return tuple(seat.seat for seat in self.listing.seats)

    def __repr__(self) -> str:
        """Name the hand without any of its cards."""
        return f"<Hand attempt={self.attempt} k={self.k}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Between hands: not before `not_before_ms` (the last result is being shown)."""

    not_before_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Committing:
    """The invited seats are asked to commit to their entropy."""

    attempt: int
    deadline_ms: int
    invited: tuple[Seat, ...]
    gave: tuple[Contribution, ...] = ()

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """List the seats that have not answered."""
        answered = {one.seat for one in self.gave}
        return tuple(seat for seat in self.invited if seat not in answered)


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealing:
    """The list is signed and the tokens are held; the seats are asked to reveal."""

    attempt: int
    deadline_ms: int
    listing: Listing

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """List the seats that committed and have not revealed."""
        return tuple(s.seat for s in self.listing.seats if s.status == 1 and s.x_of(0) is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Playing:
    """The hand is played; `deadline_ms` is the turn's."""

    hand: Hand
    deadline_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reshuffling:
    """The discards wait for the seats' fresh entropy; the turn's clock stands still.

    Units: `remaining_ms` is what the turn's clock has left for afterwards.
    """

    hand: Hand
    deadline_ms: int
    remaining_ms: int
    numbers: tuple[int, ...]
    call: bytes
    call_sig: bytes
    waiting: tuple[Seat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """The table is closed for good."""


Phase = Waiting | Committing | Revealing | Playing | Reshuffling | Closed


@dataclass(frozen=True, slots=True, kw_only=True)
class Voided:
    """An attempt that was given up: its seed is public."""

    attempt: int
    reason: int
    seed: bytes
    listing: Listing
    log: LogPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """Everything about a table. `fresh` until its company has played a hand together.

    `names` are the players' as they are now: the journal keeps none, so that a deleted account's
    name is gone everywhere.
    """

    table: TableId
    name: str
    game: AnyGame
    options: TableOptions
    chairs: tuple[Chair | None, ...]
    seq: int = 0
    stream: int = 1
    opened: Opened | None = None
    phase: Phase = Waiting()
    carry: Carry = NO_CARRY
    matches: int = 0
    match: RunningMatch | None = None
    fresh: bool = True
    closing: str | None = None
    voids: tuple[Voided, ...] = ()
    is_held: bool = False
    last: dict[str, object] | None = None
    names: Mapping[PlayerId, str] = field(default_factory=dict)

    @property
    def hand(self) -> Hand | None:
        """Give the hand that is being played, if one is."""
        match self.phase:
            case Playing(hand=hand) | Reshuffling(hand=hand):
                return hand
            case _:
                return None

    def seat_of(self, player: PlayerId) -> Seat | None:
        """Find the seat that a player owns."""
        for index, chair in enumerate(self.chairs):
            if chair is not None and chair.player == player:
                return Seat(index)
        return None

    def seat_for(self, player: PlayerId) -> Seat | None:
        """Find the seat that a player owns, or plays as a substitute."""
        for seat, chair in self.taken():
            if player in chair.eyes:
                return seat
        return None

    def chair(self, seat: Seat) -> Chair:
        """Give a taken seat's owner."""
        chair = self.chairs[seat]
        assert chair is not None, f"seat {seat} is empty"
        return chair

    def seat_is_here(self, seat: Seat, hand: Hand) -> bool:
        """Tell whether who brought a seat's entropy is there and stays."""
        chair, listed = self.chair(seat), hand.listing.of(seat)
        if listed is not None and listed.pseudonym != chair.pilot.pseudonym:
            return False
        if chair.substitute is not None:
            return True
        return seat not in hand.gone and not chair.leaving and not chair.away

    def taken(self) -> tuple[tuple[Seat, Chair], ...]:
        """List the taken seats, ascending."""
        return tuple((Seat(i), c) for i, c in enumerate(self.chairs) if c is not None)


def cards_of(state: TableState, numbers: tuple[int, ...]) -> tuple[Card, ...]:
    """Derive the cards of a table's pack from their numbers."""
    pack = state.game.pack(state.options)
    return tuple(pack.card_of(number) for number in numbers)
