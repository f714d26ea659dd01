"""The record of a hand: one file with all that a verifier needs (fairdeal/1 section 9).

Members have the specification's own names. Where it left the form open:

- `options` is an object of the game's options; `memo` is what the match brought into the hand
  beside the dealer (`Carry.memo`, "" for none), for a replay needs it. Of all members `memo`
  and `settlement.journal` alone are vouched for by nothing but `record_sig`.
- `commits` are the four C_S, and `unused` the seeds of the attempts that were never needed.
- `seats` and `result` list the listed seats, ascending. `x` holds what a seat revealed, by epoch,
  null where it was absent in that epoch, and ends with the last epoch that was dealt; status 0
  has a commit of zeros and an empty `x`. A seat without a key has null signatures.
- `heads[e].present` is 1 or 0, and `again_sigs` a signature or null, for each listed seat;
  heads[0] has neither discards nor a call, and nulls for `again_sigs`.
- `events` begin with k = 0, line null and T_0. A reshuffle is an event with line null, too.
- `voids` are the earlier attempts; `x` of their seats is x[0], or null if it was not revealed.
- `log` holds OPEN, the VOIDs by attempt, a DEAL for each epoch, and CLOSE. `path` is the inclusion
  proof at `size`, whose root is `root`; those of OPEN are `log_size` and `log_root`. `sig` is the
  server's over the leaf hash: role `open` for OPEN, `close` for CLOSE, null for the others.
- `checkpoint` is the log at CLOSE's `size` and `root` as the log's own key signed it: a note in the
  form of C2SP's tlog-checkpoint; null in records of 0.1.
- `settlement.winner` is a seat or null, `journal` the ledger's entry, null at a free table.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from server.fairness.canonical import BYTES_MAX, RefusedRecord, decode, encode
from server.fairness.commitment import ATTEMPTS, EPOCHS_MAX
from server.fairness.encoding import digest
from server.fairness.shape import AtMost, Hexed, Plain, Text, Whole, plain, shaped

FORMAT: Final = "fairdeal/1"
EVENTS_MAX: Final = 4_096
CARDS_MAX: Final = 1_024
SEATS_MAX: Final = 16
PATH_MAX: Final = 64
ENTRY_BYTES_MAX: Final = 2_048
LINE_MAX: Final = 1_024
AMOUNT_MAX: Final = 2**63 - 1

Hash = Annotated[bytes, Hexed(32)]
Signature = Annotated[bytes, Hexed(64)]
Name = Annotated[bytes, Hexed(16)]
Word = Annotated[str, Text(64)]
U64 = Annotated[int, Whole(0, 2**64 - 1)]
SeatNumber = Annotated[int, Whole(0, 254)]
Flag = Annotated[int, Whole(0, 1)]
Attempt = Annotated[int, Whole(0, ATTEMPTS - 1)]
Amount = Annotated[int, Whole(-AMOUNT_MAX, AMOUNT_MAX)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSeat:
    """A listed seat with what it committed to and revealed."""

    seat: SeatNumber
    kind: Annotated[int, Whole(1, 2)]
    player: Name
    pub: Hash
    status: Flag
    commit: Hash
    commit_sig: Signature | None
    x: Annotated[tuple[Hash | None, ...], AtMost(EPOCHS_MAX + 1)]
    reveal_sig: Signature | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordHead:
    """An epoch's deal."""

    epoch: Annotated[int, Whole(0, EPOCHS_MAX)]
    R: Hash
    n: Annotated[int, Whole(1, CARDS_MAX)]
    root: Hash
    sig: Signature
    discards: Annotated[tuple[Annotated[int, Whole(0, 65_535)], ...], AtMost(CARDS_MAX)] | None
    call_sig: Signature | None
    present: Annotated[tuple[Flag, ...], AtMost(SEATS_MAX)]
    again_sigs: Annotated[tuple[Signature | None, ...], AtMost(SEATS_MAX)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordEvent:
    """A step of the transcript."""

    k: Annotated[int, Whole(0, EVENTS_MAX)]
    line: Annotated[str, Text(LINE_MAX)] | None
    T: Hash
    sig: Signature


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordResult:
    """What a seat has come to; the amount is its net change in micro-HT."""

    seat: SeatNumber
    points: Amount
    amount: Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSettlement:
    """What the losers paid and the house took, in micro-HT."""

    rate: Amount
    commission_bps: Annotated[int, Whole(0, 10_000)]
    gross: Amount
    commission: Amount
    winner: SeatNumber | None
    journal: U64 | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidSeat:
    """A seat of an attempt that was given up."""

    seat: SeatNumber
    status: Flag
    x: Hash | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordVoid:
    """An earlier attempt that was given up before its deal."""

    attempt: Attempt
    reason: Annotated[int, Whole(0, 3)]
    S: Hash
    seats: Annotated[tuple[VoidSeat, ...], AtMost(SEATS_MAX)]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusedSeed:
    """The seed of an attempt that was never needed."""

    attempt: Attempt
    S: Hash


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordEntry:
    """An entry of the public log, with its proof."""

    index: U64
    entry: Annotated[bytes, Hexed(at_most=ENTRY_BYTES_MAX)]
    size: U64
    root: Hash
    path: Annotated[tuple[Hash, ...], AtMost(PATH_MAX)]
    sig: Signature | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The record of a hand that was closed, without its signature."""

    format: Word = FORMAT
    game: Word
    rules: Word
    options: Annotated[Mapping[str, int | bool | str], Plain(64)]
    dealer: SeatNumber | None
    memo: Annotated[str, Text(LINE_MAX)]
    server_pub: Hash
    table: Name
    hand_no: U64
    attempt: Attempt
    packs: Annotated[int, Whole(1, 10)]
    printed_jokers: Annotated[int, Whole(0, 10)]
    spec: Hash
    S: Hash
    C_S: Hash
    commits: tuple[Hash, ...]
    unused: Annotated[tuple[UnusedSeed, ...], AtMost(ATTEMPTS)]
    log_size: U64
    log_root: Hash
    seats: Annotated[tuple[RecordSeat, ...], AtMost(SEATS_MAX)]
    L: Hash
    L_sig: Signature
    heads: Annotated[tuple[RecordHead, ...], AtMost(EPOCHS_MAX + 1)]
    events: Annotated[tuple[RecordEvent, ...], AtMost(EVENTS_MAX)]
    result: Annotated[tuple[RecordResult, ...], AtMost(SEATS_MAX)]
    result_hash: Hash
    settlement: RecordSettlement
    voids: Annotated[tuple[RecordVoid, ...], AtMost(ATTEMPTS)]
    log: Annotated[tuple[RecordEntry, ...], AtMost(EPOCHS_MAX + ATTEMPTS + 3)]
    checkpoint: Annotated[str, Text(4_096, free=True)] | None


@dataclass(frozen=True, slots=True)
class SignedRecord:
    """A record as it was read.

    Shape: `digest` is what `record_sig` covers, in the role `record`.
    """

    record: Record
    digest: bytes
    record_sig: bytes


def build(record: Record) -> dict[str, object]:
    """Write a record as plain JSON values, without its signature.

    Errors: RefusedRecord if it is not in the form that `read_record` demands.
    """
    value: dict[str, object] = plain(record)
    _refuse_unfit(shaped(Record, value))
    return value


def sign_record(record: Record, sign: Callable[[str, bytes], bytes]) -> bytes:
    """Write the file of a record.

    Shape:   `sign(role, digest32)` gives 64 bytes: `SigningKey.sign`.
    Errors:  RefusedRecord if the record has a wrong form or is too large.
    Example: sign_record(record, key.sign)
    """
    body = encode(build(record))
    signature = sign("record", digest("record", body))
    file = body[:-1] + _SIGNED % signature.hex().encode("ascii")
    if len(file) > BYTES_MAX:
        raise RefusedRecord("too_large", f"more than {BYTES_MAX} bytes")
    return file


def read_record(data: bytes) -> SignedRecord:
    """Read the file of a record strictly; whether it is true is for the verifier to say.

    Errors: RefusedRecord; its code is stable and its text names the place.
    """
    if len(data) > BYTES_MAX:
        raise RefusedRecord("too_large", f"more than {BYTES_MAX} bytes")
    found = _SIGNATURE.search(data[-_SIGNED_BYTES:])
    if found is None:
        raise RefusedRecord("no_signature", "the last member must be record_sig, of 64 bytes")
    body = data[:-_SIGNED_BYTES] + b"}"
    record = shaped(Record, decode(body))
    _refuse_unfit(record)
    return SignedRecord(record, digest("record", body), bytes.fromhex(found[1].decode("ascii")))


_SIGNED = b',"record_sig":"%s"}'
_SIGNED_BYTES = len(_SIGNED % bytes(128))
_SIGNATURE = re.compile(rb'\A,"record_sig":"([0-9a-f]{128})"\}\Z')


def _refuse_unfit(record: Record) -> None:
    """Refuse lists that don't fit each other; every check may then rely on them."""
    numbers = [seat.seat for seat in record.seats]
    count, epochs = len(numbers), len(record.heads)
    dealt = [event for event in record.events if event.line is None]
    later = record.heads[1:]
    unfit = {
        "format must be fairdeal/1": record.format != FORMAT,
        "commits must be four": len(record.commits) != ATTEMPTS,
        "seats must ascend, and be at least one": not numbers or numbers != sorted(set(numbers)),
        "result must list the seats": [row.seat for row in record.result] != numbers,
        "heads must number the epochs": [h.epoch for h in record.heads] != list(range(epochs)),
        "heads[0] has no discards and no call": any(
            h.discards is not None or h.call_sig is not None or any(h.again_sigs)
            for h in record.heads[:1]
        ),
        "later heads have discards and a call": any(
            not h.discards or h.call_sig is None for h in later
        ),
        "heads must have a member for each seat": any(
            len(h.present) != count or len(h.again_sigs) != count for h in record.heads
        ),
        "x must reach as far as the epochs": any(
            len(seat.x) != (epochs if seat.status else 0) for seat in record.seats
        ),
        "events must count from 0": [e.k for e in record.events] != list(range(len(record.events))),
        "events must begin with the deal": not dealt or dealt[0].k != 0,
        "events must have a line of null for each head": len(dealt) != epochs,
        "voids must be the attempts before": [v.attempt for v in record.voids]
        != list(range(record.attempt)),
        "unused must be the attempts after": [u.attempt for u in record.unused]
        != list(range(record.attempt + 1, ATTEMPTS)),
        "log must hold OPEN, VOIDs, DEALs and CLOSE": len(record.log)
        != 2 + len(record.voids) + epochs,
    }
    for text, is_unfit in unfit.items():
        if is_unfit:
            raise RefusedRecord("shape", text)
