"""The processes of the house: which are alive, and how many tables each should run."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from server.database import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A process that is alive by the database's clock.

    Shape: `tables` and `sockets` are how many it had when it last said so.
    """

    owner: str
    started_at: datetime
    renewed_at: datetime
    tables: int
    sockets: int


async def beat(
    tx: Transaction, owner: str, *, tables: int, sockets: int, alive_ms: int
) -> tuple[Process, ...]:
    """Say that a process is alive for so long, and list those that are."""
    values = {"owner": owner, "tables": tables, "sockets": sockets, "alive_ms": alive_ms}
    await tx.execute(_BEAT, values)
    await tx.execute(_FORGET)
    return await living(tx)


async def living(tx: Transaction) -> tuple[Process, ...]:
    """List the processes that are alive, the oldest first."""
    return tuple(
        Process(
            owner=row.owner,
            started_at=row.started_at,
            renewed_at=row.renewed_at,
            tables=row.tables,
            sockets=row.sockets,
        )
        for row in await tx.execute(_LIVING)
    )


async def leave(tx: Transaction, owner: str) -> None:
    """Say that a process stops: the others share its tables from now on."""
    await tx.execute(_LEAVE, {"owner": owner})


def share_of(tables: int, alive: Sequence[Process]) -> int:
    """Derive how many tables a process takes at most, so that all together take every one."""
    return -(-tables // max(1, len(alive)))


_BEAT = text("""
    insert into tables.process (owner, renewed_at, expires_at, tables, sockets)
    values (:owner, clock_timestamp(),
            clock_timestamp() + :alive_ms * interval '1 millisecond', :tables, :sockets)
    on conflict (owner) do update
       set renewed_at = excluded.renewed_at, expires_at = excluded.expires_at,
           tables = excluded.tables, sockets = excluded.sockets
""")
_FORGET = text("""
    delete from tables.process where expires_at < clock_timestamp() - interval '1 hour'
""")
_LIVING = text("""
    select owner, started_at, renewed_at, tables, sockets from tables.process
     where expires_at > clock_timestamp() order by started_at, owner
""")
_LEAVE = text("delete from tables.process where owner = :owner")
