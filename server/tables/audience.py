"""Who hears what: the viewers of a table, the last events, and the snapshot for a newcomer."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Protocol

import structlog

from server.cards.game import Seat
from server.cards.options import options_fields
from server.database import PlayerId
from server.fairness.merkle import leaf_hash
from server.fairness.signing import SigningKey
from server.tables.bodies import dealt_body, listed_body, opened_body, player_body, reshuffled_body
from server.tables.faults import where
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
from server.tables.told import Numbered, Shown, frame_of, plain

_log = structlog.get_logger(__name__)

REPLAY_MAX = 200
"""Events that can be replayed; an older resume gets a snapshot."""


class Viewer(Protocol):
    """Somebody who looks at a table: a socket's side of it."""

    @property
    def player(self) -> PlayerId | None: ...

    def take(self, frame: dict[str, object]) -> None:
        """Take a frame at once, or be cut off; never blocks."""


class Audience:
    """The viewers of one table, and the events that it told last."""

    def __init__(self, *signers: SigningKey, replay_max: int = REPLAY_MAX) -> None:
        self._signers = signers
        self._viewers: list[Viewer] = []
        self._events: deque[Numbered] = deque(maxlen=replay_max)
        self._shown: list[Shown] = []

    @property
    def players(self) -> tuple[PlayerId | None, ...]:
        """List who looks; None: somebody who isn't signed in."""
        return tuple(viewer.player for viewer in self._viewers)

    def publish(self, state: TableState, events: Iterable[Numbered]) -> None:
        """Remember events and tell them to every viewer."""
        for event in events:
            self.remember(event)
            for viewer in tuple(self._viewers):
                try:
                    viewer.take(frame_of(state.table, event, viewer.player))
                except Exception:
                    # What was told is committed: a viewer's fault must not become the table's.
                    _log.error("viewer_fault", table=str(state.table), where=where())
                    self.unwatch(viewer)

    def catch_up(self, state: TableState, events: Iterable[Numbered]) -> None:
        """Take a rebuilt table's events: viewers hear only those that are new to them."""
        known = self._events[-1].seq if self._events else 0
        if not self._events:
            for event in events:
                self.remember(event)
            return
        self.publish(state, [event for event in events if event.seq > known])

    def remember(self, event: Numbered) -> None:
        """Keep an event for those who resume, and its openings for later snapshots."""
        self._events.append(event)
        if event.told.name == "hand.opened":
            self._shown = []
        self._shown.extend(event.told.shown)

    def watch(
        self, state: TableState, viewer: Viewer, resume: tuple[int, int] | None, now_ms: int
    ) -> None:
        """Tell a viewer what it missed, then everything that follows."""
        self.unwatch(viewer)
        missed = self._missed(state, resume)
        if missed is None:
            viewer.take(self._snapshot(state, viewer.player, now_ms))
        else:
            for event in missed:
                viewer.take(frame_of(state.table, event, viewer.player))
        self._viewers.append(viewer)

    def unwatch(self, viewer: Viewer) -> None:
        """Stop telling a viewer anything."""
        self._viewers = [one for one in self._viewers if one is not viewer]

    def _missed(self, state: TableState, resume: tuple[int, int] | None) -> list[Numbered] | None:
        """Find the events after `resume` (seq, stream); None if only a snapshot will do."""
        if resume is None:
            return None
        seq, stream = resume
        if stream != state.stream or seq > state.seq or seq < 0:
            return None
        if seq == state.seq:
            return []
        if not self._events or self._events[0].seq > seq + 1:
            return None
        return [event for event in self._events if event.seq > seq]

    def _snapshot(
        self, state: TableState, viewer: PlayerId | None, now_ms: int
    ) -> dict[str, object]:
        seat = None if viewer is None else state.seat_of(viewer)
        openings = [
            opening
            for shown in self._shown
            if shown.to is None or shown.to == viewer
            for opening in shown.openings
        ]
        return {
            "t": "snapshot",
            "table": str(state.table),
            "seq": state.seq,
            "stream": state.stream,
            "now": now_ms,
            "d": snapshot_body(state, seat, openings, self._signers),
        }


def snapshot_body(
    state: TableState, seat: Seat | None, openings: Sequence[object], signers: Sequence[SigningKey]
) -> dict[str, object]:
    """Build what a seat, or a spectator, may see of a table as it stands."""
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
        }
        for seat, chair in enumerate(state.chairs)
    ]


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
