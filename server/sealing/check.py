"""The check of every seal: recomputed from the rows as they lie in the tables, link by link."""

from collections import Counter
from collections.abc import Collection
from typing import Final

from server.database import Transaction
from server.fairness import log
from server.fairness.encoding import ZERO_HASH
from server.fairness.entries import SEAL_ROLE, seal_hash
from server.fairness.merkle import leaf_hash, root
from server.fairness.signing import is_signed
from server.ledger import audit, seals
from server.ledger.audit import Invariant
from server.ledger.seals import Seal
from server.sealing.leaves import fields_of, leaves_of
from server.sealing.sealer import entry_of_seal

PAGE: Final = 200
"""Seals that are held at once."""

LABEL: Final = "log-seal"

RECOMPUTES = "every seal recomputes from the entries, holds and outcomes that it sealed"
CHAIN = "the seals are one chain without a gap"
SIGNED = "every seal is signed by a key of this house"
LOGGED = "every seal is in the public log, and no other seal is there"


async def check_all(tx: Transaction, keys: Collection[bytes]) -> list[Invariant]:
    """State every invariant of the ledger and of its seals, over one snapshot.

    Shape: `keys` are the public signing keys of this house, old ones too, as its files have them;
           without them no seal is known to be this house's.
    """
    return [*await audit.check(tx), *await check_seals(tx, keys)]


async def check_seals(tx: Transaction, keys: Collection[bytes]) -> list[Invariant]:
    """Recompute every seal and the chain; the figures name the first seal that is wrong."""
    count = Counter[str]()
    last: Seal | None = None
    while page := await seals.seals_after(tx, 0 if last is None else last.seq, PAGE):
        logged = await log.find_leaves(tx, [leaf_hash(entry_of_seal(seal)) for seal in page])
        for seal in page:
            count["seals"] += 1
            for wrong in (
                *await _why_not_recomputed(tx, seal),
                *_why_not_linked(seal, last),
                *_why_not_signed(seal, keys),
                *(() if leaf_hash(entry_of_seal(seal)) in logged else ("missing",)),
            ):
                count[wrong] += 1
                count.setdefault(f"first {_OF[wrong]}", seal.seq)
            count["entries"] += seal.entries
            last = seal
    extra = await log.count_of_kind(tx, LABEL) - (count["seals"] - count["missing"])
    count["unsealed"], count["never"] = await seals.find_unsealed(tx)
    return _invariants(count, keys=len(keys), extra=extra)


async def _why_not_recomputed(tx: Transaction, seal: Seal) -> list[str]:
    written = await seals.written(tx, seal.xid_from, seal.xid_to)
    leaves = leaves_of(written)
    wrong = ["counts"] if written.counts != seal.counts else []
    return wrong if leaves and root(leaves) == seal.root else [*wrong, "root"]


def _why_not_linked(seal: Seal, last: Seal | None) -> list[str]:
    before = (0, 0, ZERO_HASH) if last is None else (last.seq, last.xid_to, last.seal_hash)
    wrong = ["link"] if (seal.seq - 1, seal.xid_from, seal.prev_hash) != before else []
    return wrong if seal_hash(**fields_of(seal)) == seal.seal_hash else [*wrong, "hash"]


def _why_not_signed(seal: Seal, keys: Collection[bytes]) -> list[str]:
    wrong = ["key"] if seal.server_pub not in keys else []
    holds = is_signed(seal.server_pub, SEAL_ROLE, seal.seal_hash, seal.signature)
    return wrong if holds else [*wrong, "signature"]


def _invariants(count: Counter[str], *, keys: int, extra: int) -> list[Invariant]:
    found = {
        RECOMPUTES: {
            "seals": count["seals"],
            "entries": count["entries"],
            "rows_unsealed": count["unsealed"],
            "wrong_rows_that_no_seal_covers": count["never"],
            "wrong_counts": count["counts"],
            "wrong_roots": count["root"],
        },
        CHAIN: {"wrong_links": count["link"], "wrong_hashes": count["hash"]},
        SIGNED: {
            "keys": keys,
            "wrong_keys": count["key"],
            "wrong_signatures": count["signature"],
        },
        LOGGED: {"wrong_missing": count["missing"], "wrong_others": extra},
    }
    return [
        Invariant(
            name,
            not any(figure for key, figure in figures.items() if key.startswith(audit.WRONG)),
            {**figures, "first_wrong_seal": count[f"first {name}"]},
        )
        for name, figures in found.items()
    ]


_OF: Final = {
    "counts": RECOMPUTES,
    "root": RECOMPUTES,
    "link": CHAIN,
    "hash": CHAIN,
    "key": SIGNED,
    "signature": SIGNED,
    "missing": LOGGED,
}
