"""What anyone can watch of the log, each rule with a log that breaks exactly that one."""

from collections.abc import Callable

import pytest

from server.fairness.encoding import dec, digest, enc
from server.fairness.entries import CancelReason, KeyRole
from server.fairness.logged import LogCancelled, LogOpened, LogVoided, read_entry
from server.fairness.signing import LogSigner, SigningKey
from server.verify.log_keys import KeysInForce
from server.verify.log_rules import LogRules
from tests.verify.log_book import (
    LIST,
    LOG_SIGNER,
    NEW_LOG_SIGNER,
    NEW_SERVER,
    OTHER_TABLE,
    SERVER,
    TABLE,
    Book,
    Sign,
    by_server,
    honest,
    rotated,
)


def followed(book: Book) -> LogRules:
    rules = LogRules(KeysInForce(server_pub=SERVER.public, log_pub=LOG_SIGNER.key.public))
    for index, entry in enumerate(book.entries):
        rules.take(index, entry)
    rules.end()
    return rules


def test_4_an_honest_log_holds_wherever_it_is_looked_at() -> None:
    whole = honest()
    for size in range(len(whole.entries) + 1):
        assert followed(Book(whole.entries[:size])).problems == []
    rules = followed(whole)
    assert rules.newest == {TABLE: 6, OTHER_TABLE: 1}
    assert {(hand.table, hand.hand_no) for hand in rules.unfinished} == {
        (TABLE, 6),
        (OTHER_TABLE, 1),
    }
    assert rules.counts == {
        "opened": 7,
        "dealt": 7,
        "voided": 7,
        "closed": 2,
        "cancelled": 3,
        "sealed": 2,
    }


STRANGER = SigningKey(digest("test", b"stranger"))


STRANGER_LOG = LogSigner(digest("test", b"stranger"), LOG_SIGNER.key.name)
SEALING = Book().rotate(KeyRole.SEALING, SERVER.public, LIST, by_server).entries[0]


def by_stranger(digest32: bytes) -> bytes:
    return by_server(digest32, STRANGER)


def rotation(role: KeyRole, old: bytes, sign: Sign) -> Book:
    return Book().rotate(role, old, NEW_SERVER.public, sign)


def twice(book: Book) -> Book:
    return book.raw(book.entries[-1])


def unsigned(book: Book) -> Book:
    return Book([*book.entries[:-1], altered(book.entries[-1], 10, bytes(64))])


def test_4_hands_go_on_over_a_rotation_by_the_key_that_opened_them() -> None:
    rules = followed(rotated())
    assert rules.problems == []
    assert rules.keys.server_pub == NEW_SERVER.public
    assert rules.log_keys == {LOG_SIGNER.key.public, NEW_LOG_SIGNER.key.public}
    assert (rules.counts["rotated"], rules.counts["closed"]) == (4, 2)


