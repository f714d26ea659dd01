"""The processes of the house: which are alive, and how many tables each should run."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from server.database import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A process that is alive by the database's clock.

    Shape: `tables` is how many leases it holds; `sockets` how many it had at `renewed_at`.
    """

    owner: str
    started_at: datetime
    renewed_at: datetime
    tables: int
    sockets: int


async def beat(tx: Transaction, owner: str, *, sockets: int, alive_ms: int) -> tuple[Process, ...]:
    """Say that a process is alive for so long, and list those that are."""
    values = {"owner": owner, "sockets": sockets, "alive_ms": alive_ms}
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
    insert into tables.process (owner, renewed_at, expires_at, sockets)
    values (:owner, clock_timestamp(),
            clock_timestamp() + :alive_ms * interval '1 millisecond', :sockets)
    on conflict (owner) do update
       set renewed_at = excluded.renewed_at, expires_at = excluded.expires_at,
           sockets = excluded.sockets
""")
_FORGET = text("""
    delete from tables.process where expires_at < clock_timestamp() - interval '1 hour'
""")
_LIVING = text("""
    select p.owner, p.started_at, p.renewed_at, p.sockets, coalesce(l.tables, 0) as tables
      from tables.process p
      left join (select owner, count(*) as tables from tables.lease
                  where expires_at > clock_timestamp() group by owner) l using (owner)
     where p.expires_at > clock_timestamp() order by p.started_at, p.owner
""")
_LEAVE = text("delete from tables.process where owner = :owner")
