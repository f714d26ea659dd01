"""The fairness page's figures, for everybody: how hands ended, and whose entropy was missing."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field

from server.tables import figures
from server.web.auth import Anybody, TheParts
from server.web.pages import LIST_MAX, Limit
from server.web.public_log import LogHead, head_of

router = APIRouter(prefix="/fairness", tags=["fairness"], dependencies=[Anybody])


class Cancelled(BaseModel):
    """Hands that were cancelled, by the reason that CANCEL gives in the public log."""

    attempts_used_up: int = 0
    too_few_seats: int = 0
    table_closed: int = 0
    after_void: int = 0


class VoidedAttempts(BaseModel):
    """Attempts to deal that were given up, by the reason that VOID gives in the public log."""

    not_revealed: int = 0
    server: int = 0
    operator: int = 0
    reshuffle_cap: int = 0


class Absences(BaseModel):
    """How often a seat's entropy was missing.

    Shape: `by_choice` played "without my seed"; `no_commit` and `no_reveal` sat the hand out;
           `reshuffle` did not answer the call of a reshuffle.
    """

    by_choice: int = 0
    no_commit: int = 0
    no_reveal: int = 0
    reshuffle: int = 0


class Figures(BaseModel):
    """What was counted; each opened hand is open, closed or cancelled.

    Shape: `server_only` are closed hands to whose shuffle no human seat gave entropy.
    """

    opened: int = 0
    closed: int = 0
    open: int = 0
    server_only: int = 0
    cancelled: Cancelled = Field(default_factory=Cancelled)
    voided: VoidedAttempts = Field(default_factory=VoidedAttempts)
    absent: Absences = Field(default_factory=Absences)


class HouseFigures(BaseModel):
    """The figures of the whole house, and the public log's head in the same moment."""

    figures: Figures
    log: LogHead


class FiguresOfTable(BaseModel):
    """The figures of one table, counted `since` its first hand of them."""

    table: UUID
    name: str
    game: str
    practice: bool
    since: datetime
    figures: Figures


class FiguresByTable(BaseModel):
    """A page of tables, closed ones too; `next` is the `after` of the next page."""

    tables: list[FiguresOfTable]
    next: UUID | None


@router.get("", summary="How hands ended at all tables, and the log's head")
async def of_the_house(parts: TheParts) -> HouseFigures:
    """Sum up all tables."""
    async with parts.database.transaction() as tx:
        counts = await figures.totals(tx)
        size, root = await head_of(tx)
    log = LogHead(size=size, root=None if root is None else root.hex())
    return HouseFigures(figures=_figures(counts), log=log)


@router.get("/tables", summary="How hands ended, table by table")
async def of_tables(
    parts: TheParts, limit: Limit = LIST_MAX, after: UUID | None = None
) -> FiguresByTable:
    """List the figures of tables by their id, after `after`."""
    async with parts.database.transaction() as tx:
        found = await figures.by_table(tx, after=after, limit=limit + 1)
    page = [_of_table(one) for one in found[:limit]]
    return FiguresByTable(tables=page, next=page[-1].table if len(found) > limit else None)


def _of_table(one: figures.TableFigures) -> FiguresOfTable:
    return FiguresOfTable(
        table=one.table_id,
        name=one.name,
        game=one.game,
        practice=one.is_practice,
        since=one.since,
        figures=_figures(one.counts),
    )


def _figures(counts: Mapping[str, int]) -> Figures:
    """Sort counts by their reasons. Shape: a name is `kind` or `kind:reason`."""

    def under(kind: str) -> dict[str, int]:
        found = [(name.partition(":"), count) for name, count in counts.items()]
        return {reason: count for (head, _, reason), count in found if head == kind and reason}

    opened, closed = counts.get(figures.OPENED, 0), counts.get(figures.CLOSED, 0)
    cancelled = under("cancelled")
    return Figures(
        opened=opened,
        closed=closed,
        open=opened - closed - sum(cancelled.values()),
        server_only=counts.get(figures.SERVER_ONLY, 0),
        cancelled=Cancelled(**cancelled),
        voided=VoidedAttempts(**under("voided")),
        absent=Absences(**under("absent")),
    )
