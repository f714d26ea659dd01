"""The fold of a hand's end: an attempt voided, the hand cancelled, or closed with its result."""

from dataclasses import replace

from server.cards.game import Scored, Seat
from server.fairness.merkle import leaf_hash
from server.fairness.signing import SigningKey
from server.tables.bodies import cancelled_body, closed_body, voided_body
from server.tables.facts import AttemptVoided, HandCancelled, HandClosed
from server.tables.fold_deal import sitting_out
from server.tables.state import (
    Chair,
    Opened,
    Playing,
    Reshuffling,
    Revealing,
    TableState,
    Voided,
    Waiting,
)
from server.tables.told import Told

EndFact = AttemptVoided | HandCancelled | HandClosed
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
    state, freed = free_leavers(state)
    return state, (told, *sat_out, *freed)


def free_leavers(state: TableState) -> Folded:
    """Derive the state without the seats whose owners left in mid-hand, and tell it."""
    chairs: list[Chair | None] = []
    told = []
    for seat, chair in enumerate(state.chairs):
        if chair is not None and chair.leaving:
            told.append(Told(name="seat.left", body={"seat": seat, "why": "left"}))
            chair = None  # noqa: PLW2901 - the row of chairs is rebuilt in place
        chairs.append(chair)
    fresh = state.fresh or not any(chairs)
    return replace(state, chairs=tuple(chairs), fresh=fresh), tuple(told)


def _closed(state: TableState, fact: HandClosed, opened: Opened, signer: SigningKey) -> Folded:
    hand = state.hand
    assert hand is not None, "a hand that closes was played"
    last = hand.last
    assert isinstance(last, Scored), "a hand that closes has a result"
    sig = signer.sign("close", leaf_hash(fact.log.entry))
    body = closed_body(state, opened, fact, attempt=hand.attempt, last=hand.transcript, sig=sig)
    played = {one.seat for one in hand.listing.seats}
    chairs = tuple(_after_hand(chair, Seat(i) in played) for i, chair in enumerate(state.chairs))
    state = replace(
        state,
        chairs=chairs,
        phase=Waiting(not_before_ms=fact.shown_until_ms),
        carry=last.carry,
        fresh=False,
        is_held=False,
        last=body,
    )
    state, freed = free_leavers(state)
    return state, (Told(name="hand.closed", body=body), *freed)


def _after_hand(chair: Chair | None, played: bool) -> Chair | None:
    if chair is None:
        return None
    if played:
        return replace(chair, hands_played=chair.hands_played + 1)
    is_out = chair.away or chair.sits_out is not None
    return replace(chair, out_hands=chair.out_hands + 1) if is_out else chair
