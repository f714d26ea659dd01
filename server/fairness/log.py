"""The public log: one dense, append-only Merkle tree for all tables (fairdeal/1 section 4).

Whoever appends holds the log until its transaction ends, so that sizes and roots have one order:
append late in a transaction, and take no other lock after it.
"""

from collections.abc import Sequence

from server.database import Transaction
from server.fairness import repository
from server.fairness.encoding import PREFIX, u16
from server.fairness.merkle import (
    Span,
    consistency_spans,
    grown,
    joined,
    leaf_hash,
    path_spans,
    subtrees,
)
from server.fairness.repository import LogPosition

__all__ = [
    "LogPosition",
    "append",
    "consistency",
    "count_of_kind",
    "entries",
    "find",
    "find_leaves",
    "inclusion",
    "root_at",
    "rotations",
    "size",
]


async def append(tx: Transaction, entry: bytes) -> LogPosition:
    """Append an entry; its place in the tree that has it as the last one, with the proof.

    An entry says what happened to a hand, so no two are alike: the same entry again, after a
    commit whose outcome was lost, finds its first place.
    """
    index, leaf = await repository.lock_log(tx), leaf_hash(entry)
    if (found := await repository.find_index(tx, leaf)) is not None:
        return await _position(tx, found)
    places = subtrees((0, index))
    kept = await repository.nodes_of(tx, places)
    peaks = [kept[place] for place in places]
    # the siblings of a last leaf are all that lies before it, the nearest first
    path = tuple(reversed(peaks))
    position = LogPosition(index=index, size=index + 1, root=joined([*peaks, leaf]), path=path)
    await repository.insert_entry(tx, entry, leaf, position, grown(index, leaf, peaks))
    return position


async def entries(tx: Transaction, first: int, limit: int) -> list[bytes]:
    """List entries in order, from index `first`, at most `limit`."""
    return await repository.entries_from(tx, first, limit)


async def find(tx: Transaction, entry: bytes) -> int | None:
    """Find the index of an entry; None if it isn't in the log."""
    return await repository.find_index(tx, leaf_hash(entry))


async def find_leaves(tx: Transaction, leaves: Sequence[bytes]) -> frozenset[bytes]:
    """Find which of these leaf hashes are in the log."""
    return await repository.leaves_among(tx, leaves)


async def count_of_kind(tx: Transaction, label: str) -> int:
    """Count the entries with a label, `log-seal` for one; it reads the whole log."""
    name = (PREFIX + label).encode("ascii")
    return await repository.count_beginning(tx, u16(len(name)) + name)


async def rotations(tx: Transaction, limit: int) -> list[tuple[int, bytes]]:
    """List the newest entries by which keys came into force, with their indices, in order."""
    return await repository.rotations(tx, limit)


async def size(tx: Transaction) -> int:
    """Count the entries."""
    return await repository.size_of_log(tx)


async def root_at(tx: Transaction, size: int) -> bytes:
    """Derive the root of the first `size` entries.

    Errors: ValueError for size 0 or beyond the log.
    """
    return (await _hashes(tx, ((0, size),)))[0]


async def inclusion(tx: Transaction, index: int, size: int) -> tuple[bytes, ...]:
    """Prove that entry `index` is among the first `size`: the siblings up to their root.

    Errors: ValueError for size 0, an index beyond it, or a size beyond the log.
    """
    return await _hashes(tx, path_spans(index, size))


async def consistency(tx: Transaction, old: int, new: int) -> tuple[bytes, ...]:
    """Prove that the first `new` entries begin with the first `old` ones.

    Errors: ValueError unless 0 < old <= new, or if the log is not that long.
    """
    return await _hashes(tx, consistency_spans(old, new))


async def _position(tx: Transaction, index: int) -> LogPosition:
    size = index + 1
    root, *path = await _hashes(tx, ((0, size), *path_spans(index, size)))
    return LogPosition(index=index, size=size, root=root, path=tuple(path))


async def _hashes(tx: Transaction, spans: tuple[Span, ...]) -> tuple[bytes, ...]:
    kept = await repository.nodes_of(tx, {place for span in spans for place in subtrees(span)})
    try:
        return tuple(joined([kept[place] for place in subtrees(span)]) for span in spans)
    except KeyError:
        raise ValueError("the log is not that long") from None
