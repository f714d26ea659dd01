"""Tokens for substitutes: each opens one seat of one table, and nothing else, while it is there."""

from dataclasses import dataclass

from sqlalchemy import text

from server.cards.game import Seat
from server.database import PlayerId, TableId, Transaction
from server.errors import Refusal
from server.identity.passwords import hash_of_token, new_token


@dataclass(frozen=True, slots=True)
class SeatPass:
    """What a token opens: the seat, and who plays it."""

    table: TableId
    seat: Seat
    player: PlayerId


async def issue(tx: Transaction, seat_pass: SeatPass, *, fence: int) -> str:
    """Make the token of a seat's substitute, in place of an older one.

    Errors: Refusal("busy") without the lease.
    """
    token = new_token()
    values = {
        "table": seat_pass.table,
        "seat": seat_pass.seat,
        "player": seat_pass.player,
        "hash": hash_of_token(token),
        "fence": fence,
    }
    if (await tx.execute(_ISSUE, values)).rowcount == 0:
        raise Refusal("busy", "the table has moved to another process")
    return token


async def revoke(tx: Transaction, table: TableId, seat: Seat) -> None:
    """Make the token of a seat's substitute worthless."""
    await tx.execute(_REVOKE, {"table": table, "seat": seat})


async def revoke_all(tx: Transaction, table: TableId) -> None:
    """Make the tokens of all substitutes of a table worthless."""
    await tx.execute(_REVOKE_ALL, {"table": table})


async def pass_of(tx: Transaction, token: str) -> SeatPass | None:
    """Find what a token opens; None if nothing."""
    row = (await tx.execute(_FIND, {"hash": hash_of_token(token)})).one_or_none()
    if row is None:
        return None
    return SeatPass(TableId(row.table_id), Seat(row.seat), PlayerId(row.player_id))


_ISSUE = text("""
    insert into tables.seat_token (table_id, seat, player_id, token_hash)
    select l.table_id, :seat, :player, :hash from tables.lease l
     where l.table_id = :table and l.fence = :fence and l.expires_at > clock_timestamp()
    on conflict (table_id, seat) do update
       set player_id = excluded.player_id, token_hash = excluded.token_hash, issued_at = now()
""")
_REVOKE = text("delete from tables.seat_token where table_id = :table and seat = :seat")
_REVOKE_ALL = text("delete from tables.seat_token where table_id = :table")
_FIND = text("select table_id, seat, player_id from tables.seat_token where token_hash = :hash")
