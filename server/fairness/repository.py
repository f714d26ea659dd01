"""The queries of this floor; each runs inside the caller's transaction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, insert, select, text, tuple_, update
from sqlalchemy.dialects import postgresql

from server.database import Transaction
from server.fairness.merkle import Node, leaf_hash
from server.fairness.models import IS_ROTATION, LogEntry, LogHead, LogNode, SealedSeed


@dataclass(frozen=True, slots=True)
class LogPosition:
    """Where an entry lies, the tree as it was with this entry the last, and the proof of it."""

    index: int
    size: int
    root: bytes
    path: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class StoredSeed:
    """A row of the seeds: sealed, with the commitment that was published."""

    attempt: int
    sealed: bytes
    commit: bytes


# --- the log


async def lock_log(tx: Transaction) -> int:
    """Take the log until the transaction ends; its size now."""
    query = select(LogHead.size).with_for_update()
    return (await tx.execute(query)).scalar_one()


async def size_of_log(tx: Transaction) -> int:
    """Count the entries."""
    return (await tx.execute(select(LogHead.size))).scalar_one()


async def find_index(tx: Transaction, leaf: bytes) -> int | None:
    """Find an entry by its leaf hash."""
    query = select(LogEntry.index).where(LogEntry.leaf == leaf)
    return (await tx.execute(query)).scalar_one_or_none()


async def leaves_among(tx: Transaction, leaves: Sequence[bytes]) -> frozenset[bytes]:
    """Find which of these leaf hashes the log has, with an entry that hashes to it."""
    query = select(LogEntry.leaf, LogEntry.entry).where(LogEntry.leaf.in_(leaves))
    rows = await tx.execute(query)
    return frozenset(leaf for leaf, entry in rows if leaf_hash(entry) == leaf)


async def count_beginning(tx: Transaction, prefix: bytes) -> int:
    """Count the entries that begin with these bytes."""
    begins = func.substring(LogEntry.entry, 1, len(prefix)) == prefix
    query = select(func.count()).select_from(LogEntry).where(begins)
    return int((await tx.execute(query)).scalar_one())


async def entries_from(tx: Transaction, first: int, limit: int) -> list[bytes]:
    """List entries in order, from index `first`, at most `limit`."""
    query = select(LogEntry.entry).where(LogEntry.index >= first)
    return list((await tx.scalars(query.order_by(LogEntry.index).limit(limit))).all())


async def rotations(tx: Transaction, limit: int) -> list[tuple[int, bytes]]:
    """List the newest rotations of keys with their indices, in order."""
    query = select(LogEntry.index, LogEntry.entry).where(IS_ROTATION)
    rows = (await tx.execute(query.order_by(LogEntry.index.desc()).limit(limit))).all()
    return [(index, bytes(entry)) for index, entry in reversed(rows)]


async def nodes_of(tx: Transaction, wanted: Iterable[Node]) -> Mapping[Node, bytes]:
    """Read complete subtrees of the log by their places, in one query."""
    query = select(LogNode.level, LogNode.index, LogNode.hash).where(
        tuple_(LogNode.level, LogNode.index).in_(list(wanted))
    )
    return {(level, index): found for level, index, found in await tx.execute(query)}


async def insert_entry(
    tx: Transaction,
    entry: bytes,
    leaf: bytes,
    at: LogPosition,
    nodes: Sequence[tuple[Node, bytes]],
) -> None:
    """Write an entry and the subtrees it completes. The caller holds `lock_log`."""
    rows = [{"level": level, "index": index, "hash": found} for (level, index), found in nodes]
    await tx.execute(insert(LogNode), rows)
    await tx.execute(
        insert(LogEntry).values(index=at.index, entry=entry, leaf=leaf, size=at.size, root=at.root)
    )
    await tx.execute(update(LogHead).values(size=at.size))


# --- the seeds


async def insert_seeds(
    tx: Transaction, *, table_id: UUID, hand_no: int, seeds: Sequence[StoredSeed]
) -> bool:
    """Write all seeds of a hand; False, and nothing written, if the hand has its seeds already."""
    rows = [
        {
            "table_id": table_id,
            "hand_no": hand_no,
            "attempt": seed.attempt,
            "sealed": seed.sealed,
            "commit": seed.commit,
        }
        for seed in seeds
    ]
    statement = postgresql.insert(SealedSeed).values(rows).on_conflict_do_nothing()
    written = (await tx.execute(statement.returning(SealedSeed.attempt))).all()
    assert len(written) in (0, len(rows)), "a hand has all its seeds or none"
    return bool(written)


async def seeds_of(tx: Transaction, *, table_id: UUID, hand_no: int) -> list[StoredSeed]:
    """List the seeds of a hand by attempt; empty if it was never opened."""
    query = (
        select(SealedSeed.attempt, SealedSeed.sealed, SealedSeed.commit)
        .where(SealedSeed.table_id == table_id, SealedSeed.hand_no == hand_no)
        .order_by(SealedSeed.attempt)
    )
    return [StoredSeed(*row) for row in await tx.execute(query)]


async def newest_seeds(tx: Transaction) -> list[tuple[UUID, int, StoredSeed]]:
    """List the seeds of every table's newest hand, with table and number."""
    newest = (
        select(SealedSeed.table_id, func.max(SealedSeed.hand_no).label("hand_no"))
        .group_by(SealedSeed.table_id)
        .subquery()
    )
    query = select(
        SealedSeed.table_id,
        SealedSeed.hand_no,
        SealedSeed.attempt,
        SealedSeed.sealed,
        SealedSeed.commit,
    ).join(
        newest,
        (SealedSeed.table_id == newest.c.table_id) & (SealedSeed.hand_no == newest.c.hand_no),
    )
    rows = await tx.execute(query)
    return [(row[0], row[1], StoredSeed(row[2], row[3], row[4])) for row in rows]


async def as_owner(tx: Transaction) -> None:
    """Go on as the database's owner to the end of the transaction."""
    await tx.execute(text("set local role none"))


async def replace_sealed(
    tx: Transaction, *, table_id: UUID, hand_no: int, attempt: int, sealed: bytes
) -> None:
    """Write a seed's new seal in the place of the old one; `as_owner`, for nobody else may."""
    where = (
        SealedSeed.table_id == table_id,
        SealedSeed.hand_no == hand_no,
        SealedSeed.attempt == attempt,
    )
    await tx.execute(update(SealedSeed).where(*where).values(sealed=sealed))
