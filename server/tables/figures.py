"""The figures of the fairness page: how hands ended, whose entropy was missing, by table.

They are counted where the facts are written, in the same transaction, so that they can't drift
from the journal; and anybody can count the ends again from the public log.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row, text

from server.database import TableId, Transaction
from server.fairness.entries import CancelReason, VoidReason
from server.tables.facts import (
    AttemptVoided,
    Committed,
    Fact,
    HandCancelled,
    HandClosed,
    HandOpened,
    Listed,
    Reshuffled,
)
from server.tables.listing import ABSENT, COMMITTED
from server.tables.state import Reshuffling, TableState

OPENED: Final = "opened"
CLOSED: Final = "closed"
SERVER_ONLY: Final = "server_only"
CANCELLED: Final = tuple(f"cancelled:{reason.name.lower()}" for reason in CancelReason)
VOIDED: Final = tuple(f"voided:{reason.name.lower()}" for reason in VoidReason)
BY_CHOICE: Final = "absent:by_choice"
NO_COMMIT: Final = "absent:no_commit"
NO_REVEAL: Final = "absent:no_reveal"
AT_RESHUFFLE: Final = "absent:reshuffle"
ABSENCES: Final = (BY_CHOICE, NO_COMMIT, NO_REVEAL, AT_RESHUFFLE)

_MISSED: Final = {"no_commit": NO_COMMIT, "no_reveal": NO_REVEAL}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFigures:
    """What was counted at a table since its first hand of these counts."""

    table_id: UUID
    name: str
    game: str
    is_practice: bool
    since: datetime
    counts: Mapping[str, int]


def counted(before: TableState, fact: Fact) -> tuple[str, ...]:
    """Name what a fact adds to the figures; a name stands once for each seat or hand it counts.

    Source: fairdeal/1 section 5.
    """
    match fact:
        case HandOpened():
            return (OPENED,)
        case Committed(status=status):
            return (BY_CHOICE,) if status == ABSENT else ()
        case Listed(sat_out=sat_out):
            return _missed(sat_out)
        case AttemptVoided(reason=reason, sat_out=sat_out):
            return (VOIDED[reason], *_missed(sat_out))
        case Reshuffled():
            return _silent_at_reshuffle(before)
        case HandCancelled(reason=reason, sat_out=sat_out):
            return (CANCELLED[reason], *_missed(sat_out))
        case HandClosed():
            hand = before.hand
            assert hand is not None, "a hand that closes was played"
            return (CLOSED, SERVER_ONLY) if hand.listing.is_server_only else (CLOSED,)
        case _:
            return ()


def _missed(sat_out: Iterable[tuple[int, str]]) -> tuple[str, ...]:
    """Tell absences; who could not cover the hand was not asked for entropy by it."""
    return tuple(_MISSED[why] for _, why in sat_out if why in _MISSED)


def _silent_at_reshuffle(before: TableState) -> tuple[str, ...]:
    phase = before.phase
    assert isinstance(phase, Reshuffling), "a reshuffle follows its call"
    hand = phase.hand
    asked = [
        one for one in hand.listing.seats if one.status == COMMITTED and one.seat not in hand.gone
    ]
    return (AT_RESHUFFLE,) * sum(one.x_of(hand.epoch + 1) is None for one in asked)


async def add(tx: Transaction, table: TableId, names: Iterable[str]) -> None:
    """Add to a table's figures; its owner alone does so, behind the journal's fence."""
    counts = Counter(names)
    if counts:
        ordered = sorted(counts)
        values = {"table": table, "names": ordered, "counts": [counts[name] for name in ordered]}
        await tx.execute(_ADD, values)


async def totals(tx: Transaction) -> Mapping[str, int]:
    """Sum the figures of all tables, closed ones too; the first statement of its transaction.

    What the same transaction reads next, such as the log's head, is of the same moment.
    """
    await tx.execute(text("set transaction isolation level repeatable read, read only"))
    found = await tx.execute(_TOTALS)
    return {row.name: row.total for row in found}


async def by_table(tx: Transaction, *, after: UUID | None, limit: int) -> tuple[TableFigures, ...]:
    """List the figures of tables by their id, after `after`; tables without a hand have none."""
    found = await tx.execute(_BY_TABLE, {"after": after, "limit": limit})
    return tuple(_figures_of(row) for row in found)


def _figures_of(row: Row[Any]) -> TableFigures:
    return TableFigures(
        table_id=row.table_id,
        name=row.name,
        game=row.game,
        is_practice=row.is_practice,
        since=row.since,
        counts=row.counts,
    )


_ADD = text("""
    insert into tables.figure as f (table_id, name, count)
    select :table, n.name, n.count
      from unnest(cast(:names as text[]), cast(:counts as bigint[])) n (name, count)
    on conflict (table_id, name) do update set count = f.count + excluded.count
""")

_TOTALS = text("select name, sum(count)::bigint as total from tables.figure group by name")

_BY_TABLE = text("""
    select t.table_id, t.name, t.game, coalesce((t.options ->> 'practice')::boolean, false)
             as is_practice, f.since, f.counts
      from tables.game_table t
      join (select table_id, min(since) as since, jsonb_object_agg(name, count) as counts
              from tables.figure group by table_id) f using (table_id)
     where cast(:after as uuid) is null or t.table_id > :after
     order by t.table_id limit :limit
""")
