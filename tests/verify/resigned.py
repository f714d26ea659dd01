"""Lies about a value that nothing else rests on: it is changed, and the record signed again."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from server.fairness.record import Record, RecordEntry
from tests.verify.promises import FORGED, OTHER


def seat_with(record: Record, at: int, **changes: Any) -> Record:
    seats = list(record.seats)
    seats[at] = replace(seats[at], **changes)
    return replace(record, seats=tuple(seats))


def head_with(record: Record, at: int, **changes: Any) -> Record:
    heads = list(record.heads)
    heads[at] = replace(heads[at], **changes)
    return replace(record, heads=tuple(heads))


def entry_with(record: Record, at: int, alter: Callable[[RecordEntry], RecordEntry]) -> Record:
    log = list(record.log)
    log[at] = alter(log[at])
    return replace(record, log=tuple(log))


def other_path(entry: RecordEntry) -> RecordEntry:
    return replace(entry, path=(OTHER, *entry.path[1:]))


def longer_path(entry: RecordEntry) -> RecordEntry:
    return replace(entry, path=(*entry.path, OTHER))


def shorter_path(entry: RecordEntry) -> RecordEntry:
    return replace(entry, path=entry.path[:-1])


def size_0(entry: RecordEntry) -> RecordEntry:
    return replace(entry, index=0, size=0, path=())


def two_roots(record: Record) -> Record:
    """Show the DEAL at the CLOSE's size in a tree of its own."""
    at_close, deal = record.log[-1], record.log[-2]
    alone = replace(deal, size=at_close.size)
    return replace(record, log=(*record.log[:-2], alone, at_close))


def swapped_places(record: Record) -> Record:
    """Show the second attempt's VOID before the first."""
    one, two = record.log[1:3]
    return replace(record, log=(record.log[0], two, one, *record.log[3:]))


def present_with(record: Record, at: int, value: int) -> Record:
    present = list(record.heads[1].present)
    present[at] = value
    return head_with(record, 1, present=tuple(present))


def again_with(record: Record, at: int, value: bytes | None) -> Record:
    signatures = list(record.heads[1].again_sigs)
    signatures[at] = value
    return head_with(record, 1, again_sigs=tuple(signatures))


RESIGNED: list[tuple[int, str, Callable[[Record], Record]]] = [
    (2, "the OPEN is not in the log", lambda r: entry_with(r, 0, other_path)),
    (3, "a commit signed by another", lambda r: seat_with(r, 1, commit_sig=FORGED)),
    (3, "a commit that nobody signed", lambda r: seat_with(r, 1, commit_sig=None)),
    (3, "a signature without a key", lambda r: seat_with(r, 3, commit_sig=FORGED)),
    (3, "an absent seat's signature", lambda r: seat_with(r, 4, commit_sig=FORGED)),
    (5, "a reveal signed by another", lambda r: seat_with(r, 1, reveal_sig=FORGED)),
    (5, "a reveal that nobody signed", lambda r: seat_with(r, 1, reveal_sig=None)),
    (5, "a reveal without a key", lambda r: seat_with(r, 3, reveal_sig=FORGED)),
    (5, "an absent seat's reveal", lambda r: seat_with(r, 4, reveal_sig=FORGED)),
    (6, "L signed by another", lambda r: replace(r, L_sig=FORGED)),
    (6, "HEAD signed by another", lambda r: head_with(r, 0, sig=FORGED)),
    (6, "a later HEAD signed by another", lambda r: head_with(r, 1, sig=FORGED)),
    (7, "a seat left out of a reshuffle", lambda r: present_with(r, 1, 0)),
    (7, "a seat put into a reshuffle", lambda r: present_with(r, 0, 1)),
    (9, "the DEAL is not in the log", lambda r: entry_with(r, 2, other_path)),
    (10, "the VOID is not in the log", lambda r: entry_with(r, 1, other_path)),
    (10, "the CLOSE is not in the log", lambda r: entry_with(r, -1, other_path)),
    (10, "another reason", lambda r: replace(r, voids=(replace(r.voids[0], reason=2),))),
    (14, "a call signed by another", lambda r: head_with(r, 1, call_sig=FORGED)),
    (14, "an answer signed by another", lambda r: again_with(r, 1, FORGED)),
    (14, "an answer that nobody signed", lambda r: again_with(r, 1, None)),
    (14, "an answer without a key", lambda r: again_with(r, 3, FORGED)),
    (14, "an answer of an absent seat", lambda r: again_with(r, 0, FORGED)),
    (17, "another player", lambda r: seat_with(r, 0, player=bytes([9]) * 16)),
    (17, "another kind", lambda r: seat_with(r, 0, kind=2)),
    (17, "another option", lambda r: replace(r, options={**r.options, "turn_ms": 5_000})),
    (18, "an event signed by another", lambda r: replace(
        r, events=(*r.events[:-1], replace(r.events[-1], sig=FORGED)))),
    (18, "another winner", lambda r: replace(r, settlement=replace(r.settlement, winner=None))),
    (18, "another gross", lambda r: replace(r, settlement=replace(r.settlement, gross=1))),
    (18, "another fee", lambda r: replace(r, settlement=replace(r.settlement, commission=1))),
    (18, "another rate", lambda r: replace(r, settlement=replace(r.settlement, rate=1))),
    (19, "a proof too long", lambda r: entry_with(r, 2, longer_path)),
    (19, "a proof too short", lambda r: entry_with(r, 2, shorter_path)),
    (19, "the CLOSE in a log of size 0", lambda r: entry_with(r, 2, lambda e: replace(
        e, size=e.index))),
]  # fmt: skip
