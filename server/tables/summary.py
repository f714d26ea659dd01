"""What the lobby shows of a table."""

from dataclasses import dataclass

from server.cards.options import options_fields
from server.database import TableId
from server.tables.state import TableState


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
    )
