"""What the rows of the ledger hash to: the leaves of a seal's tree. Pure.

    entry   = enc("ledger-entry", u64 xid, u64 id, u8 kind, hand, gross, bps, commission, reverses,
                  reason, u64 microseconds, actor, for each line: posting)
    actor   = H("ledger-actor", blind 0, utf8 actor)
    posting = H("ledger-posting", blind line, u16 line, account, amount, version, balance)
    hold    = enc("ledger-hold", u64 xid, u64 hand, table16, u8 practice, total, bps, house,
                  request_hash, u64 expires, u64 microseconds, blind 0, for each seat: held)
    held    = H("ledger-held", blind n, u16 n, account, amount)               n counts from 1
    outcome = enc("ledger-outcome", u64 xid, u64 hand, u8 outcome, entry, request_hash, reason,
                  u64 microseconds, blind 0)
    blind n = H("ledger-blind", salt16, u16 n)

Numbers without a size are ASCII decimals; what is not there is an empty field. Each part that is
not for everybody has a blind of its own: who is shown one line of an entry learns nothing of the
others, and who is shown the hashes beside an entry can't guess what they are of.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final

from server.fairness.encoding import HASH_BYTES, digest, enc, u8, u16, u64
from server.fairness.merkle import leaf_hash
from server.fairness.shape import AtMost, Hexed, Text, Whole
from server.ledger.seals import Seal, Written
from server.ledger.service import REASON_MAX

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
ACTOR: Final = 0
"""The number of the blind that hides who acted; lines and seats count from 1."""

LINES_MAX: Final = 9
"""Lines of an entry: eight seats and the house."""

AnyRow = Any
Hash32 = Annotated[bytes, Hexed(HASH_BYTES)]
Count = Annotated[int, Whole(0, 2**63 - 1)]
Micro = Annotated[int, Whole(-(2**63), 2**63 - 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One posting as it is sealed; `blind` is what keeps it from being guessed."""

    line: Annotated[int, Whole(1, LINES_MAX)]
    account: Count
    amount: Micro
    version: Count | None
    balance: Micro | None
    blind: Hash32

    def hash(self) -> bytes:
        """Derive what the entry holds of it."""
        return digest(
            "ledger-posting",
            self.blind,
            u16(self.line),
            _number(self.account),
            _number(self.amount),
            _number(self.version),
            _number(self.balance),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A journal entry as it is sealed: what is for every party of it, and hashes of the rest.

    Units: micro-HT; `at_us` is microseconds since 1970.
    """

    xid: Count
    id: Count
    kind: Annotated[int, Whole(0, 255)]
    hand: Count | None
    gross: Micro | None
    commission_bps: Count | None
    commission: Micro | None
    reverses: Count | None
    reason: Annotated[str, Text(REASON_MAX, free=True)]
    at_us: Count
    actor: Hash32
    lines: Annotated[tuple[Hash32, ...], AtMost(LINES_MAX)]

    def leaf(self) -> bytes:
        """Derive its leaf hash."""
        return leaf_hash(
            enc(
                "ledger-entry",
                u64(self.xid),
                u64(self.id),
                u8(self.kind),
                _number(self.hand),
                _number(self.gross),
                _number(self.commission_bps),
                _number(self.commission),
                _number(self.reverses),
                self.reason.encode(),
                u64(self.at_us),
                self.actor,
                *self.lines,
            )
        )


def entry_of(row: AnyRow, postings: Sequence[AnyRow]) -> Entry:
    """Derive an entry from its rows."""
    return Entry(
        xid=row.xid,
        id=row.id,
        kind=row.kind,
        hand=row.hand_id,
        gross=row.gross,
        commission_bps=row.commission_bps,
        commission=row.commission,
        reverses=row.reverses,
        reason=row.reason,
        at_us=_us(row.created_at),
        actor=digest("ledger-actor", blind_of(row, ACTOR), row.actor.encode()),
        lines=tuple(line_of(row, posting).hash() for posting in postings),
    )


def line_of(row: AnyRow, posting: AnyRow) -> Line:
    """Derive a line of an entry from its rows."""
    return Line(
        line=posting.line,
        account=posting.account_id,
        amount=posting.amount,
        version=posting.account_version,
        balance=posting.balance_after,
        blind=blind_of(row, posting.line),
    )


def leaves_of(written: Written) -> list[bytes]:
    """List the leaf hashes of a seal, in its order."""
    return [
        *(entry_of(row, postings).leaf() for row, postings in written.entries),
        *(_hold_leaf(row, seats) for row, seats in written.holds),
        *(_outcome_leaf(row) for row in written.outcomes),
    ]


def fields_of(seal: Seal) -> Mapping[str, Any]:
    """Name what a seal's hash is made of, as `seal_hash` takes it."""
    return {
        "seq": seal.seq,
        "xid_from": seal.xid_from,
        "xid_to": seal.xid_to,
        "counts": seal.counts,
        "root": seal.root,
        "prev_hash": seal.prev_hash,
    }


def blind_of(row: AnyRow, number: int) -> bytes:
    """Derive the blind of a part of a row; those of its other parts do not follow from it."""
    return digest("ledger-blind", row.salt.bytes, u16(number))


def _hold_leaf(row: AnyRow, seats: Sequence[AnyRow]) -> bytes:
    held = (
        digest(
            "ledger-held",
            blind_of(row, number),
            u16(number),
            _number(seat.account_id),
            _number(seat.amount),
        )
        for number, seat in enumerate(seats, 1)
    )
    return leaf_hash(
        enc(
            "ledger-hold",
            u64(row.xid),
            u64(row.hand_id),
            row.table_id.bytes,
            u8(row.practice),
            _number(row.total),
            _number(row.commission_bps),
            _number(row.house_id),
            row.request_hash,
            u64(_us(row.expires_at)),
            u64(_us(row.created_at)),
            blind_of(row, 0),
            *held,
        )
    )


def _outcome_leaf(row: AnyRow) -> bytes:
    return leaf_hash(
        enc(
            "ledger-outcome",
            u64(row.xid),
            u64(row.hand_id),
            u8(row.outcome),
            _number(row.journal_id),
            row.request_hash or b"",
            (row.reason or "").encode(),
            u64(_us(row.created_at)),
            blind_of(row, 0),
        )
    )


def _number(value: int | None) -> bytes:
    return b"" if value is None else str(value).encode("ascii")


def _us(at: datetime) -> int:
    return (at - EPOCH) // timedelta(microseconds=1)
