"""The rows of hands: opened, listed, dealt, closed or cancelled; and who got what."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import text

from server.database import HandId, PlayerId, TableId, Transaction

OPEN: Final = 1
LISTED: Final = 2
DEALT: Final = 3
CLOSED: Final = 4
CANCELLED: Final = 5

TABLE_CLOSING: Final = 2
TABLE_CLOSED: Final = 3


async def insert(tx: Transaction, table: TableId, hand_no: int) -> HandId:
    """Make the row of a hand that opens."""
    result = await tx.execute(_INSERT, {"table": table, "hand_no": hand_no})
    return HandId(result.scalar_one())


async def set_state(tx: Transaction, hand: HandId, state: int) -> None:
    """Say that a hand is listed or dealt."""
    await tx.execute(_SET_STATE, {"hand": hand, "state": state})


async def end(
    tx: Transaction, hand: HandId, state: int, *, gross: int | None = None, commission: int = 0
) -> None:
    """Say that a hand is closed or cancelled."""
    values = {
        "hand": hand,
        "state": state,
        "gross": gross,
        "commission": None if gross is None else commission,
    }
    await tx.execute(_END, values)


async def set_table_state(tx: Transaction, table: TableId, state: int) -> None:
    """Say that a table is closing or closed."""
    await tx.execute(_SET_TABLE, {"table": table, "state": state})


async def insert_seats(
    tx: Transaction, hand: HandId, seats: Sequence[tuple[int, PlayerId, int, int]]
) -> None:
    """Keep a closed hand's (seat, player, points, amount in micro-HT)."""
    await tx.execute(
        _SEATS,
        {
            "hand": hand,
            "seats": [seat for seat, _, _, _ in seats],
            "players": [player for _, player, _, _ in seats],
            "points": [points for _, _, points, _ in seats],
            "amounts": [amount for _, _, _, amount in seats],
        },
    )


_INSERT = text(
    "insert into tables.hand (table_id, hand_no) values (:table, :hand_no) returning hand_id"
)
_SET_TABLE = text("update tables.game_table set state = :state where table_id = :table")
_SET_STATE = text("update tables.hand set state = :state where hand_id = :hand")
_END = text("""
    update tables.hand set state = :state, ended_at = now(), gross_micro = :gross,
           commission_micro = :commission
     where hand_id = :hand and state < 4
""")
_SEATS = text("""
    insert into tables.hand_seat (hand_id, seat, player_id, points, amount_micro)
    select :hand, s.seat, s.player, s.points, s.amount
      from unnest(cast(:seats as smallint[]), cast(:players as bigint[]),
                  cast(:points as bigint[]), cast(:amounts as bigint[]))
           s (seat, player, points, amount)
""")
