"""What a seal is made over, and the seals themselves: rows in, rows out.

A seal takes all that was written by transactions of a range of ids, and only once every one of
them has ended: sealing by the ids of entries would miss what commits late. What the rows hash to
is decided one floor up, where ledger and fairness meet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from sqlalchemy import func, select, text

from server.database import Transaction
from server.ledger.models import (
    HandHoldRow,
    HoldResolutionRow,
    HoldRow,
    JournalRow,
    PostingRow,
    SealRow,
)

AnyRow = Any
"""A row with the columns of its table."""

SEALER_LOCK: Final = 0x5345414C
"""The key of the advisory lock that the one who seals holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """A seal as it is stored.

    Shape: made over the transactions of [xid_from, xid_to); `root` is over `entries` leaves of
           journal entries, then `holds`, then `outcomes`, each by (transaction, id).
    """

    seq: int
    xid_from: int
    xid_to: int
    entries: int
    postings: int
    holds: int
    outcomes: int
    root: bytes
    prev_hash: bytes
    seal_hash: bytes
    server_pub: bytes
    signature: bytes

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Give the numbers of entries, postings, holds and outcomes."""
        return self.entries, self.postings, self.holds, self.outcomes

    @property
    def size(self) -> int:
        """Count the leaves."""
        return self.entries + self.holds + self.outcomes


@dataclass(frozen=True, slots=True)
class Written:
    """What the transactions of a range wrote, each by (transaction, id), parts by line or account.

    Shape: `entries` are (journal row, its postings), `holds` (hand's row, its seats' holds).
    """

    entries: tuple[tuple[AnyRow, tuple[AnyRow, ...]], ...]
    holds: tuple[tuple[AnyRow, tuple[AnyRow, ...]], ...]
    outcomes: tuple[AnyRow, ...]

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Count entries, postings, holds and outcomes."""
        postings = sum(len(lines) for _, lines in self.entries)
        return len(self.entries), postings, len(self.holds), len(self.outcomes)


async def take_turn(tx: Transaction) -> bool:
    """Become the one who seals until the transaction ends; False if another process is."""
    query = select(func.pg_try_advisory_xact_lock(SEALER_LOCK))
    return bool((await tx.execute(query)).scalar_one())


async def find_last(tx: Transaction) -> Seal | None:
    """Find the newest seal."""
    row = (await tx.execute(_seals().order_by(SealRow.seq.desc()).limit(1))).one_or_none()
    return None if row is None else _seal(row)


async def seals_after(tx: Transaction, seq: int, limit: int) -> list[Seal]:
    """List seals in order, those above `seq`."""
    query = _seals().where(SealRow.seq > seq).order_by(SealRow.seq).limit(limit)
    return [_seal(row) for row in await tx.execute(query)]


async def find_seal_of(tx: Transaction, xid: int) -> Seal | None:
    """Find the seal over what a transaction wrote; None as long as there is none."""
    covers = (SealRow.xid_from <= xid, SealRow.xid_to > xid)
    query = _seals().where(*covers).order_by(SealRow.xid_to).limit(1)
    row = (await tx.execute(query)).one_or_none()
    return None if row is None else _seal(row)


async def find_end(tx: Transaction, start: int, limit: int) -> int | None:
    """Find where a seal that begins at `start` ends: at most `limit` rows, whole transactions.

    Only a single transaction that wrote more goes beyond; None if there is nothing to seal.
    """
    found = await tx.execute(_END, {"start": start, "limit": limit})
    end: int | None = found.scalar_one()
    return end


async def written(tx: Transaction, xid_from: int, xid_to: int) -> Written:
    """Read all that the transactions of [xid_from, xid_to) wrote."""

    async def rows(model: Any, *order: Any) -> list[AnyRow]:
        columns = select(*model.__table__.columns)
        within = columns.where(model.xid >= xid_from, model.xid < xid_to)
        return list((await tx.execute(within.order_by(model.xid, *order))).all())

    entries = await rows(JournalRow, JournalRow.id)
    holds = await rows(HandHoldRow, HandHoldRow.hand_id)
    outcomes = await rows(HoldResolutionRow, HoldResolutionRow.hand_id)
    lines = await _parts(
        tx, PostingRow, PostingRow.journal_id, [row.id for row in entries], PostingRow.line
    )
    seats = await _parts(
        tx, HoldRow, HoldRow.hand_id, [row.hand_id for row in holds], HoldRow.account_id
    )
    return Written(
        tuple((row, tuple(lines.get(row.id, ()))) for row in entries),
        tuple((row, tuple(seats.get(row.hand_id, ()))) for row in holds),
        tuple(outcomes),
    )


async def append(tx: Transaction, seal: Seal) -> None:
    """Write a seal; the database refuses one that does not go on where the last one ended."""
    await tx.execute(_APPEND, {field.name: getattr(seal, field.name) for field in fields(seal)})


async def continue_xids(tx: Transaction) -> None:
    """Have this cluster's transaction ids go on above every id in the ledger, as after a restore.

    Nothing else may write to the ledger meanwhile. Where the ids go on anyway, nothing changes.
    """
    await tx.execute(text("select ledger.continue_xids()"))


async def find_unsealed(tx: Transaction) -> tuple[int, int]:
    """Count the entries, holds and outcomes that no seal covers yet, and those that none ever will.

    No transaction has an id below zero, nor one that was not given out when `tx` looked: such a row
    was not written by the ledger.
    """
    row = (await tx.execute(_UNSEALED)).one()
    return int(row.unsealed), int(row.never)


async def _parts(
    tx: Transaction, model: Any, owner: Any, owners: Sequence[int], order: Any
) -> Mapping[int, list[AnyRow]]:
    found: dict[int, list[AnyRow]] = {}
    query = select(*model.__table__.columns).where(owner.in_(owners)).order_by(owner, order)
    for row in await tx.execute(query):
        found.setdefault(getattr(row, owner.key), []).append(row)
    return found


def _seals() -> Any:
    return select(*(getattr(SealRow, field.name) for field in fields(Seal)))


def _seal(row: AnyRow) -> Seal:
    return Seal(**row._mapping)


_END = text("""
    with tail as materialized (
      select xid from ledger.journal where xid >= :start and xid < ledger.xid_watermark()
      union all
      select xid from ledger.hand_hold where xid >= :start and xid < ledger.xid_watermark()
      union all
      select xid from ledger.hold_resolution where xid >= :start and xid < ledger.xid_watermark()),
    cut as (select xid from tail order by xid offset :limit limit 1)
    select case when exists (select from tail)
           then coalesce((select greatest(xid, (select min(xid) + 1 from tail)) from cut),
                         ledger.xid_watermark()) end
""")

_UNSEALED = text("""
    with written as (
      select xid from ledger.journal
      union all select xid from ledger.hand_hold
      union all select xid from ledger.hold_resolution),
    known as (
      select (select coalesce(max(xid_to), 0) from ledger.seal) as sealed_to,
             pg_snapshot_xmax(pg_current_snapshot())::text::bigint + base as given_to
        from ledger.xid_base)
    select count(*) filter (where xid >= sealed_to and xid < given_to) as unsealed,
           count(*) filter (where xid < 0 or xid >= given_to) as never
      from written, known
""")

_APPEND = text(
    "select ledger.append_seal(" + ", ".join(f":{field.name}" for field in fields(Seal)) + ")"
)
