"""Every invariant of the ledger, each by a query of its own, with figures.

The queries read rows as they lie in the tables and trust no function, trigger or balance.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from typing import Final

from sqlalchemy import text

from server.database import Transaction, one_snapshot

AUDIT_TIMEOUT_MS: Final = 600_000
WRONG: Final = "wrong_"
"""Columns that begin so count what breaks the invariant; all must be 0."""


@dataclass(frozen=True, slots=True)
class Invariant:
    """A sentence, whether it is true, and the figures that say so."""

    name: str
    holds: bool
    figures: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CheckRun:
    """A check that was made."""

    at: datetime
    holds: bool
    invariants: tuple[Invariant, ...]


async def check(tx: Transaction) -> list[Invariant]:
    """State every invariant, over one snapshot of the whole ledger.

    `tx` must be fresh: nothing may have been read in it before. It writes nothing.
    """
    await one_snapshot(tx)
    await tx.execute(text(f"set local statement_timeout = {AUDIT_TIMEOUT_MS}"))
    return [await _invariant(tx, name, query) for name, query in invariants().items()]


def invariants() -> dict[str, str]:
    """Read the sentences and their queries from `audit.sql`: a `--` line names what follows."""
    script = files(__package__).joinpath("audit.sql").read_text(encoding="utf-8")
    found = {}
    for part in script.split("\n-- ")[1:]:
        name, _, query = part.partition("\n")
        found[name.strip()] = query.strip().rstrip(";")
    return found


async def keep(tx: Transaction, found: Sequence[Invariant]) -> None:
    """Write down that a check was made, and what it found."""
    rows = [{"name": one.name, "holds": one.holds, "figures": dict(one.figures)} for one in found]
    values = {"holds": all(one.holds for one in found), "rows": json.dumps(rows)}
    await tx.execute(_KEEP, values)


async def find_last(tx: Transaction) -> CheckRun | None:
    """Find the check that was made last; None if there was none yet."""
    row = (await tx.execute(_LAST)).one_or_none()
    if row is None:
        return None
    found = tuple(Invariant(one["name"], one["holds"], one["figures"]) for one in row.invariants)
    return CheckRun(row.at, row.holds, found)


_KEEP = text(
    "insert into ledger.check_run (holds, invariants) values (:holds, cast(:rows as jsonb))"
)
_LAST = text("select at, holds, invariants from ledger.check_run order by run_id desc limit 1")


async def _invariant(tx: Transaction, name: str, query: str) -> Invariant:
    row = (await tx.execute(text(query))).one()._mapping
    figures = {column: int(value) for column, value in row.items()}
    wrong = [value for column, value in figures.items() if column.startswith(WRONG)]
    assert wrong, "an invariant that can't fail says nothing"
    return Invariant(name, not any(wrong), figures)
