"""The snapshot of a table, for a newcomer and for who has missed too much."""

from collections.abc import Iterable, Sequence

from server.cards.game import Seat
from server.cards.options import options_fields
from server.database import PlayerId
from server.fairness.merkle import leaf_hash
from server.fairness.signing import SigningKey
from server.tables.bodies import (
    dealt_body,
    listed_body,
    match_body,
    opened_body,
    player_body,
    reshuffled_body,
    substitute_body,
)
from server.tables.fold_hand import call_body
from server.tables.listing import Contribution
from server.tables.signers import signer_of
from server.tables.state import (
    Closed,
    Committing,
    Hand,
    Opened,
    Playing,
    Reshuffling,
    Revealing,
    TableState,
    Waiting,
)
from server.tables.told import plain


def snapshot_body(
    state: TableState,
    viewer: PlayerId | None,
    openings: Sequence[object],
    signers: Sequence[SigningKey],
) -> dict[str, object]:
    """Build what a seat's owner or substitute, or a spectator, may see of a table as it stands."""
    seat = None if viewer is None else state.seat_for(viewer)
    name, deadline_ms, waiting = _phase_of(state)
    opened = None
    if state.opened is not None:
        signer = signer_of(signers, state.table, state.opened)
        sig = signer.sign("open", leaf_hash(state.opened.log.entry))
        opened = opened_body(state, state.opened, sig)
    return {
        "table": {
            "id": str(state.table),
            "name": state.name,
            "game": state.game.name,
            "rules": state.game.rules_version,
            "options": options_fields(state.options),
            "closing": state.closing,
            "practice": state.options.practice,
        },
        "seats": _seats_of(state),
        "you": seat,
        "pilot": seat is not None and state.chair(seat).pilot.player == viewer,
        "match": match_body(state),
        "phase": name,
        "deadline": deadline_ms,
        "waiting": list(waiting),
        "attempt": _attempt_of(state),
        "open": opened,
        "hand": _hand_of(state, seat, openings),
        "last": state.last,
        "commit": _own_commit(state, seat),
    }


def _seats_of(state: TableState) -> list[object]:
    return [
        None
        if chair is None
        else {
            "seat": seat,
            **player_body(chair),
            "away": chair.away,
            "sits_out": chair.sits_out,
            "leaving": chair.leaving,
            "substitute": substitute_body(chair),
            "stood_in": _stood_in(state, Seat(seat)),
        }
        for seat, chair in enumerate(state.chairs)
    ]


def _stood_in(state: TableState, seat: Seat) -> dict[str, object] | None:
    """Write the bot that the hand in play is listed with, where its owner is back since."""
    listed = None if state.hand is None else state.hand.listing.of(seat)
    chair = state.chair(seat)
    if listed is None or chair.substitute or listed.pseudonym == chair.pseudonym:
        return None
    return {"kind": listed.kind.name.lower(), "pseudonym": listed.pseudonym.hex()}


def _phase_of(state: TableState) -> tuple[str, int | None, tuple[Seat, ...]]:
    match state.phase:
        case Waiting(not_before_ms=ms):
            return "waiting", ms or None, ()
        case Committing() as phase:
            return "commit", phase.deadline_ms, phase.waiting
        case Revealing() as phase:
            return "reveal", phase.deadline_ms, phase.waiting
        case Playing() as phase:
            waiting = tuple(sorted(state.game.to_act(phase.hand.state)))
            return "play", phase.deadline_ms, waiting
        case Reshuffling() as phase:
            return "reshuffle", phase.deadline_ms, phase.waiting
        case Closed():
            return "closed", None, ()


def _attempt_of(state: TableState) -> int | None:
    """Name the attempt that is under way, so that a newcomer commits to the right one."""
    match state.phase:
        case Committing(attempt=attempt) | Revealing(attempt=attempt):
            return attempt
        case Playing(hand=hand) | Reshuffling(hand=hand):
            return hand.attempt
        case _:
            return None


def _own_commit(state: TableState, seat: Seat | None) -> dict[str, object]:
    """Say what the viewer has already given to the attempt, so that it gives nothing twice."""
    committed = revealed = again = False
    match state.phase:
        case Committing() as phase:
            committed = any(one.seat == seat for one in phase.gave)
        case Revealing(listing=listing):
            one = None if seat is None else listing.of(seat)
            committed = one is not None
            revealed = one is not None and one.x_of(0) is not None
        case Reshuffling(hand=hand):
            one = None if seat is None else hand.listing.of(seat)
            committed = revealed = one is not None
            again = one is not None and one.x_of(hand.epoch + 1) is not None
        case _:
            pass
    return {"committed": committed, "revealed": revealed, "revealed_again": again}


def _hand_of(
    state: TableState, seat: Seat | None, openings: Sequence[object]
) -> dict[str, object] | None:
    opened = state.opened
    if opened is None:
        return None
    if isinstance(state.phase, Revealing):
        return _listed_hand(state, opened)
    hand = state.hand
    if hand is None:
        return None
    listing = hand.listing
    call = call_body(opened, state.phase) if isinstance(state.phase, Reshuffling) else None
    return {
        "hand": opened.hand_no,
        "hand_id": str(opened.hand_id),
        "attempt": hand.attempt,
        "listed": listed_body(state, opened, listing),
        "revealed": _reveals(listing.seats),
        "heads": _heads(opened, hand),
        "T": hand.transcript.hex(),
        "k": hand.k,
        "lines": [
            {"k": line.k, "line": line.line, "T": line.value.hex(), "sig": line.sig.hex()}
            for line in hand.lines
        ],
        "turn": hand.turn,
        "view": plain(state.game.view(hand.state, seat)),
        "openings": list(openings),
        "call": call,
    }


def _listed_hand(state: TableState, opened: Opened) -> dict[str, object]:
    phase = state.phase
    assert isinstance(phase, Revealing), "only a listed hand is described so"
    return {
        "hand": opened.hand_no,
        "hand_id": str(opened.hand_id),
        "attempt": phase.attempt,
        "listed": listed_body(state, opened, phase.listing),
        "revealed": _reveals(phase.listing.seats),
    }


def _reveals(seats: Iterable[Contribution]) -> list[object]:
    return [
        {"seat": one.seat, "epoch": epoch, "x": x.hex(), "sig": sig.hex() if sig else None}
        for one in seats
        for epoch, (x, sig) in enumerate(zip(one.x, one.x_sigs, strict=True))
        if x is not None
    ]


def _heads(opened: Opened, hand: Hand) -> list[object]:
    first, *later = hand.heads
    return [
        dealt_body(opened, hand.attempt, first, hand.toss),
        *(reshuffled_body(opened, hand.listing, head) for head in later),
    ]
