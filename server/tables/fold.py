"""The fold: a state and a fact give the next state, and what the table tells of it.

Pure but for the server's signature, which is a function of what it signs. The actor folds a fact
before it is written, recovery folds it again from the journal, and the record is one more fold.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from server.cards.game import Carry, Seat, SeatKind
from server.database import HandId, PlayerId
from server.fairness.merkle import leaf_hash
from server.fairness.shoe import Shoe
from server.fairness.signing import SigningKey
from server.tables import fold_deal, fold_end, fold_hand
from server.tables.bodies import opened_body, player_body, seat_body
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
    Moved,
    Reshuffled,
    Revealed,
    SatChair,
    SeatChanged,
    SeatLeft,
    SeatTaken,
    TableClosed,
    TableClosing,
    TimeGivenBack,
)
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

NOBODY = "?"
"""The name of a player that is not known any more."""


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
        case AttemptVoided() | HandCancelled() | HandClosed():
            return fold_end.fold(state, fact, signer)
        case HandOpened():
            return _opened(state, fact, signer)
        case _:
            return _seating(state, fact)


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
        fresh=fact.fresh,
        closing=fact.closing,
        voids=(),
        is_held=False,
    )
    sig = signer.sign("open", leaf_hash(opened.log.entry))
    return after, (Told(name="hand.opened", body=opened_body(after, opened, sig)),)


def chair_of(sat: SatChair, names: Mapping[PlayerId, str]) -> Chair:
    """Read a seat's owner from a checkpoint."""
    return Chair(
        player=PlayerId(sat.player),
        name=names.get(PlayerId(sat.player), NOBODY),
        kind=SeatKind(sat.kind),
        pseudonym=sat.pseudonym,
        away=sat.away,
        sits_out=sat.sits_out,
        out_since_ms=sat.out_since_ms,
        out_hands=sat.out_hands,
        hands_played=sat.hands_played,
    )


def sat_of(seat: Seat, chair: Chair) -> SatChair:
    """Write a seat's owner into a checkpoint; nobody is leaving between two hands."""
    assert not chair.leaving, "a leaver's seat is freed before the next hand opens"
    return SatChair(
        seat=seat,
        player=chair.player,
        kind=chair.kind,
        pseudonym=chair.pseudonym,
        away=chair.away,
        sits_out=chair.sits_out,
        out_since_ms=chair.out_since_ms,
        out_hands=chair.out_hands,
        hands_played=chair.hands_played,
    )


def with_chair(state: TableState, seat: int, chair: Chair | None) -> TableState:
    """Derive the state with another owner in a seat; an empty table is fresh again."""
    chairs = tuple(chair if i == seat else old for i, old in enumerate(state.chairs))
    return replace(state, chairs=chairs, fresh=state.fresh or not any(chairs))


def _seating(state: TableState, fact: Fact) -> tuple[TableState, tuple[Told, ...]]:
    match fact:
        case SeatTaken():
            chair = Chair(
                player=PlayerId(fact.player),
                name=state.names.get(PlayerId(fact.player), NOBODY),
                kind=SeatKind(fact.kind),
                pseudonym=fact.pseudonym,
            )
            body = {"seat": fact.seat, "player": player_body(chair)}
            return with_chair(state, fact.seat, chair), (Told(name="seat.taken", body=body),)
        case SeatLeft():
            body = {"seat": fact.seat, "why": fact.why}
            after = _uninvited(with_chair(state, fact.seat, None), Seat(fact.seat))
            return after, (Told(name="seat.left", body=body),)
        case SeatChanged():
            return _seat_changed(state, fact)
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


def _uninvited(state: TableState, seat: Seat) -> TableState:
    """Derive the state in which the deal no longer asks a seat that got up before the list."""
    phase = state.phase
    if not isinstance(phase, Committing):
        return state
    invited = tuple(one for one in phase.invited if one != seat)
    gave = tuple(one for one in phase.gave if one.seat != seat)
    return replace(state, phase=replace(phase, invited=invited, gave=gave))


def _seat_changed(state: TableState, fact: SeatChanged) -> tuple[TableState, tuple[Told, ...]]:
    before = state.chair(Seat(fact.seat))
    is_out = fact.away or fact.sits_out is not None
    since = (before.out_since_ms or fact.at_ms) if is_out else None
    chair = replace(
        before,
        away=fact.away,
        sits_out=fact.sits_out,
        leaving=fact.leaving,
        out_since_ms=since,
        out_hands=before.out_hands if is_out else 0,
    )
    name = "seat.back"
    if (fact.sits_out is not None and before.sits_out is None) or fact.leaving:
        name = "seat.sits_out"
    elif fact.away and not before.away:
        name = "seat.away"
    body = seat_body(fact.seat, chair, fact.why)
    return with_chair(state, fact.seat, chair), (Told(name=name, body=body),)


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
