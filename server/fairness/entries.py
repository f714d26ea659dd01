"""The entries of the public log, and their leaf hashes (fairdeal/1 section 4)."""

from collections.abc import Sequence
from enum import IntEnum, StrEnum
from typing import Final

from server.fairness.commitment import ATTEMPTS, TABLE_BYTES
from server.fairness.encoding import ZERO_HASH, digest, enc, hash32, u8, u16, u64


class VoidReason(IntEnum):
    """Why an attempt was given up."""

    NOT_REVEALED = 0
    SERVER = 1
    OPERATOR = 2
    RESHUFFLE_CAP = 3


class CancelReason(IntEnum):
    """Why a hand was given up."""

    ATTEMPTS_USED_UP = 0
    TOO_FEW_SEATS = 1
    TABLE_CLOSED = 2
    AFTER_VOID = 3


class KeyRole(StrEnum):
    """Which of the house's keys a rotation replaces."""

    SIGNING = "signing"
    LOG = "log"
    SEALING = "sealing"


HANDOVER_ROLE: Final = "log-key"
"""What a rotation is signed as, by the key that was in force."""

SEAL_ROLE: Final = "seal"
"""What a seal over the ledger is signed as."""

VoidedSeats = Sequence[tuple[int, int, bytes | None]]
"""One (seat, status, x[0] or None) for each listed seat, ascending."""


def log_open(*, table: bytes, hand_no: int, spec: bytes, commits: Sequence[bytes]) -> bytes:
    """Encode OPEN with the four C_S. Errors: ValueError if they are not four."""
    if len(commits) != ATTEMPTS:
        raise ValueError(f"a hand opens with {ATTEMPTS} commitments")
    return enc("log-open", _table(table), u64(hand_no), hash32(spec), *map(hash32, commits))


def log_deal(
    *, hand: bytes, epoch: int, listing: bytes, entropy: bytes, size: int, root: bytes
) -> bytes:
    """Encode DEAL, one for each epoch."""
    fixed = (hash32(hand), u8(epoch), hash32(listing), hash32(entropy))
    return enc("log-deal", *fixed, u16(size), hash32(root))


def log_void(*, hand: bytes, reason: int, seed: bytes, seats: VoidedSeats) -> bytes:
    """Encode VOID, which publishes the attempt's seed and the reveals received."""
    return enc("log-void", hash32(hand), u8(reason), hash32(seed), *map(_voided, seats))


def log_close(*, hand: bytes, seed: bytes, last: bytes, result: bytes) -> bytes:
    """Encode CLOSE; `last` is the transcript's last T."""
    return enc("log-close", hash32(hand), hash32(seed), hash32(last), hash32(result))


def log_cancel(*, table: bytes, hand_no: int, reason: int) -> bytes:
    """Encode CANCEL."""
    return enc("log-cancel", _table(table), u64(hand_no), u8(reason))


def log_seal(
    *,
    seq: int,
    xid_from: int,
    xid_to: int,
    counts: Sequence[int],
    root: bytes,
    prev_hash: bytes,
    server_pub: bytes,
    signature: bytes,
) -> bytes:
    """Encode a seal over the ledger: all that its hash is made of, the key and its signature.

        enc("log-seal", u64 seq, u64 xid_from, u64 xid_to, u64 entries, u64 postings, u64 holds,
            u64 outcomes, root32, prev_hash32, server_pub32, signature64)

    It is no entry of a hand. Whoever reads the log for hands passes it over. The signature has the
    role `seal`, over `H("ledger-seal", ..)` of the first nine fields; `prev_hash` is that hash of
    the seal with the number before, 32 zero bytes for the first.

    Shape: `counts` are entries, postings, holds and outcomes.
    """
    numbers = [u64(number) for number in (seq, xid_from, xid_to, *counts)]
    return enc("log-seal", *numbers, hash32(root), hash32(prev_hash), hash32(server_pub), signature)


def seal_hash(
    *, seq: int, xid_from: int, xid_to: int, counts: Sequence[int], root: bytes, prev_hash: bytes
) -> bytes:
    """Derive the hash of a seal, which is signed and which the next seal holds.

    Shape: `counts` are entries, postings, holds and outcomes.
    """
    numbers = [u64(number) for number in (seq, xid_from, xid_to, *counts)]
    return digest("ledger-seal", *numbers, root, prev_hash)


def log_key(*, role: KeyRole, old: bytes, new: bytes, signature: bytes) -> bytes:
    """Encode a rotation: from this entry on another key of the house is in force.

        enc("log-key", role, old32, new32, signature64)

    `old` and `new` are public halves; of a sealing key, which has none, they are its name. The
    signature is by the old key over `handover`; of a sealing key by the signing key in force.
    """
    return enc("log-key", role.encode("ascii"), hash32(old), hash32(new), signature)


def handover(*, role: KeyRole, old: bytes, new: bytes) -> bytes:
    """Derive the digest that hands a role over from one key to another."""
    return digest("key-handover", role.encode("ascii"), hash32(old), hash32(new))


def _table(table: bytes) -> bytes:
    if len(table) != TABLE_BYTES:
        raise ValueError("a table is 16 bytes")
    return table


def _voided(row: tuple[int, int, bytes | None]) -> bytes:
    seat, status, value = row
    present = u8(0) + ZERO_HASH if value is None else u8(1) + hash32(value)
    return u8(seat) + u8(status) + present
