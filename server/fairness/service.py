"""Opening a hand's seeds and finding one again; each inside the caller's transaction."""

from dataclasses import dataclass
from uuid import UUID

from server.database import TableId, Transaction
from server.errors import Fault
from server.fairness import repository
from server.fairness.commitment import ATTEMPTS, hand_hash, server_commit
from server.fairness.repository import StoredSeed
from server.fairness.seal import Sealer, Seed


@dataclass(frozen=True, slots=True)
class OpenSeed:
    """What may be said of a seed before the close: `hand`, and the commitment `C_S`."""

    attempt: int
    hand: bytes
    commit: bytes


async def open_seeds(
    tx: Transaction,
    sealer: Sealer,
    *,
    table_id: TableId,
    hand_no: int,
    server_pub: bytes,
    spec: bytes,
) -> tuple[OpenSeed, ...]:
    """Draw and seal the four seeds of a hand, and commit to them.

    A hand that has its seeds keeps them: the same call again, after a commit whose outcome was
    lost, gives the commitments of the first.

    Shape:  four, by attempt.
    Errors: Fault if the hand's seeds were committed to under another server key or spec.
    Source: fairdeal/1 section 3 ("Open").
    """
    hands = [
        hand_hash(
            server_pub=server_pub,
            table=table_id.bytes,
            hand_no=hand_no,
            attempt=attempt,
            spec=spec,
        )
        for attempt in range(ATTEMPTS)
    ]
    fresh = [_fresh(sealer, hand, table_id, hand_no, i) for i, hand in enumerate(hands)]
    if not await repository.insert_seeds(tx, table_id=table_id, hand_no=hand_no, seeds=fresh):
        fresh = await repository.seeds_of(tx, table_id=table_id, hand_no=hand_no)
        seed = _unsealed(sealer, fresh[0], table_id, hand_no)
        if server_commit(hands[0], seed.expose()) != fresh[0].commit:
            raise Fault(f"hand {hand_no} of table {table_id} was opened under another key or spec")
    return tuple(OpenSeed(row.attempt, hands[row.attempt], row.commit) for row in fresh)


async def seed_of(
    tx: Transaction, sealer: Sealer, table_id: TableId, hand_no: int, attempt: int
) -> Seed:
    """Unseal the seed of an attempt.

    Errors: Fault if there is none, or the sealing key is another.
    """
    rows = await repository.seeds_of(tx, table_id=table_id, hand_no=hand_no)
    for row in rows:
        if row.attempt == attempt:
            return _unsealed(sealer, row, table_id, hand_no)
    raise Fault(f"table {table_id}, hand {hand_no} has no seed for attempt {attempt}")


async def seeds_of(
    tx: Transaction, sealer: Sealer, table_id: TableId, hand_no: int
) -> tuple[Seed, ...]:
    """Unseal the seeds of all four attempts, to publish them with the close.

    Errors: Fault if they are not four, or the sealing key is another.
    """
    rows = await repository.seeds_of(tx, table_id=table_id, hand_no=hand_no)
    if [row.attempt for row in rows] != list(range(ATTEMPTS)):
        raise Fault(f"table {table_id}, hand {hand_no} has not its four seeds")
    return tuple(_unsealed(sealer, row, table_id, hand_no) for row in rows)


def _fresh(sealer: Sealer, hand: bytes, table_id: UUID, hand_no: int, attempt: int) -> StoredSeed:
    seed = Seed.fresh()
    sealed = sealer.seal(seed, table_id=table_id, hand_no=hand_no, attempt=attempt)
    return StoredSeed(attempt, sealed, server_commit(hand, seed.expose()))


def _unsealed(sealer: Sealer, row: StoredSeed, table_id: UUID, hand_no: int) -> Seed:
    return sealer.unseal(row.sealed, table_id=table_id, hand_no=hand_no, attempt=row.attempt)
