"""The table's clock, pure: what the table itself must do now, and when to look again.

Every phase has a deadline, so a table can't get stuck. What is due is derived from the state; a
time-out carries its turn and is ignored when it comes late.
"""

from dataclasses import dataclass

from server.cards.game import DEALER, Scored, Seat, SeatKind
from server.tables.facts import RunningMatch
from server.tables.state import (
    Chair,
    Closed,
    Committing,
    Playing,
    Reshuffling,
    Revealing,
    TableState,
    Waiting,
)

HAND_LINES_MAX = 4_000
"""Lines of a transcript; seats that pass one card around for ever could make more."""

OUT_HANDS_MAX = 2
"""A seat that sat out that many hands is freed (rules of rummy, Q-RUM-01)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """How long the phases take, in milliseconds (rules.md section 8, "Other clocks").

    `come_back_ms`: after a restart the phases of a deal wait so much longer, as clients back off
    for up to ten seconds before they come again.
    """

    commit_ms: int = 5_000
    reveal_ms: int = 5_000
    reshuffle_ms: int = 3_000
    result_ms: int = 8_000
    seat_out_max_ms: int = 180_000
    come_back_ms: int = 10_000


@dataclass(frozen=True, slots=True)
class CallCommits:
    """Enough seats are ready: ask them to commit."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class ListSeats:
    """Everybody answered, or the time is up: sign the list and hold the tokens."""


@dataclass(frozen=True, slots=True)
class DealCards:
    """Everybody revealed: derive the pack."""


@dataclass(frozen=True, slots=True)
class VoidUnrevealed:
    """Somebody did not reveal in time: this attempt is void."""


@dataclass(frozen=True, slots=True)
class CallAgain:
    """The game asks for a reshuffle: call for fresh entropy."""


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """The call is answered, or its time is up: shuffle the discards."""


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The turn's time is up."""

    turn: int


@dataclass(frozen=True, slots=True)
class PlayLeaver:
    """A player got up in mid-hand: the game says what that costs."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GiveBack:
    """The owner of a substituted seat came back while the cards were shuffled: it is its own."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AbandonMatch:
    """Every person has left the match in progress."""


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """A seat has been out for too long, or its owner is leaving: free it."""

    seat: Seat
    why: str


@dataclass(frozen=True, slots=True)
class StopEndlessHand:
    """The hand has more lines than a record can hold: void it, nobody pays."""


@dataclass(frozen=True, slots=True)
class CloseDown:
    """The table is closing and no hand is in play."""


OwnStep = (
    CallCommits
    | ListSeats
    | DealCards
    | VoidUnrevealed
    | CallAgain
    | Reshuffle
    | TimeOut
    | PlayLeaver
    | GiveBack
    | AbandonMatch
    | FreeSeat
    | StopEndlessHand
    | CloseDown
)


def due(state: TableState, now_ms: int, clocks: Clocks) -> OwnStep | None:
    """Find what the table must do by itself at `now_ms`; None is nothing."""
    match state.phase:
        case Waiting() as phase:
            return _due_between(state, phase, now_ms, clocks)
        case Committing() as phase:
            is_over = not phase.waiting or now_ms >= phase.deadline_ms
            return ListSeats() if is_over else None
        case Revealing() as phase:
            return _due_revealing(state, phase, now_ms)
        case Playing() as phase:
            return _due_in_play(state, phase, now_ms)
        case Reshuffling() as phase:
            is_over = not phase.waiting or now_ms >= phase.deadline_ms
            return Reshuffle() if is_over else None
        case Closed():
            return None


def wake_ms(state: TableState, clocks: Clocks, *, after_ms: int = 0) -> int | None:
    """Find when `due` may next say something new without a command; None is never.

    Times up to `after_ms` had their say: a table that waits for seats must not wake for them again.
    """
    match state.phase:
        case Waiting(not_before_ms=not_before_ms):
            freed = (
                chair.out_since_ms + clocks.seat_out_max_ms
                for _, chair in state.taken()
                if chair.out_since_ms is not None and state.match is None
            )
            return min((at for at in (not_before_ms, *freed) if at > after_ms), default=None)
        case Closed():
            return None
        case phase:
            return phase.deadline_ms


def _due_between(state: TableState, phase: Waiting, now_ms: int, clocks: Clocks) -> OwnStep | None:
    if state.closing is not None:
        return CloseDown()
    if state.match is not None:
        return _due_in_match(state, state.match, now_ms >= phase.not_before_ms)
    for seat, chair in state.taken():
        if chair.leaving:
            return FreeSeat(seat, "left")
        if _is_out_too_long(chair, now_ms, clocks):
            return FreeSeat(seat, "out_too_long")
    if now_ms < phase.not_before_ms:
        return None
    ready = tuple(seat for seat, chair in state.taken() if chair.is_ready)
    return CallCommits(ready) if len(ready) >= _needed(state) else None


def _due_in_match(state: TableState, match: RunningMatch, is_time: bool) -> OwnStep | None:
    """Between the hands of a match: every seat is dealt to, whoever plays it."""
    if _is_abandoned(state):
        return AbandonMatch()
    for seat, chair in state.taken():
        if chair.returning:
            return GiveBack(seat)
    return CallCommits(tuple(map(Seat, match.seats))) if is_time else None


def _is_abandoned(state: TableState) -> bool:
    people = [chair for _, chair in state.taken() if chair.kind is SeatKind.HUMAN]
    return bool(people) and all(chair.leaving for chair in people)


def _needed(state: TableState) -> int:
    """Count the seats that a hand needs: all for the first of a company (Q-RUM-01)."""
    options = state.options
    is_first = state.fresh and not options.practice
    return options.seats if is_first else options.min_players


def _is_out_too_long(chair: Chair, now_ms: int, clocks: Clocks) -> bool:
    if chair.out_since_ms is None:
        return False
    is_late = now_ms >= chair.out_since_ms + clocks.seat_out_max_ms
    return is_late or chair.out_hands >= OUT_HANDS_MAX


def _due_revealing(state: TableState, phase: Revealing, now_ms: int) -> OwnStep | None:
    if not phase.waiting:
        return DealCards()
    # A leaver can't reveal any more, but the others keep their whole time to do so: else one who
    # leaves at once would put every honest seat out.
    chairs = [state.chair(seat) for seat in phase.waiting]
    only_leavers = all(chair.leaving and chair.substitute is None for chair in chairs)
    return VoidUnrevealed() if only_leavers or now_ms >= phase.deadline_ms else None


def _due_in_play(state: TableState, phase: Playing, now_ms: int) -> OwnStep | None:
    hand = phase.hand
    assert not isinstance(hand.last, Scored), "a scored hand closes in its own transaction"
    if hand.k >= HAND_LINES_MAX:
        return StopEndlessHand()
    if state.game.to_act(hand.state) == {DEALER}:
        return CallAgain()
    for seat in hand.seats:
        chair = state.chair(seat)
        if chair.leaving and seat in hand.own and seat not in hand.gone:
            return PlayLeaver(seat)
        if chair.returning:
            return GiveBack(seat)
    return TimeOut(hand.turn) if now_ms >= phase.deadline_ms else None
