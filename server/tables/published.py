"""What the owner of a table publishes after each commit, for the processes that mirror it.

Facts alone, as the journal holds them: no card that isn't public, and no event. It may be lost, or
come twice or late: its numbers say so, and the journal has it all.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Final

import structlog
from pydantic import Field, TypeAdapter
from pydantic.dataclasses import dataclass

from server.database import TableId
from server.tables.facts import AnyFact
from server.tables.faults import place_of, where
from server.tables.journal import Entry
from server.tables.seat_facts import CONFIG
from server.tables.state import TableState

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class Published:
    """Facts that were committed together.

    Shape: their events have the numbers `first_seq` to `last_seq` of that `stream`.
    Units: `at_ms` is when they took place, by the database's clock.
    """

    table: TableId
    stream: int
    first_seq: Annotated[int, Field(ge=1)]
    last_seq: int
    at_ms: int
    facts: tuple[AnyFact, ...]


Publish = Callable[[Published], None]
"""Sends what was committed on its way; it never waits."""

_PUBLISHED: Final[TypeAdapter[Published]] = TypeAdapter(Published)


def to_nobody(published: Published) -> None:
    """Publish nothing: one process does it all."""


def encode(published: Published) -> bytes:
    """Write what is published for its way; byte strings are hex."""
    return _PUBLISHED.dump_json(published)


def decode(body: bytes) -> Published:
    """Read what was published.

    Errors: ValueError if the bytes are nothing of the kind.
    """
    return _PUBLISHED.validate_json(body)


def tell(publish: Publish, state: TableState, entries: Sequence[Entry]) -> None:
    """Publish what was written and committed, if anything; `state` is where it led to."""
    if not entries:
        return
    published = Published(
        table=state.table,
        stream=state.stream,
        first_seq=entries[0].seq,
        last_seq=entries[-1].last_seq,
        at_ms=entries[0].at_ms,
        facts=tuple(entry.fact for entry in entries),
    )
    try:
        publish(published)
    except Exception:
        # What is published is committed: a messenger's fault must not become the table's.
        _log.error("publish_fault", **place_of(state), where=where())
