"""What runs just now, for operators: tables, who sits there, and whether they are connected.

Of a hand it shows its number, as everybody sees it: no card, no seed.
"""

from datetime import UTC, datetime

from fastapi import APIRouter
from pydantic import BaseModel

from server.tables.state import Chair, TableState
from server.web.auth import TheParts, ViewerRole
from server.web.lobby import TableBody, body_of
from server.web.parts import Parts

router = APIRouter(prefix="/operator", tags=["figures"])


class LiveSeat(BaseModel):
    """Whether a seat's player has a socket here, and since when it is so, if that is known.

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
    """A table that is open here; `hand_id` is the hand that may be voided. No card, no seed.

    Shape: `watching` counts those who look on without a seat.
    """

    table: TableBody
    hand_id: str | None
    seats: list[LiveSeat]
    watching: int


class LiveBody(BaseModel):
    """What this process runs just now; `waiting` are the frames in the fullest line."""

    connections: int
    players: int
    waiting: int
    tables: list[LiveTable]


@router.get("/live")
async def get_live(operator: ViewerRole, parts: TheParts) -> LiveBody:
    """Show the tables of this process and who is connected to them."""
    summaries = sorted(parts.host.summaries(), key=lambda table: (table.name, table.table_id))
    tables = []
    for summary in summaries:
        state = parts.host.state_of(summary.table_id)
        tables.append(
            LiveTable(
                table=body_of(summary),
                hand_id=None if state.opened is None else str(state.opened.hand_id),
                seats=[_seat_body(parts, seat, chair) for seat, chair in state.taken()],
                watching=_watching(parts, state),
            )
        )
    return LiveBody(
        connections=parts.gateway.open_count,
        players=parts.gateway.player_count,
        waiting=parts.gateway.depth,
        tables=tables,
    )


def _seat_body(parts: Parts, seat: int, chair: Chair) -> LiveSeat:
    connected_ms = parts.gateway.since_ms(chair.player)
    since_ms = parts.host.gone_since_ms(chair.player) if connected_ms is None else connected_ms
    return LiveSeat(
        seat=seat,
        player=str(chair.player),
        name=chair.name,
        kind=chair.kind.name.lower(),
        connected=connected_ms is not None,
        since=None if since_ms is None else datetime.fromtimestamp(since_ms / 1000, UTC),
        away=chair.away,
    )


def _watching(parts: Parts, state: TableState) -> int:
    """Count the sockets that look at a table and have no seat there."""
    viewers = parts.host.viewers_of(state.table)
    return sum(player is None or state.seat_of(player) is None for player in viewers)
