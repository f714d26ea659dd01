"""Checks 1 and 3 to 6: who signed what, from the server's key to the first HEAD."""

from collections.abc import Iterator

from server.fairness.commitment import ATTEMPTS, reveal, seat_commit
from server.fairness.ed25519 import is_acceptable_key
from server.fairness.encoding import ZERO_HASH
from server.verify.evidence import Evidence

HUMAN = 1


def server_key(e: Evidence) -> Iterator[str]:
    """Check 1: the server's key is the pinned one; and it signed this record."""
    if e.server_key is not None and e.server_key != e.record.server_pub:
        yield f"the record's key is {e.record.server_pub.hex()}, not the pinned one"
    if not is_acceptable_key(e.record.server_pub):
        yield "the record's key is no key"
    elif not e.is_server_signed("record", e.signed.digest, e.signed.record_sig):
        yield "record_sig is not over these bytes: the record was changed, or another key signed it"


def commits(e: Evidence) -> Iterator[str]:
    """Check 3: every listed commit is the one that its seat made and signed."""
    for seat in e.record.seats:
        if not seat.status:
            if seat.commit != ZERO_HASH or seat.commit_sig is not None:
                yield f"seat {seat.seat} is listed as absent, with a commit"
            continue
        problem = e.seat_signature_problem(seat.pub, "commit", seat.commit, seat.commit_sig)
        if problem:
            yield f"seat {seat.seat}'s commit has {problem}"
        first = seat.x[0]
        if first is not None and seat.commit != seat_commit(
            hand=e.hand, server_commit=e.record.C_S, seat=seat.seat, pub=seat.pub, first=first
        ):
            yield f"seat {seat.seat}'s commit is not to its reveal"


def reveals_once(e: Evidence) -> Iterator[str]:
    """Check 4: in this attempt each committed seat revealed; no value served two attempts."""
    shown: list[tuple[str, bytes | None]] = [
        (f"seat {seat.seat} of attempt {void.attempt}", seat.x)
        for void in e.record.voids
        for seat in void.seats
    ]
    for seat in e.record.seats:
        if seat.status:
            shown.append((f"seat {seat.seat} of attempt {e.record.attempt}", seat.x[0]))
            if seat.x[0] is None:
                yield f"seat {seat.seat} committed and did not reveal, and cards were dealt"
    seen: dict[bytes, str] = {}
    for who, value in shown:
        if value is None:
            continue
        if value in seen:
            yield f"{who} revealed what {seen[value]} had revealed"
        seen[value] = who


def reveals_signed(e: Evidence) -> Iterator[str]:
    """Check 5: each seat that revealed did so over this L."""
    for seat in e.record.seats:
        first = seat.x[0] if seat.status else None
        if first is None:
            if seat.reveal_sig is not None:
                yield f"seat {seat.seat} signed a reveal that is not there"
            continue
        digest = reveal(e.record.L, first)
        problem = e.seat_signature_problem(seat.pub, "reveal", digest, seat.reveal_sig)
        if problem:
            yield f"seat {seat.seat}'s reveal over L has {problem}"


def heads_signed(e: Evidence) -> Iterator[str]:
    """Check 6: the server signed L, and each HEAD over that L."""
    if not e.is_server_signed("list", e.record.L, e.record.L_sig):
        yield "L is not signed by the server"
    for head in e.record.heads:
        if not e.is_server_signed("head", e.head_hash(head), head.sig):
            yield f"HEAD of epoch {head.epoch} is not signed by the server over this L"


def notes(e: Evidence) -> Iterator[str]:
    """Say what no check forbids and a reader should know."""
    if not any(seat.kind == HUMAN and seat.status for seat in e.record.seats):
        yield "server only: no human seat added entropy"
    if e.record.voids:
        yield f"{len(e.record.voids)} of {ATTEMPTS} attempts were given up before this one"
    for head in e.record.heads[1:]:
        absent = [
            str(seat.seat)
            for seat, present in zip(e.record.seats, head.present, strict=True)
            if seat.status and not present
        ]
        if absent:
            yield f"reshuffle {head.epoch} went without the entropy of seat {', '.join(absent)}"
