"""Keys that hand over to others: in the public log, and open seeds with them."""

from collections.abc import Callable
from typing import Final

from server.database import Transaction
from server.fairness import log, repository
from server.fairness.entries import KeyRole, handover, log_key
from server.fairness.logged import LogKeyed, read_entry
from server.fairness.repository import LogPosition
from server.fairness.seal import Sealer

ROTATIONS_MAX: Final = 1_000
"""So many of the newest rotations are looked at."""

Sign = Callable[[bytes], bytes]


async def in_force(tx: Transaction) -> dict[KeyRole, bytes]:
    """Find the keys that the log has handed over to; a role that was never rotated is not there."""
    found: dict[KeyRole, bytes] = {}
    for _, entry in await log.rotations(tx, ROTATIONS_MAX):
        rotation = read_entry(entry)
        assert isinstance(rotation, LogKeyed), "the index has rotations alone"
        found[rotation.role] = rotation.new
    return found


async def append(
    tx: Transaction, role: KeyRole, *, old: bytes, new: bytes, sign: Sign
) -> LogPosition:
    """Hand a role over from one key to another; `sign` signs the digest as the key in force."""
    signature = sign(handover(role=role, old=old, new=new))
    return await log.append(tx, log_key(role=role, old=old, new=new, signature=signature))


async def seal_anew(tx: Transaction, sealer: Sealer) -> int:
    """Seal the seeds of every table's newest hand under the sealer's own key; tells how many.

    Those of older hands are public, or will never be dealt from.

    The rest of the transaction is the owner's: the application may not touch a seed.

    Errors: Fault if one opens with none of the sealer's keys.
    """
    rows = await repository.newest_seeds(tx)
    await repository.as_owner(tx)
    for table_id, hand_no, row in rows:
        at = row.attempt
        seed = sealer.unseal(row.sealed, table_id=table_id, hand_no=hand_no, attempt=at)
        sealed = sealer.seal(seed, table_id=table_id, hand_no=hand_no, attempt=at)
        await repository.replace_sealed(
            tx, table_id=table_id, hand_no=hand_no, attempt=at, sealed=sealed
        )
    return len(rows)
