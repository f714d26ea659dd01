"""Who hears what: the viewers of a table, the last events, and the snapshot for a newcomer.

Whoever holds the table's state feeds it: the actor that runs the table, or a mirror of it.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import structlog

from server.database import PlayerId
from server.fairness.signing import SigningKey
from server.tables.faults import place_of, where
from server.tables.snapshot import snapshot_body
from server.tables.state import TableState
from server.tables.told import Numbered, Shown, frame_of, sees

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
                with self._kept_apart(state, viewer):
                    viewer.take(frame_of(state.table, event, viewer.player))

    @contextmanager
    def _kept_apart(self, state: TableState, viewer: Viewer) -> Iterator[None]:
        """What is told is committed: a viewer's fault must not become the table's."""
        try:
            yield
        except Exception:
            _log.error("viewer_fault", **place_of(state), where=where())
            self.unwatch(viewer)

    def catch_up(self, state: TableState, events: Sequence[Numbered], now_ms: int) -> None:
        """Take a rebuilt table's events: viewers hear only those that are new to them.

        A snapshot comes instead if these don't go on from what was told last.
        """
        told = self._events[-1] if self._events else None
        first = events[0].seq if events else state.seq + 1
        if told is None or told.stream != state.stream or not first - 1 <= told.seq <= state.seq:
            self.begin_anew(state, events, now_ms)
            return
        self.publish(state, [event for event in events if event.seq > told.seq])

    def begin_anew(self, state: TableState, events: Iterable[Numbered], now_ms: int) -> None:
        """Forget what was told: every viewer gets a snapshot, and then what follows it."""
        self._events.clear()
        self._shown = []
        for event in events:
            self.remember(event)
        for viewer in tuple(self._viewers):
            with self._kept_apart(state, viewer):
                viewer.take(self._snapshot(state, viewer.player, now_ms))

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
        seat = None if viewer is None else state.seat_for(viewer)
        # What the owner of a seat was shown in this hand, its substitute needs to go on.
        eyes = {viewer} if seat is None else {viewer, *state.chair(seat).eyes}
        openings = [
            opening
            for shown in self._shown
            if any(sees(shown.to, one) for one in eyes)
            for opening in shown.openings
        ]
        return {
            "t": "snapshot",
            "table": str(state.table),
            "seq": state.seq,
            "stream": state.stream,
            "now": now_ms,
            "d": snapshot_body(state, viewer, openings, self._signers),
        }
