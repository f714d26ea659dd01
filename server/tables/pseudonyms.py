"""What a player is called in the records of one table."""

import secrets

from sqlalchemy import text

from server.database import PlayerId
from server.fairness.commitment import PLAYER_BYTES
from server.tables.work import Work


async def pseudonym_of(work: Work, player: PlayerId) -> bytes:
    """Find or make what the player is called in this table's records."""
    values = {"table": work.table, "player": player}
    fresh = secrets.token_bytes(PLAYER_BYTES)
    await work.tx.execute(_MAKE, values | {"fresh": fresh})
    return bytes((await work.tx.execute(_GET, values)).scalar_one())


_MAKE = text("""
    insert into tables.pseudonym (table_id, player_id, pseudonym)
    values (:table, :player, :fresh) on conflict do nothing
""")
_GET = text("""
    select pseudonym from tables.pseudonym where table_id = :table and player_id = :player
""")
