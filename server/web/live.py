"""What runs just now, for operators: processes, tables, who sits there, and who is connected.

Of a hand it shows its number, as everybody sees it: no card, no seed.
"""

from datetime import UTC, datetime

from fastapi import APIRouter
from pydantic import BaseModel

from server.tables.processes import Process
from server.tables.state import Chair, TableState
from server.web.auth import TheParts, ViewerRole
from server.web.lobby import TableBody, body_of
from server.web.parts import Parts

router = APIRouter(prefix="/operator", tags=["figures"])


class LiveSeat(BaseModel):
    """Whether a seat's player is connected, and since when it is so, if that is known.

    Shape: `away` is what the table goes by: it gives a lost line some seconds.
    """

    seat: int
    player: str
    name: str
    kind: str
    connected: bool
    since: datetime | None
    away: bool


class LiveTable(BaseModel):
    """An open table; `hand_id` is the hand that may be voided. No card, no seed.

    Shape: `process` runs it, None while it is between two; `watching` counts those who look on
           without a seat by the process that was asked.
    """

    table: TableBody
    process: str | None
    hand_id: str | None
    seats: list[LiveSeat]
    watching: int


class LiveProcess(BaseModel):
    """A process of the house; `tables` are its leases, `sockets` as it last said, at `heard`."""

    name: str
    since: datetime
    heard: datetime
    tables: int
    sockets: int


class LiveBody(BaseModel):
    """What the house runs just now.

    Shape: `process` is the one that was asked: `connections`, `players` and `waiting`, the frames
           in the fullest line, are its own.
    """

    process: str
    processes: list[LiveProcess]
    connections: int
    players: int
    waiting: int
    tables: list[LiveTable]


@router.get("/live")
async def get_live(operator: ViewerRole, parts: TheParts) -> LiveBody:
    """Show the processes of the house, all tables, and who is connected to them."""
    summaries = sorted(parts.host.everywhere(), key=lambda table: (table.name, table.table_id))
    tables = []
    for summary in summaries:
        state = parts.host.state_of(summary.table_id)
        tables.append(
            LiveTable(
                table=body_of(summary),
                process=parts.host.owner_of(summary.table_id),
                hand_id=None if state.opened is None else str(state.opened.hand_id),
                seats=[_seat_body(parts, seat, chair) for seat, chair in state.taken()],
                watching=_watching(parts, state),
            )
        )
    return LiveBody(
        process=parts.host.messenger.owner,
        processes=[_process_body(one) for one in parts.host.processes()],
        connections=parts.gateway.open_count,
        players=parts.gateway.player_count,
        waiting=parts.gateway.depth,
        tables=tables,
    )


def _process_body(one: Process) -> LiveProcess:
    return LiveProcess(
        name=one.owner,
        since=one.started_at,
        heard=one.renewed_at,
        tables=one.tables,
        sockets=one.sockets,
    )


def _seat_body(parts: Parts, seat: int, chair: Chair) -> LiveSeat:
    connected_ms = parts.gateway.since_ms(chair.player)
    since_ms = parts.host.gone_since_ms(chair.player) if connected_ms is None else connected_ms
    return LiveSeat(
        seat=seat,
        player=str(chair.player),
        name=chair.name,
        kind=chair.kind.name.lower(),
        connected=connected_ms is not None or parts.host.heard_by(chair.player) is not None,
        since=None if since_ms is None else datetime.fromtimestamp(since_ms / 1000, UTC),
        away=chair.away,
    )


def _watching(parts: Parts, state: TableState) -> int:
    """Count the sockets that look at a table and have no seat there."""
    viewers = parts.host.viewers_of(state.table)
    return sum(player is None or state.seat_of(player) is None for player in viewers)
