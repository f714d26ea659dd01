"""The proof of a statement's line: its entry, the way up to its seal, the seal's way in the log.

It is made for the player whose line it is: of an entry's other lines it has the hashes alone.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Any, Final

from server.database import PlayerId, Transaction
from server.errors import Refusal
from server.fairness import log
from server.fairness.entries import SEAL_ROLE, log_seal, seal_hash
from server.fairness.merkle import leaf_hash, path, root_from_path
from server.fairness.shape import AtMost, Hexed, plain, shaped
from server.fairness.signing import is_signed
from server.ledger import seals
from server.ledger.seals import Seal
from server.ledger.statements import find_posting
from server.sealing.leaves import (
    Count,
    Entry,
    Hash32,
    Line,
    entry_of,
    leaves_of,
    line_of,
)
from server.sealing.sealer import entry_of_seal

PATH_MAX: Final = 63
"""Hashes of a path, for a tree of any size."""

Path = Annotated[tuple[Hash32, ...], AtMost(PATH_MAX)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """A seal as a proof names it: all that its hash is made of, and who signed that."""

    seq: Count
    xid_from: Count
    xid_to: Count
    entries: Count
    postings: Count
    holds: Count
    outcomes: Count
    root: Hash32
    prev_hash: Hash32
    server_pub: Hash32
    signature: Annotated[bytes, Hexed(64)]

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Give the numbers of entries, postings, holds and outcomes."""
        return self.entries, self.postings, self.holds, self.outcomes

    def fields(self) -> dict[str, Any]:
        """Name what the seal's hash is made of, as `seal_hash` takes it."""
        return {
            "seq": self.seq,
            "xid_from": self.xid_from,
            "xid_to": self.xid_to,
            "counts": self.counts,
            "root": self.root,
            "prev_hash": self.prev_hash,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """Where a seal's entry lies in the public log, and the way up to a root of the log."""

    index: Count
    size: Count
    root: Hash32
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A line of a statement, and why it can't have been changed since its seal.

    Shape: `index` is the entry's place among the leaves of its seal.
    """

    line: Line
    entry: Entry
    index: Count
    path: Path
    seal: Sealed
    log: Logged

    def document(self) -> Any:
        """Write it as plain JSON values; byte strings are hex."""
        return plain(self)


def read_proof(document: Any) -> Proof:
    """Read what `document` wrote.

    Errors: RefusedRecord that names the place.
    """
    return shaped(Proof, document, "proof")


async def prove(tx: Transaction, player_id: PlayerId, number: int) -> Proof:
    """Prove line `number` of a player's statement.

    Errors: Refusal `unknown_entry` if there is no such line, `not_sealed` for a few seconds,
            `unknown_account`; AssertionError if the ledger is not what was sealed.
    """
    posting = await find_posting(tx, player_id, number)
    if posting is None:
        raise Refusal("unknown_entry", "the statement has no such line", "number")
    seal = await seals.find_seal_of(tx, posting.xid)
    if seal is None:
        raise Refusal("not_sealed", "the entry is not sealed yet", "number")
    written = await seals.written(tx, seal.xid_from, seal.xid_to)
    ids = [row.id for row, _ in written.entries]
    index = ids.index(posting.journal_id)
    row, lines = written.entries[index]
    at = await log.find(tx, entry_of_seal(seal))
    assert at is not None, f"seal {seal.seq} is not in the public log"
    size = await log.size(tx)
    proof = Proof(
        line=line_of(row, next(line for line in lines if line.line == posting.line)),
        entry=entry_of(row, lines),
        index=index,
        path=path(leaves_of(written), index),
        seal=_sealed(seal),
        log=Logged(
            index=at,
            size=size,
            root=await log.root_at(tx, size),
            path=await log.inclusion(tx, at, size),
        ),
    )
    assert not problems_of(proof), f"seal {seal.seq} is not over the ledger as it is"
    return proof


def problems_of(proof: Proof, keys: Collection[bytes] = ()) -> list[str]:
    """Say what does not hold in a proof; nothing if it holds.

    What it holds against is its own log root: compare that with a checkpoint seen elsewhere.

    Shape: `keys` are the server's public keys, if they are known.
    """
    seal, found = proof.seal, []
    if proof.entry.lines[proof.line.line - 1 : proof.line.line] != (proof.line.hash(),):
        found.append("the line is not in its entry")
    size = seal.entries + seal.holds + seal.outcomes
    if not _leads(proof.entry.leaf(), proof.index, size, proof.path, seal.root):
        found.append("the entry is not under the seal's root")
    if keys and seal.server_pub not in keys:
        found.append("the seal is signed by another key")
    if not is_signed(seal.server_pub, SEAL_ROLE, seal_hash(**seal.fields()), seal.signature):
        found.append("the seal's signature does not hold")
    entry = log_seal(**seal.fields(), server_pub=seal.server_pub, signature=seal.signature)
    at = proof.log
    if not _leads(leaf_hash(entry), at.index, at.size, at.path, at.root):
        found.append("the seal is not in the public log")
    return found


def _leads(leaf: bytes, index: int, size: int, way: tuple[bytes, ...], root: bytes) -> bool:
    try:
        return root_from_path(leaf, index, size, way) == root
    except ValueError:
        return False


def _sealed(seal: Seal) -> Sealed:
    return Sealed(**{name: getattr(seal, name) for name in Sealed.__dataclass_fields__})
