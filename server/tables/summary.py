"""What the lobby shows of a table."""

from dataclasses import dataclass

from server.cards.options import options_fields
from server.database import TableId
from server.tables.opening import stake_micro
from server.tables.seat_tokens import SeatPass
from server.tables.state import Closed, TableState


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSummary:
    """What the lobby shows of a table."""

    table_id: TableId
    name: str
    game: str
    options: dict[str, int | bool | str]
    phase: str
    closing: str | None
    seats: tuple[tuple[str, str, bool] | None, ...]
    hand_no: int | None
    is_free: bool
    match_no: int | None
    substituted: frozenset[int]


def summary_of(state: TableState) -> TableSummary:
    """Derive what the lobby shows of a table."""
    return TableSummary(
        table_id=state.table,
        name=state.name,
        game=state.game.name,
        options=options_fields(state.options),
        phase=type(state.phase).__name__.lower(),
        closing=state.closing,
        seats=tuple(
            None if chair is None else (chair.name, chair.kind.name.lower(), chair.away)
            for chair in state.chairs
        ),
        hand_no=None if state.opened is None else state.opened.hand_no,
        is_free=stake_micro(state) is None,
        match_no=None if state.match is None else state.match.number,
        substituted=frozenset(seat for seat, chair in state.taken() if chair.substitute),
    )


def passes_of(state: TableState) -> frozenset[SeatPass]:
    """List the seats of a table that a substitute plays, and which."""
    if isinstance(state.phase, Closed):
        return frozenset()
    return frozenset(
        SeatPass(state.table, seat, chair.substitute.player)
        for seat, chair in state.taken()
        if chair.substitute is not None
    )
