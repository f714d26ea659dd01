"""The tree is RFC 6962's: compared with the RFC's own recursion, and attacked."""

import hashlib

import pytest

from server.fairness import merkle

SIZES = [*range(1, 34), 52, 63, 64, 65, 106, 159]


def leaves_of(size: int) -> list[bytes]:
    return [merkle.leaf_hash(number.to_bytes(2, "big")) for number in range(size)]


def split(size: int) -> int:
    return 1 << (size - 1).bit_length() - 1


def rfc_root(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    both = rfc_root(leaves[:k]) + rfc_root(leaves[k:])
    return hashlib.sha256(b"\x01" + both).digest()


def rfc_path(index: int, leaves: list[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if index < k:
        return [*rfc_path(index, leaves[:k]), rfc_root(leaves[k:])]
    return [*rfc_path(index - k, leaves[k:]), rfc_root(leaves[:k])]


@pytest.mark.parametrize("size", SIZES)
def test_rfc_6962_2_1_root_and_paths_are_those_of_the_recursion(size: int) -> None:
    leaves = leaves_of(size)
    root = merkle.root(leaves)
    assert root == rfc_root(leaves)
    for index in range(size):
        path = merkle.path(leaves, index)
        assert list(path) == rfc_path(index, leaves)
        assert merkle.path_length(index, size) == len(path)
        assert merkle.root_from_path(leaves[index], index, size, path) == root


@pytest.mark.parametrize("size", [1, 2, 7, 52, 106])
def test_19_a_path_that_is_too_long_or_too_short_is_refused(size: int) -> None:
    leaves = leaves_of(size)
    path = merkle.path(leaves, size - 1)
    with pytest.raises(ValueError, match="does not fit"):
        merkle.root_from_path(leaves[-1], size - 1, size, (*path, bytes(32)))
    if path:
        with pytest.raises(ValueError, match="does not fit"):
            merkle.root_from_path(leaves[-1], size - 1, size, path[:-1])


def test_19_size_0_is_refused() -> None:
    with pytest.raises(ValueError, match="size 0"):
        merkle.root([])
    with pytest.raises(ValueError, match="size 0"):
        merkle.root_from_path(bytes(32), 0, 0, ())


def test_19_every_hash_is_exactly_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        merkle.root([bytes(31)])
    with pytest.raises(ValueError, match="32 bytes"):
        merkle.root_from_path(bytes(33), 0, 1, ())
    with pytest.raises(ValueError, match="32 bytes"):
        merkle.root_from_path(bytes(32), 0, 2, (bytes(31),))


def test_8_an_inner_node_is_no_leaf() -> None:
    """A second preimage: two leaves' hashes, passed off as one leaf."""
    one, two = leaves_of(2)
    assert merkle.leaf_hash(one + two) != merkle.root([one, two])


def test_8_the_last_leaf_is_not_doubled() -> None:
    """The mistake of Bitcoin's tree: [a, b, c] and [a, b, c, c] had one root."""
    leaves = leaves_of(3)
    assert merkle.root(leaves) != merkle.root([*leaves, leaves[-1]])


def test_a_proof_is_for_its_own_place_alone() -> None:
    leaves = leaves_of(8)
    path = merkle.path(leaves, 3)
    for index in range(8):
        holds = merkle.root_from_path(leaves[3], index, 8, path) == merkle.root(leaves)
        assert holds == (index == 3)


def test_an_index_beyond_the_leaves_is_refused() -> None:
    with pytest.raises(IndexError):
        merkle.path(leaves_of(4), 4)
    with pytest.raises(IndexError):
        merkle.path(leaves_of(4), -1)
    with pytest.raises(ValueError, match="not in a tree"):
        merkle.root_from_path(bytes(32), 4, 4, (bytes(32), bytes(32)))


# --- a tree that grows


def rfc_proof(old: int, leaves: list[bytes], whole: bool = True) -> list[bytes]:
    if old == len(leaves):
        return [] if whole else [rfc_root(leaves)]
    k = split(len(leaves))
    if old <= k:
        return [*rfc_proof(old, leaves[:k], whole), rfc_root(leaves[k:])]
    return [*rfc_proof(old - k, leaves[k:], False), rfc_root(leaves[:k])]


@pytest.mark.parametrize("new", SIZES)
def test_rfc_6962_2_1_2_consistency_proofs_are_those_of_the_recursion(new: int) -> None:
    leaves = leaves_of(new)
    for old in range(1, new + 1):
        spans = merkle.consistency_spans(old, new)
        proof = [rfc_root(leaves[first:last]) for first, last in spans]
        roots = {"old_root": rfc_root(leaves[:old]), "new_root": rfc_root(leaves)}
        assert proof == rfc_proof(old, leaves)
        assert merkle.is_consistent(old=old, new=new, proof=proof, **roots)
        wrong = [[*proof, bytes(32)], proof[:-1], *altered(proof)]
        for other in wrong if proof else wrong[:1]:
            assert not merkle.is_consistent(old=old, new=new, proof=other, **roots)


def altered(proof: list[bytes]) -> list[list[bytes]]:
    return [[*proof[:at], bytes(32), *proof[at + 1 :]] for at in range(len(proof))]


def test_4_a_log_that_was_rewritten_is_not_consistent() -> None:
    leaves, other = leaves_of(13), leaves_of(13)
    other[2] = bytes(32)
    proof = rfc_proof(7, other)
    assert not merkle.is_consistent(
        old=7, old_root=merkle.root(leaves[:7]), new=13, new_root=merkle.root(other), proof=proof
    )
    one, two = merkle.root(leaves[:7]), merkle.root(other[:7])
    assert not merkle.is_consistent(old=7, old_root=one, new=7, new_root=two, proof=[])
    for old, new in ((0, 7), (8, 7), (0, 0)):
        assert not merkle.is_consistent(old=old, old_root=one, new=new, new_root=one, proof=[])


@pytest.mark.parametrize("size", SIZES)
def test_kept_subtrees_are_enough_for_every_root_and_path(size: int) -> None:
    leaves = leaves_of(size)
    kept: dict[merkle.Node, bytes] = {}
    for index, leaf in enumerate(leaves):
        peaks = [kept[node] for node in merkle.subtrees((0, index))]
        kept |= dict(merkle.grown(index, leaf, peaks))
        known = [kept[node] for node in merkle.subtrees((0, index + 1))]
        assert merkle.joined(known) == rfc_root(leaves[: index + 1])
    for index in range(size):
        spans = merkle.path_spans(index, size)
        path = [merkle.joined([kept[node] for node in merkle.subtrees(span)]) for span in spans]
        assert path == rfc_path(index, leaves)