BROKEN: dict[str, tuple[str, Callable[[], Book]]] = {
    "a number left out": ("dense", lambda: Book().open(1).cancel(1).open(3)),
    "a first hand of number 2": ("dense", lambda: Book().open(2)),
    "a number opened again": ("dense", lambda: Book().open(1).cancel(1).open(1)),
    "a number gone back to": ("dense", lambda: Book().open(1).cancel(1).open(2).cancel(2).open(1)),
    "an older hand without an end": ("one end", lambda: Book().open(1).open(2)),
    "a dealt one without an end": ("one end", lambda: Book().open(1).deal(1).open(2).cancel(2)),
    "a CLOSE after the CLOSE": ("one end", lambda: Book().open(1).deal(1).close(1).close(1)),
    "a CANCEL after the CLOSE": ("one end", lambda: Book().open(1).deal(1).close(1).cancel(1)),
    "a CLOSE after the CANCEL": ("one end", lambda: Book().open(1).cancel(1).close(1)),
    "a CANCEL after the CANCEL": ("one end", lambda: Book().open(1).cancel(1).cancel(1)),
    "a CANCEL of what is not open": ("one end", lambda: Book().open(1).cancel(2)),
    "a CLOSE of what is not open": ("one end", lambda: Book().open(1).close(2)),
    "a DEAL after the CLOSE": ("one end", lambda: Book().open(1).deal(1).close(1).deal(1, 1)),
    "a VOID after the CANCEL": ("one end", lambda: Book().open(1).cancel(1).void(1)),
    "a fifth VOID": ("voids", lambda: Book().open(1).void(1, 0, 1, 2, 3, 3)),
    "an attempt voided twice": ("voids", lambda: Book().open(1).void(1, 0, 0)),
    "an attempt passed over": ("voids", lambda: Book().open(1).void(1, 1)),
    "a VOID after a dealt one's": ("voids", lambda: Book().open(1).deal(1).void(1, 0, 1)),
    "cards out, and cancelled": ("voids", lambda: Book().open(1).deal(1).cancel(1)),
    "attempts used up after three": (
        "voids",
        lambda: Book().open(1).void(1, 0, 1, 2).cancel(1, CancelReason.ATTEMPTS_USED_UP),
    ),
    "cancelled after no VOID": ("voids", lambda: Book().open(1).cancel(1, CancelReason.AFTER_VOID)),
    "a CLOSE without a DEAL": ("deals", lambda: Book().open(1).close(1)),
    "a CLOSE of another attempt": ("deals", lambda: Book().open(1).deal(1).close(1, attempt=1)),
    "a CLOSE after its VOID": ("deals", lambda: Book().open(1).deal(1).void(1).close(1)),
    "an epoch dealt twice": ("deals", lambda: Book().open(1).deal(1, 0, 0).close(1)),
    "an epoch left out": ("deals", lambda: Book().open(1).deal(1, 0, 2).close(1)),
    "a first epoch of 1": ("deals", lambda: Book().open(1).deal(1, 1)),
    "an epoch over another list": (
        "deals",
        lambda: Book().open(1).deal(1).deal(1, 1, listing=bytes(32)).close(1),
    ),
    "a DEAL of an attempt that was void": ("deals", lambda: Book().open(1).void(1).deal(1)),
    "a DEAL of a later attempt": ("deals", lambda: Book().open(1).deal(1, attempt=1)),
    "a second DEAL after a dealt one's VOID": (
        "deals",
        lambda: Book().open(1).deal(1).void(1).deal(1, attempt=1),
    ),
    "a VOID with another seed": ("seed", lambda: Book().open(1).void(1, seed=LIST)),
    "a CLOSE with another seed": ("seed", lambda: Book().open(1).deal(1).close(1, seed=LIST)),
    "a seal left out": ("seals", lambda: Book().seal(2)),
    "a seal twice": ("seals", lambda: twice(Book().seal(1))),
    "a seal that forked the chain": (
        "seals",
        lambda: Book().seal(1).seal(2, prev_hash=bytes(32)),
    ),
    "a seal over what was sealed": ("seals", lambda: Book().seal(1).seal(2, xid_from=5)),
    "a seal that leaves some out": ("seals", lambda: Book().seal(1).seal(2, xid_from=11)),
    "a seal that goes back": ("seals", lambda: Book().seal(1).seal(2, xid_to=10)),
    "a seal over nothing": ("seals", lambda: Book().seal(1, counts=(0, 0, 0, 0))),
    "a seal by another key": ("seals", lambda: Book().seal(1, STRANGER)),
    "a seal that nobody signed": ("seals", lambda: unsigned(Book().seal(1))),
    "a rotation that a stranger signed": (
        "rotation",
        lambda: rotation(KeyRole.SIGNING, SERVER.public, by_stranger),
    ),
    "a rotation by the key that it brings": (
        "rotation",
        lambda: rotation(KeyRole.SIGNING, SERVER.public, lambda one: by_server(one, NEW_SERVER)),
    ),
    "a rotation of the log's key that the server's key signed": (
        "rotation",
        lambda: rotation(KeyRole.LOG, LOG_SIGNER.key.public, by_server),
    ),
    "a rotation from a key that was not in force": (
        "rotation",
        lambda: rotation(KeyRole.LOG, STRANGER_LOG.key.public, STRANGER_LOG.hand_over),
    ),
    "a sealing key's rotation that a stranger signed": (
        "rotation",
        lambda: rotation(KeyRole.SEALING, LIST, by_stranger),
    ),
    "a sealing key's rotation that forked": (
        "rotation",
        lambda: (
            Book()
            .rotate(KeyRole.SEALING, LIST, TABLE * 2, by_server)
            .rotate(KeyRole.SEALING, LIST, SERVER.public, by_server)
        ),
    ),
    "a rotation to another role": (
        "rotation",
        lambda: Book().raw(altered(SEALING, 0, b"signing")),
    ),
    "a seal by the key before": ("seals", lambda: Book().rotate_all().seal(1)),
    "a hand opened by the key before": ("one end", lambda: Book().rotate_all().open(1).deal(1)),
    "no entry": ("form", lambda: Book().open(1).raw(b"")),
}


