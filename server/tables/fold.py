"""The fold: a state and a fact give the next state, and what the table tells of it.

Pure but for the server's signature, which is a function of what it signs. The actor folds a fact
before it is written, recovery folds it again from the journal, and the record is one more fold.
"""

from dataclasses import dataclass, replace

from server.cards.game import Carry, Seat
from server.database import HandId
from server.fairness.merkle import leaf_hash
from server.fairness.shoe import Shoe
from server.fairness.signing import SigningKey
from server.tables import fold_deal, fold_end, fold_hand, fold_seats
from server.tables.bodies import opened_body
from server.tables.facts import (
    AgainCalled,
    AttemptVoided,
    CommitsCalled,
    Committed,
    Dealt,
    Fact,
    HandCancelled,
    HandClosed,
    HandOpened,
    Listed,
    MatchAbandoned,
    Moved,
    Reshuffled,
    Revealed,
    SeatChanged,
    SeatLeft,
    SeatReturned,
    SeatSubstituted,
    SeatTaken,
    TableClosed,
    TableClosing,
    TimeGivenBack,
)
from server.tables.fold_seats import chair_of
from server.tables.state import (
    Chair,
    Closed,
    Committing,
    Opened,
    Playing,
    Reshuffling,
    Revealing,
    TableState,
    Waiting,
)
from server.tables.told import Told


@dataclass(frozen=True, slots=True)
class Folded:
    """The next state, already numbered, and the events that led to it."""

    state: TableState
    told: tuple[Told, ...]


def advance(state: TableState, fact: Fact, signer: SigningKey, shoe: Shoe | None = None) -> Folded:
    """Fold one fact.

    Shape:  `shoe` goes with `Dealt` and `Reshuffled`, and with nothing else.
    Errors: IllegalMove if the fact is a move that the game refuses; the state is unchanged.
    """
    after, told = _fold(state, fact, signer, shoe)
    assert told, f"{type(fact).__name__} told nothing, so it has no number"
    return Folded(replace(after, seq=state.seq + len(told)), told)


def _fold(
    state: TableState, fact: Fact, signer: SigningKey, shoe: Shoe | None
) -> tuple[TableState, tuple[Told, ...]]:
    match fact:
        case CommitsCalled() | Committed() | Listed() | Revealed():
            return fold_deal.fold(state, fact, signer)
        case Dealt() | Reshuffled():
            assert shoe is not None, "a deal is folded with its shoe"
            return fold_hand.fold_shoe(state, fact, signer, shoe)
        case Moved() | AgainCalled():
            return fold_hand.fold(state, fact, signer)
        case AttemptVoided() | HandCancelled() | HandClosed() | MatchAbandoned():
            return fold_end.fold(state, fact, signer)
        case SeatTaken() | SeatLeft() | SeatChanged() | SeatSubstituted() | SeatReturned():
            return fold_seats.fold(state, fact)
        case HandOpened():
            return _opened(state, fact, signer)
        case _:
            return _of_table(state, fact)


def _opened(
    state: TableState, fact: HandOpened, signer: SigningKey
) -> tuple[TableState, tuple[Told, ...]]:
    opened = Opened(
        hand_id=HandId(fact.hand_id),
        hand_no=fact.hand_no,
        hands=fact.hands,
        commits=fact.commits,
        spec=fact.spec,
        log=fact.log,
    )
    chairs: list[Chair | None] = [None] * len(state.chairs)
    for sat in fact.chairs:
        chairs[sat.seat] = chair_of(sat, state.names)
    after = replace(
        state,
        chairs=tuple(chairs),
        opened=opened,
        phase=Waiting(not_before_ms=fact.not_before_ms),
        carry=Carry(None if fact.dealer is None else Seat(fact.dealer), fact.memo),
        matches=fact.matches,
        match=fact.match,
        fresh=fact.fresh,
        closing=fact.closing,
        voids=(),
        is_held=False,
    )
    sig = signer.sign("open", leaf_hash(opened.log.entry))
    return after, (Told(name="hand.opened", body=opened_body(after, opened, sig)),)


def _of_table(state: TableState, fact: Fact) -> tuple[TableState, tuple[Told, ...]]:
    match fact:
        case TimeGivenBack():
            return _given_back(state, fact)
        case TableClosing():
            after = replace(state, closing="drain" if fact.drain else "now")
            return after, (Told(name="table.closing", body={"drain": fact.drain}),)
        case TableClosed():
            after = replace(state, phase=Closed(), opened=None)
            return after, (Told(name="table.closed", body={}),)
        case _:
            raise AssertionError(f"no fold for {type(fact).__name__}")


def _given_back(state: TableState, fact: TimeGivenBack) -> tuple[TableState, tuple[Told, ...]]:
    phase = state.phase
    match phase:
        case Committing() | Revealing() | Reshuffling():
            seats = phase.waiting
            phase = replace(phase, deadline_ms=fact.deadline_ms)
        case Playing():
            seats = tuple(sorted(state.game.to_act(phase.hand.state)))
            phase = replace(phase, deadline_ms=fact.deadline_ms)
        case _:
            seats = ()
    body = {
        "seats": list(seats),
        "ms": fact.ms,
        "why": fact.why,
        "deadline": fact.deadline_ms,
    }
    return replace(state, phase=phase), (Told(name="time.given_back", body=body),)
