"""The fold of a hand's end: an attempt voided, the hand cancelled, or closed with its result."""

from dataclasses import replace

from server.cards.game import Scored, Seat
from server.fairness.merkle import leaf_hash
from server.fairness.signing import SigningKey
from server.tables.bodies import (
    cancelled_body,
    closed_body,
    pilot_body,
    seat_body,
    voided_body,
)
from server.tables.chairs import Chair
from server.tables.facts import (
    AttemptVoided,
    HandCancelled,
    HandClosed,
    MatchAbandoned,
    RunningMatch,
)
from server.tables.fold_deal import sitting_out
from server.tables.fold_seats import taken_back
from server.tables.state import (
    NO_CARRY,
    Hand,
    Opened,
    Playing,
    Reshuffling,
    Revealing,
    TableState,
    Voided,
    Waiting,
)
from server.tables.told import Told

SUBSTITUTED = "substituted"
"""Why the owner of a seat sits out whose match a substitute has played to its end."""

EndFact = AttemptVoided | HandCancelled | HandClosed | MatchAbandoned
Folded = tuple[TableState, tuple[Told, ...]]


def fold(state: TableState, fact: EndFact, signer: SigningKey) -> Folded:
    """Fold a fact that ends an attempt or a hand."""
    opened = state.opened
    assert opened is not None, "only an open hand ends"
    match fact:
        case AttemptVoided():
            return _voided(state, fact, opened)
        case HandCancelled():
            return _cancelled(state, fact, opened)
        case HandClosed():
            return _closed(state, fact, opened, signer)
        case MatchAbandoned():
            return _abandoned(state, fact)


def _voided(state: TableState, fact: AttemptVoided, opened: Opened) -> Folded:
    match state.phase:
        case Revealing(listing=listing):
            pass
        case Playing(hand=hand) | Reshuffling(hand=hand):
            listing = hand.listing
        case _:
            raise AssertionError("only a listed attempt is voided")
    voided = Voided(
        attempt=listing.attempt, reason=fact.reason, seed=fact.seed, listing=listing, log=fact.log
    )
    told = Told(name="hand.voided", body=voided_body(opened, voided))
    state = replace(state, phase=Waiting(), voids=(*state.voids, voided))
    state, more = sitting_out(state, fact.sat_out, fact.at_ms)
    return state, (told, *more)


def _cancelled(state: TableState, fact: HandCancelled, opened: Opened) -> Folded:
    told = Told(name="hand.cancelled", body=cancelled_body(opened, fact))
    state = replace(state, phase=Waiting(), is_held=False)
    state, sat_out = sitting_out(state, fact.sat_out, fact.at_ms)
    state, freed = _own_again(state, fact.at_ms)
    return state, (told, *sat_out, *freed)


def _abandoned(state: TableState, fact: MatchAbandoned) -> Folded:
    assert state.match is not None, "only a match in progress is abandoned"
    told = Told(name="match.abandoned", body={"number": state.match.number})
    state = replace(state, match=None, matches=state.match.number, carry=NO_CARRY)
    state, freed = _own_again(state, fact.at_ms)
    return state, (told, *freed)


def _own_again(state: TableState, at_ms: int) -> Folded:
    """Between matches nobody is substituted: leavers' seats are free, the others' their owners'.

    Who was substituted to the end sits out until it says that it is there.
    """
    if state.match is not None:
        return state, ()
    chairs: list[Chair | None] = []
    told = []
    for seat, chair in enumerate(state.chairs):
        if chair is not None and chair.leaving:
            told.append(Told(name="seat.left", body={"seat": seat, "why": "left"}))
            chair = None  # noqa: PLW2901 - the row of chairs is rebuilt in place
        elif chair is not None and (chair.substitute or chair.handed):
            out, since = chair.sits_out or SUBSTITUTED, chair.out_since_ms or at_ms
            chair = replace(  # noqa: PLW2901 - as above
                taken_back(chair), sits_out=out, out_since_ms=since
            )
            told.append(Told(name="seat.returned", body=pilot_body(seat, chair)))
            told.append(Told(name="seat.sits_out", body=seat_body(seat, chair, out)))
        chairs.append(chair)
    fresh = state.fresh or not any(chairs)
    return replace(state, chairs=tuple(chairs), fresh=fresh), tuple(told)


def _closed(state: TableState, fact: HandClosed, opened: Opened, signer: SigningKey) -> Folded:
    hand = state.hand
    assert hand is not None, "a hand that closes was played"
    last = hand.last
    assert isinstance(last, Scored), "a hand that closes has a result"
    sig = signer.sign("close", leaf_hash(fact.log.entry))
    body = closed_body(state, opened, fact, hand=hand, scored=last, sig=sig)
    played = {one.seat for one in hand.listing.seats}
    chairs = tuple(_after_hand(chair, Seat(i) in played) for i, chair in enumerate(state.chairs))
    state = replace(
        state,
        chairs=chairs,
        phase=Waiting(not_before_ms=fact.shown_until_ms),
        carry=last.carry,
        match=None if last.match_over else state.match or _begun(state, opened, hand),
        matches=state.matches + last.match_over,
        fresh=False,
        is_held=False,
        last=body,
    )
    state, freed = _own_again(state, fact.shown_until_ms)
    return state, (Told(name="hand.closed", body=body), *freed)


def _begun(state: TableState, opened: Opened, hand: Hand) -> RunningMatch:
    return RunningMatch(
        number=state.matches + 1, first_hand=opened.hand_no, seats=tuple(hand.seats)
    )


def _after_hand(chair: Chair | None, played: bool) -> Chair | None:
    if chair is None:
        return None
    if played:
        return replace(chair, hands_played=chair.hands_played + 1)
    is_out = chair.away or chair.sits_out is not None
    return replace(chair, out_hands=chair.out_hands + 1) if is_out else chair
