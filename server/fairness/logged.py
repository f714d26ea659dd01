"""The entries of the public log, read: each kind as what it says (fairdeal/1 section 4)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from server.fairness import ed25519
from server.fairness.commitment import ATTEMPTS, EPOCHS_MAX, TABLE_BYTES
from server.fairness.encoding import HASH_BYTES, ZERO_HASH, dec, hash32, signed_bytes
from server.fairness.entries import (
    HANDOVER_ROLE,
    CancelReason,
    KeyRole,
    VoidReason,
    handover,
    seal_hash,
)

SEAT_BYTES: Final = 3 + HASH_BYTES
SIGNATURE_BYTES: Final = 64


@dataclass(frozen=True, slots=True)
class LogOpened:
    """OPEN: a hand's number, its cards, the commitments to its four seeds."""

    table: bytes
    hand_no: int
    spec: bytes
    commits: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class LogDealt:
    """DEAL: an epoch of an attempt, over a list and its entropy."""

    hand: bytes
    epoch: int
    listing: bytes
    entropy: bytes
    size: int
    root: bytes


@dataclass(frozen=True, slots=True)
class LogVoided:
    """VOID: an attempt that was given up. Shape: `seats` are (seat, status, x[0] or None)."""

    hand: bytes
    reason: VoidReason
    seed: bytes
    seats: tuple[tuple[int, int, bytes | None], ...]


@dataclass(frozen=True, slots=True)
class LogClosed:
    """CLOSE: a hand that was played to its end."""

    hand: bytes
    seed: bytes
    last: bytes
    result: bytes


@dataclass(frozen=True, slots=True)
class LogCancelled:
    """CANCEL: a hand's number that was given up."""

    table: bytes
    hand_no: int
    reason: CancelReason


@dataclass(frozen=True, slots=True)
class LogSealed:
    """SEAL: the ledger's next seal, which belongs to no hand (`seal_hash` says what is signed)."""

    seq: int
    xid_from: int
    xid_to: int
    counts: tuple[int, ...]
    root: bytes
    prev_hash: bytes
    server_pub: bytes
    signature: bytes

    @property
    def hash(self) -> bytes:
        """What its key signed, and the next seal holds."""
        return seal_hash(
            seq=self.seq,
            xid_from=self.xid_from,
            xid_to=self.xid_to,
            counts=self.counts,
            root=self.root,
            prev_hash=self.prev_hash,
        )


@dataclass(frozen=True, slots=True)
class LogKeyed:
    """KEY: a rotation, by which another key of the house comes into force."""

    role: KeyRole
    old: bytes
    new: bytes
    signature: bytes

    def is_signed_by(self, public: bytes) -> bool:
        """Tell whether a key hands its role over; the standard library alone."""
        digest32 = handover(role=self.role, old=self.old, new=self.new)
        return ed25519.verify(public, signed_bytes(HANDOVER_ROLE, digest32), self.signature)


Logged = LogOpened | LogDealt | LogVoided | LogClosed | LogCancelled | LogSealed | LogKeyed
Fields = Sequence[bytes]


def read_entry(entry: bytes) -> Logged:
    """Read an entry of the log.

    Errors: ValueError if it is none of the known kinds, to the byte.
    """
    label, fields = dec(entry)
    if label not in _KINDS:
        raise ValueError(f"{label[:40]!r} is no kind of entry")
    return _KINDS[label](fields)


def _opened(fields: Fields) -> LogOpened:
    table, number, spec, *commits = _some(fields, 3 + ATTEMPTS)
    return LogOpened(_table(table), _whole(number, 8), hash32(spec), tuple(map(hash32, commits)))


def _dealt(fields: Fields) -> LogDealt:
    hand, epoch, listing, entropy, size, root = _some(fields, 6)
    at = _whole(epoch, 1)
    if at > EPOCHS_MAX:
        raise ValueError(f"a hand has no epoch {at}")
    cards = _whole(size, 2)
    return LogDealt(hash32(hand), at, hash32(listing), hash32(entropy), cards, hash32(root))


def _voided(fields: Fields) -> LogVoided:
    if len(fields) < 3:
        raise ValueError("a VOID has at least three fields")
    hand, reason, seed, *seats = fields
    rows = tuple(map(_seat, seats))
    if [seat for seat, _, _ in rows] != sorted({seat for seat, _, _ in rows}):
        raise ValueError("the seats of a VOID must ascend")
    return LogVoided(hash32(hand), VoidReason(_whole(reason, 1)), hash32(seed), rows)


def _seat(row: bytes) -> tuple[int, int, bytes | None]:
    if len(row) != SEAT_BYTES or row[1] > 1 or row[2] > 1 or (not row[2] and row[3:] != ZERO_HASH):
        raise ValueError("a seat of a VOID is seat, status, present and x")
    return row[0], row[1], row[3:] if row[2] else None


def _closed(fields: Fields) -> LogClosed:
    return LogClosed(*map(hash32, _some(fields, 4)))


def _cancelled(fields: Fields) -> LogCancelled:
    table, number, reason = _some(fields, 3)
    return LogCancelled(_table(table), _whole(number, 8), CancelReason(_whole(reason, 1)))


def _sealed(fields: Fields) -> LogSealed:
    *numbers, top, before, pub, signature = _some(fields, 11)
    seq, first, last, *counts = (_whole(number, 8) for number in numbers)
    pub32, top32, before32 = hash32(pub), hash32(top), hash32(before)
    return LogSealed(seq, first, last, tuple(counts), top32, before32, pub32, _stamp(signature))


def _keyed(fields: Fields) -> LogKeyed:
    role, old, new, signature = _some(fields, 4)
    if old == new:
        raise ValueError("a rotation is to another key")
    return LogKeyed(KeyRole(role.decode("ascii")), hash32(old), hash32(new), _stamp(signature))


_KINDS: Final[Mapping[str, Callable[[Fields], Logged]]] = {
    "log-open": _opened,
    "log-deal": _dealt,
    "log-void": _voided,
    "log-close": _closed,
    "log-cancel": _cancelled,
    "log-seal": _sealed,
    "log-key": _keyed,
}


def _some(fields: Fields, count: int) -> Fields:
    if len(fields) != count:
        raise ValueError(f"an entry of this kind has {count} fields")
    return fields


def _stamp(field: bytes) -> bytes:
    if len(field) != SIGNATURE_BYTES:
        raise ValueError(f"a signature is {SIGNATURE_BYTES} bytes")
    return field


def _whole(field: bytes, width: int) -> int:
    if len(field) != width:
        raise ValueError(f"a number must be {width} bytes here")
    return int.from_bytes(field, "big")


def _table(field: bytes) -> bytes:
    if len(field) != TABLE_BYTES:
        raise ValueError(f"a table is {TABLE_BYTES} bytes")
    return field
