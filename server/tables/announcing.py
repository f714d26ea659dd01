"""Who is told of what a table has committed, besides its viewers: other processes, log, counts."""

from collections.abc import Mapping, Sequence
from typing import Final

import structlog

from server.logs import at_table
from server.observability.metrics import Metrics
from server.tables.facts import AttemptVoided, HandCancelled, HandClosed, Moved
from server.tables.faults import place_of
from server.tables.journal import Entry
from server.tables.published import tell
from server.tables.state import TableState
from server.tables.takeup import TakenUp
from server.tables.work import Parts

NOTED: Final[Mapping[str, str]] = {
    "dealt": "hand.dealt",
    "hand_closed": "hand.closed",
    "attempt_voided": "hand.voided",
    "hand_cancelled": "hand.cancelled",
    "table_closing": "table.closing",
    "table_closed": "table.closed",
}
"""Facts that are always told, by the name of their event; the others to those who debug."""

_log = structlog.get_logger(__name__)


def announce(state: TableState, entries: Sequence[Entry], parts: Parts) -> None:
    """Publish, log and count what was committed; `state` is where it led to.

    The log gets no more of a fact than its name, as it may hold a card.
    """
    tell(parts.publish, state, entries)
    for entry in entries:
        _count(state, entry, parts.metrics)
        place = at_table(state.table, hand=entry.hand, seq=entry.last_seq)
        name = NOTED.get(entry.fact.fact)
        if name is None:
            _log.debug("committed", fact=entry.fact.fact, **place)
        else:
            _log.info(name, **place)


def announce_taken_up(taken: TakenUp, parts: Parts) -> None:
    """Publish, log and count that this process runs a table from now on."""
    won = taken.won
    parts.metrics.taken_up(won.why, idle_ms=won.idle_ms)
    _log.info("table_taken_up", **place_of(taken.state), why=won.why, idle_ms=won.idle_ms)
    announce(taken.state, taken.written, parts)


def announce_lost(state: TableState, parts: Parts) -> None:
    """Log and count a table whose lease ran out, or is another process's."""
    parts.metrics.lease_lost()
    _log.warning("lease_lost", **place_of(state))


def _count(state: TableState, entry: Entry, metrics: Metrics) -> None:
    match entry.fact:
        case Moved():
            metrics.moved(state.game.name)
        case HandClosed():
            metrics.ended("closed")
        case AttemptVoided():
            metrics.ended("voided")
        case HandCancelled():
            metrics.ended("cancelled")
        case _:
            pass
