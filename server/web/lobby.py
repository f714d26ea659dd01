"""The tables that are open, for whoever looks in: no sign-in needed, nothing secret shown."""

from collections.abc import Mapping
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel

from server.errors import Refusal
from server.tables.summary import TableSummary
from server.web.auth import Anybody, TheParts
from server.web.errors import refuses
from server.web.pages import LIST_MAX, Limit

router = APIRouter(tags=["tables"], dependencies=[Anybody])


class SeatBody(BaseModel):
    """Who sits in a seat, as everybody sees it; `substituted`: a bot plays it just now."""

    seat: int
    name: str
    kind: str
    away: bool
    substituted: bool


class TableBody(BaseModel):
    """A table of the lobby; `options` hold the rate, in micro-HT a point, as a decimal string.

    Shape: `free`: no tokens move, there is no rate; `match` is the number of the match in
           progress, `hand` that of the open hand; `closing` is None, `drain` (after the hand) or
           `now`.
    """

    id: UUID
    name: str
    game: str
    free: bool
    practice: bool
    match: int | None
    closing: str | None
    phase: str
    hand: int | None
    seat_count: int
    seats: list[SeatBody]
    options: dict[str, int | bool | str]


class TableList(BaseModel):
    """A page of tables; `next` is the `after` of the next page, None at the end."""

    tables: list[TableBody]
    next: UUID | None


@router.get("/tables", summary="The open tables")
async def list_tables(
    parts: TheParts, limit: Limit = LIST_MAX, after: UUID | None = None
) -> TableList:
    """List the tables of this server by their id, after `after`."""
    summaries = sorted(parts.host.everywhere(), key=lambda table: table.table_id)
    later = [table for table in summaries if after is None or table.table_id > after]
    page = [body_of(table) for table in later[:limit]]
    return TableList(tables=page, next=page[-1].id if len(later) > limit else None)


@router.get("/tables/{table}", summary="One table", openapi_extra=refuses("no_such_table"))
async def get_table(parts: TheParts, table: UUID) -> TableBody:
    """Show one table."""
    for summary in parts.host.everywhere():
        if summary.table_id == table:
            return body_of(summary)
    raise Refusal("no_such_table", "no open table has this id", "table")


def body_of(table: TableSummary) -> TableBody:
    """Write a table as the lobby shows it."""
    taken = [(seat, one) for seat, one in enumerate(table.seats) if one is not None]
    return TableBody(
        id=table.table_id,
        name=table.name,
        game=table.game,
        free=table.is_free,
        practice=bool(table.options.get("practice")),
        match=table.match_no,
        closing=table.closing,
        phase=table.phase,
        hand=table.hand_no,
        seat_count=len(table.seats),
        seats=[
            SeatBody(
                seat=seat, name=name, kind=kind, away=away, substituted=seat in table.substituted
            )
            for seat, (name, kind, away) in taken
        ],
        options=options_body(table.options),
    )


def options_body(options: Mapping[str, int | bool | str]) -> dict[str, int | bool | str]:
    """Write a table's options; a rate, where tokens move, is text like every amount."""
    return {key: str(value) if key == "rate" else value for key, value in options.items()}
