"""Merkle trees as RFC 6962 builds them: over a deal's cards, and over the public log.

Leaves here are leaf hashes. A last node without a sibling moves up as it is; it is never doubled.
"""

import hashlib
from collections.abc import Sequence

from server.fairness.encoding import HASH_BYTES, enc, hash32, u8, u16

Node = tuple[int, int]
"""(level, index): the complete subtree over the `1 << level` leaves from `index << level`."""

Span = tuple[int, int]
"""The leaves from the first to before the last, as one node of a tree covers them."""

Levels = tuple[tuple[bytes, ...], ...]
"""All nodes, the leaves first; the last level is the root alone."""


def leaf_hash(entry: bytes) -> bytes:
    """Hash a leaf; its first byte keeps it apart from every inner node."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash an inner node. Errors: ValueError unless both sides are 32 bytes."""
    return hashlib.sha256(b"\x01" + hash32(left) + hash32(right)).digest()


def card_leaf(*, hand: bytes, epoch: int, position: int, number: int, salt: bytes) -> bytes:
    """Hash the card that lies at a position. Source: fairdeal/1 section 3 (`leaf_p`)."""
    return leaf_hash(enc("card", hand, u8(epoch), u16(position), u16(number), hash32(salt)))


def levels_of(leaves: Sequence[bytes]) -> Levels:
    """Build the tree, to take many paths from.

    Errors: ValueError if there is no leaf, or one is not 32 bytes.
    """
    if not leaves:
        raise ValueError("a tree of size 0 has no root")
    level = tuple(hash32(leaf) for leaf in leaves)
    levels = [level]
    while len(level) > 1:
        pairs = [node_hash(a, b) for a, b in zip(level[::2], level[1::2], strict=False)]
        level = (*pairs, level[-1]) if len(level) % 2 else tuple(pairs)
        levels.append(level)
    return tuple(levels)


def root(leaves: Sequence[bytes]) -> bytes:
    """Derive the root over the leaves. Errors: ValueError for size 0."""
    return levels_of(leaves)[-1][0]


def path(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """List the siblings from a leaf up to the root. Errors: IndexError beyond the leaves."""
    return path_in(levels_of(leaves), index)


def path_in(levels: Levels, index: int) -> tuple[bytes, ...]:
    """List the siblings from a leaf up to the root of a tree that is already built."""
    if not 0 <= index < len(levels[0]):
        raise IndexError(index)
    siblings = []
    for level in levels[:-1]:
        if index ^ 1 < len(level):
            siblings.append(level[index ^ 1])
        index >>= 1
    return tuple(siblings)


def path_length(index: int, size: int) -> int:
    """Count the siblings that a proof for this leaf must have, no more and no fewer.

    Errors: ValueError for size 0 or an index beyond it.
    """
    if not 0 <= index < size:
        raise ValueError(f"leaf {index} is not in a tree of size {size}")
    length, last = 0, size - 1
    while last:
        length += index ^ 1 <= last
        index, last = index >> 1, last >> 1
    return length


def root_from_path(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """Derive the root that a leaf and its path lead to.

    Errors: ValueError for size 0, an index beyond it, a path that is too long or too short, or a
            hash that is not 32 bytes.
    Source: RFC 6962 section 2.1.1; fairdeal/1 section 6, check 19.
    """
    if len(path) != path_length(index, size):
        raise ValueError(f"a path of {len(path)} hashes does not fit leaf {index} of {size}")
    found, last, rest = hash32(leaf), size - 1, iter(path)
    while last:
        if index & 1:
            found = node_hash(next(rest), found)
        elif index < last:
            found = node_hash(found, next(rest))
        index, last = index >> 1, last >> 1
    return found


# --- a tree that grows, of which complete subtrees are kept


def subtrees(span: Span) -> tuple[Node, ...]:
    """List the complete subtrees that a node is made of, from left to right, largest first.

    Shape: a span that is a node of some tree; (0, size) for the whole tree.
    """
    first, last = span
    nodes = []
    while first < last:
        level = (last - first).bit_length() - 1
        nodes.append((level, first >> level))
        first += 1 << level
    return tuple(nodes)


def joined(hashes: Sequence[bytes]) -> bytes:
    """Derive a node from its complete subtrees. Errors: ValueError if there is none."""
    if not hashes:
        raise ValueError("a tree of size 0 has no root")
    found = hash32(hashes[-1])
    for left in reversed(hashes[:-1]):
        found = node_hash(left, found)
    return found


def path_spans(index: int, size: int) -> tuple[Span, ...]:
    """List what each sibling of a proof covers, from the leaf up to the root.

    Errors: ValueError for size 0 or an index beyond it.
    """
    if not 0 <= index < size:
        raise ValueError(f"leaf {index} is not in a tree of size {size}")
    spans, level = [], 0
    while (size - 1) >> level:
        first = (index >> level ^ 1) << level
        if first < size:
            spans.append((first, min(first + (1 << level), size)))
        level += 1
    return tuple(spans)


def grown(index: int, leaf: bytes, peaks: Sequence[bytes]) -> tuple[tuple[Node, bytes], ...]:
    """List the subtrees that a new leaf completes, from itself up.

    Shape:  `peaks` are the hashes of `subtrees((0, index))`.
    """
    nodes, level, found = [((0, index), hash32(leaf))], 0, leaf
    rest = list(peaks)
    while index >> level & 1:
        found = node_hash(rest.pop(), found)
        level += 1
        nodes.append(((level, index >> level), found))
    return tuple(nodes)


# --- two sizes of one tree


def consistency_spans(old: int, new: int) -> tuple[Span, ...]:
    """List what each node of a consistency proof covers; none if the sizes are equal.

    Errors: ValueError unless 0 < old <= new.
    Source: RFC 6962 section 2.1.2.
    """
    if not 0 < old <= new:
        raise ValueError(f"a log of size {new} has no proof from size {old}")
    first, last, spans = 0, new, []
    while old < last:
        middle = first + (1 << (last - first - 1).bit_length() - 1)
        if old <= middle:
            spans.append((middle, last))
            last = middle
        else:
            spans.append((first, middle))
            first = middle
    # the old tree's last subtree; the whole old tree is known by its root
    return tuple(reversed(spans if first == 0 else [*spans, (first, last)]))


def is_consistent(
    *, old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Tell whether a proof shows that the larger tree begins with the smaller one.

    Source: RFC 9162 section 2.1.4.2; its length and those of all hashes must be exact (check 19).
    """
    if not 0 < old <= new or len(proof) != len(consistency_spans(old, new)):
        return False
    if any(len(node) != HASH_BYTES for node in (old_root, new_root, *proof)):
        return False
    if old == new:
        return old_root == new_root
    rest = iter(proof)
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    before = after = old_root if at == 0 else next(rest)
    for node in rest:
        if at & 1 or at == last:
            before, after = node_hash(node, before), node_hash(node, after)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            after = node_hash(after, node)
        at, last = at >> 1, last >> 1
    return last == 0 and (before, after) == (old_root, new_root)
