"""Hands that are over, as the operator's console lists them: nothing of a hand in play."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import text

from server.database import HandId, PlayerId, TableId, Transaction
from server.tables import hands


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedSeat:
    """What a seat got. Units: micro-HT."""

    seat: int
    player_id: PlayerId
    points: int
    amount_micro: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedHand:
    """A hand that was closed or cancelled; a cancelled one has neither seats nor a record."""

    hand_id: HandId
    table_id: TableId
    table_name: str
    hand_no: int
    is_closed: bool
    opened_at: datetime
    ended_at: datetime
    commission_micro: int | None
    seats: tuple[EndedSeat, ...]


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table by its name, open or closed."""

    table_id: TableId
    name: str
    is_closed: bool


async def ended_hands(
    tx: Transaction,
    *,
    hand: HandId | None = None,
    table: TableId | None = None,
    player: PlayerId | None = None,
    before: int | None = None,
    limit: int,
) -> list[EndedHand]:
    """List hands that are over, the newest first, those with ids below `before`."""
    values = {"hand": hand, "table": table, "player": player, "before": before, "limit": limit}
    rows = (await tx.execute(_HANDS, values)).all()
    seats = await _seats(tx, [row.hand_id for row in rows])
    return [
        EndedHand(
            hand_id=HandId(row.hand_id),
            table_id=TableId(row.table_id),
            table_name=row.name,
            hand_no=row.hand_no,
            is_closed=row.state == hands.CLOSED,
            opened_at=row.opened_at,
            ended_at=row.ended_at,
            commission_micro=row.commission_micro,
            seats=tuple(seats.get(row.hand_id, ())),
        )
        for row in rows
    ]


async def names_of_tables(tx: Transaction, tables: Collection[UUID]) -> Mapping[UUID, str]:
    """Map tables, closed ones too, to their names."""
    rows = await tx.execute(_NAMES, {"tables": list(tables)})
    return {row.table_id: row.name for row in rows}


async def tables_named(tx: Transaction, prefix: str, *, limit: int) -> list[NamedTable]:
    """List tables whose name begins so, in any case, the newest first; closed ones too."""
    rows = await tx.execute(_NAMED, {"prefix": prefix, "limit": limit})
    return [NamedTable(TableId(row.table_id), row.name, row.is_closed) for row in rows]


async def _seats(tx: Transaction, found: Collection[int]) -> Mapping[int, list[EndedSeat]]:
    of: dict[int, list[EndedSeat]] = {}
    for row in await tx.execute(_SEATS, {"hands": list(found)}):
        one = EndedSeat(
            seat=row.seat,
            player_id=PlayerId(row.player_id),
            points=row.points,
            amount_micro=row.amount_micro,
        )
        of.setdefault(row.hand_id, []).append(one)
    return of


_HANDS = text("""
    select h.hand_id, h.table_id, t.name, h.hand_no, h.state, h.opened_at, h.ended_at,
           h.commission_micro
      from tables.hand h join tables.game_table t using (table_id)
     where h.state >= 4
       and (cast(:hand as bigint) is null or h.hand_id = :hand)
       and (cast(:table as uuid) is null or h.table_id = :table)
       and (cast(:before as bigint) is null or h.hand_id < :before)
       and (cast(:player as bigint) is null or exists (
             select from tables.hand_seat s
              where s.hand_id = h.hand_id and s.player_id = :player))
     order by h.hand_id desc limit :limit
""")
_SEATS = text("""
    select hand_id, seat, player_id, points, amount_micro from tables.hand_seat
     where hand_id = any(:hands) order by hand_id, seat
""")
_NAMES = text("select table_id, name from tables.game_table where table_id = any(:tables)")
_NAMED = text("""
    select table_id, name, state = 3 as is_closed from tables.game_table
     where starts_with(lower(name), lower(:prefix)) order by opened_at desc, table_id limit :limit
""")