ROTATIONS = {name for name in BROKEN if "rotation" in name}


@pytest.mark.parametrize("name", BROKEN)
def test_4_a_log_that_breaks_a_rule_is_named_by_it(name: str) -> None:
    rule, make = BROKEN[name]
    problems = followed(make()).problems
    assert {one.rule for one in problems} == {rule}, problems
    assert len(problems) == 1 or name in {"a seal twice", *ROTATIONS}
    assert problems[0].text.startswith(("entry ", "at the end"))


# --- the form of entries


def test_4_every_kind_of_entry_is_read_as_it_was_written() -> None:
    book = Book().open(7).void(7).cancel(7)
    opened, voided, cancelled = map(read_entry, book.entries)
    assert isinstance(opened, LogOpened)
    assert (opened.table, opened.hand_no, len(opened.commits)) == (TABLE, 7, 4)
    assert isinstance(voided, LogVoided)
    assert voided.seats == ((0, 1, LIST), (2, 1, None), (3, 0, None))
    assert cancelled == LogCancelled(TABLE, 7, CancelReason.TOO_FEW_SEATS)


OPEN, VOID, DEAL, CANCEL, SEAL = Book().open(1).void(1).deal(1).cancel(1).seal(1).entries


def altered(entry: bytes, at: int, value: bytes) -> bytes:
    label, fields = dec(entry)
    changed = list(fields)
    changed[at] = value
    return enc(label, *changed)


UNREADABLE = {
    "a rotation of another role": altered(SEALING, 0, b"table"),
    "a rotation of a role that is no text": altered(SEALING, 0, b"\xff"),
    "a rotation to the same key": altered(SEALING, 2, SERVER.public),
    "a rotation without a signature": enc("log-key", *dec(SEALING)[1][:-1]),
    "a rotation with half a signature": altered(SEALING, 3, bytes(32)),
    "nothing": b"",
    "half of one": OPEN[:-1],
    "one with a tail": OPEN + b"\0",
    "another domain": OPEN.replace(b"fairdeal/1", b"fairdeal/2"),
    "another label": enc("log-rewrite", *dec(OPEN)[1]),
    "a field more": enc("log-open", *dec(OPEN)[1], bytes(32)),
    "a field less": enc("log-open", *dec(OPEN)[1][:-1]),
    "a table of 15 bytes": altered(OPEN, 0, bytes(15)),
    "a number of 4 bytes": altered(OPEN, 1, bytes(4)),
    "a commitment of 31 bytes": altered(OPEN, 3, bytes(31)),
    "a ninth reshuffle": altered(DEAL, 1, b"\x09"),
    "another reason to void": altered(VOID, 1, b"\x04"),
    "another reason to cancel": altered(CANCEL, 2, b"\x04"),
    "a seal with a field less": enc("log-seal", *dec(SEAL)[1][:-1]),
    "a seal with half a signature": altered(SEAL, 10, bytes(32)),
    "a seal with a root of 31 bytes": altered(SEAL, 7, bytes(31)),
    "a VOID without a seed": enc("log-void", *dec(VOID)[1][:2]),
    "seats that do not ascend": altered(VOID, 4, dec(VOID)[1][3]),
    "a seat of 34 bytes": altered(VOID, 3, bytes(34)),
    "a seat half present": altered(VOID, 3, b"\0\x01\x02" + bytes(32)),
    "an absent seat with an x": altered(VOID, 3, b"\0\x01\0" + LIST),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_4_an_entry_of_another_form_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        read_entry(UNREADABLE[name])


@pytest.mark.parametrize("entry", [OPEN, VOID, DEAL, CANCEL, SEAL, SEALING])
def test_2_an_encoding_is_taken_apart_into_what_it_was_made_of(entry: bytes) -> None:
    label, fields = dec(entry)
    assert enc(label, *fields) == entry
