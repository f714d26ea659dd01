"""The lease: one owner per table, by the database's clock, with a fence that only rises."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import text

from server.database import TableId, Transaction
from server.observability.metrics import Why


@dataclass(frozen=True, slots=True)
class Claim:
    """A lease that was won.

    Units: `idle_ms` is how long nobody had renewed it, 0 for a table that never had an owner.
    """

    fence: int
    idle_ms: int
    why: Why


async def claim(tx: Transaction, table: TableId, *, owner: str, lease_ms: int) -> Claim | None:
    """Take a table's lease if it is free or has run out; None if somebody holds it."""
    await tx.execute(_MAKE, {"table": table})
    found = await tx.execute(_CLAIM, {"table": table, "owner": owner, "lease_ms": lease_ms})
    row = found.one_or_none()
    if row is None:
        return None
    if row.fence == 1:
        return Claim(row.fence, 0, "new")
    return Claim(row.fence, row.idle_ms, "given_up" if row.was_given_up else "left_behind")


async def renew(
    tx: Transaction, fences: Sequence[tuple[TableId, int]], *, owner: str, lease_ms: int
) -> frozenset[TableId]:
    """Renew leases that are still ours; gives those that are. A lease that ran out is lost."""
    found = await tx.execute(
        _RENEW,
        {
            "tables": [table for table, _ in fences],
            "fences": [fence for _, fence in fences],
            "owner": owner,
            "lease_ms": lease_ms,
        },
    )
    return frozenset(TableId(row.table_id) for row in found)


async def give_up(tx: Transaction, fences: Sequence[tuple[TableId, int]], *, owner: str) -> None:
    """Let go of leases, so that the next owner need not wait."""
    await tx.execute(
        _GIVE_UP,
        {
            "tables": [table for table, _ in fences],
            "fences": [fence for _, fence in fences],
            "owner": owner,
        },
    )


async def give_up_all(tx: Transaction, *, owner: str) -> int:
    """Let go of every lease of a process that stops, whatever it believes to have; how many."""
    return (await tx.execute(_GIVE_UP_ALL, {"owner": owner})).rowcount


_MAKE = text("""
    insert into tables.lease (table_id, owner, fence, renewed_at, expires_at)
    values (:table, '', 0, clock_timestamp(), clock_timestamp()) on conflict do nothing
""")

_CLAIM = text("""
    with old as (select table_id, renewed_at, expires_at from tables.lease
                  where table_id = :table and expires_at <= clock_timestamp() for update)
    update tables.lease l
       set owner = :owner, fence = l.fence + 1, renewed_at = clock_timestamp(),
           expires_at = clock_timestamp() + :lease_ms * interval '1 millisecond'
      from old where l.table_id = old.table_id
    returning l.fence,
              (extract(epoch from l.renewed_at - old.renewed_at) * 1000)::bigint as idle_ms,
              old.renewed_at = old.expires_at as was_given_up
""")

_RENEW = text("""
    update tables.lease l
       set renewed_at = clock_timestamp(),
           expires_at = clock_timestamp() + :lease_ms * interval '1 millisecond'
      from unnest(cast(:tables as uuid[]), cast(:fences as bigint[])) r (table_id, fence)
     where l.table_id = r.table_id and l.fence = r.fence and l.owner = :owner
       and l.expires_at > clock_timestamp()
    returning l.table_id
""")

# A lease that ends when it was renewed was given up: `_CLAIM` tells it from one that ran out.
_GIVE_UP = text("""
    update tables.lease l set expires_at = now(), renewed_at = now()
      from unnest(cast(:tables as uuid[]), cast(:fences as bigint[])) r (table_id, fence)
     where l.table_id = r.table_id and l.fence = r.fence and l.owner = :owner
       and l.expires_at > clock_timestamp()
""")
_GIVE_UP_ALL = text("""
    update tables.lease set expires_at = now(), renewed_at = now()
     where owner = :owner and expires_at > clock_timestamp()
""")
