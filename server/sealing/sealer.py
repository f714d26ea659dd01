"""The sealer: everything that has been written since the last seal, under one root."""

from typing import Final

from server.database import Database, Transaction
from server.fairness import log
from server.fairness.encoding import ZERO_HASH
from server.fairness.entries import SEAL_ROLE, log_seal, seal_hash
from server.fairness.merkle import root
from server.fairness.signing import SigningKey
from server.ledger import seals
from server.ledger.seals import Seal
from server.sealing.leaves import fields_of, leaves_of

LEAVES_MAX: Final = 1_000
"""Rows under one seal, so that nobody waits for the hashing; what is left gets the next seal."""


async def seal_all(database: Database, signer: SigningKey, *, limit: int = LEAVES_MAX) -> int:
    """Seal until nothing is left that may be sealed; tells how many seals it took.

    What a transaction writes that is still open is left for the next time.
    """
    count = 0
    while await database.run(lambda tx: seal_next(tx, signer, limit=limit)) is not None:
        count += 1
    return count


async def seal_next(tx: Transaction, signer: SigningKey, *, limit: int = LEAVES_MAX) -> Seal | None:
    """Make the next seal and log it; None if there is nothing to seal, or another is at it."""
    if not await seals.take_turn(tx):
        return None
    last = await seals.find_last(tx)
    start = 0 if last is None else last.xid_to
    end = await seals.find_end(tx, start, limit)
    if end is None:
        return None
    written = await seals.written(tx, start, end)
    seq = 1 if last is None else last.seq + 1
    prev_hash = ZERO_HASH if last is None else last.seal_hash
    top = root(leaves_of(written))
    digest32 = seal_hash(
        seq=seq,
        xid_from=start,
        xid_to=end,
        counts=written.counts,
        root=top,
        prev_hash=prev_hash,
    )
    entries, postings, holds, outcomes = written.counts
    made = Seal(
        seq=seq,
        xid_from=start,
        xid_to=end,
        entries=entries,
        postings=postings,
        holds=holds,
        outcomes=outcomes,
        root=top,
        prev_hash=prev_hash,
        seal_hash=digest32,
        server_pub=signer.public,
        signature=signer.sign(SEAL_ROLE, digest32),
    )
    await seals.append(tx, made)
    await log.append(tx, entry_of_seal(made))
    return made


def entry_of_seal(seal: Seal) -> bytes:
    """Encode what the public log holds of a seal."""
    return log_seal(**fields_of(seal), server_pub=seal.server_pub, signature=seal.signature)
