"""A log followed in several looks: whatever it does to what was seen before is noticed."""

from dataclasses import replace

import pytest

from server.fairness.encoding import digest
from server.fairness.entries import KeyRole
from server.fairness.signing import LogSigner, SigningKey
from server.verify.log_watch import PROBLEMS_MAX, LogState, LogWatch, state_of
from tests.verify.log_book import (
    LOG_SIGNER,
    NEW_LOG_SIGNER,
    NEW_SERVER,
    OTHER_TABLE,
    SERVER,
    Book,
    by_server,
    honest,
    rotated,
)

WHOLE = honest()
FRESH = LogState(pinned=LOG_SIGNER.key.vkey, vkey=LOG_SIGNER.key.vkey, server_pub=SERVER.public)


def look(kept: LogState, book: Book, *, note: str | None = None) -> LogWatch:
    """Follow a log as the command does."""
    watch = LogWatch(kept)
    new = watch.checkpoint(book.note() if note is None else note)
    if new is None:
        return watch
    if 0 < watch.size < new.size and not watch.grew(new, book.proof(watch.size, new.size)):
        return watch
    for entry in book.entries[watch.size :]:
        watch.take(entry)
    watch.end(new)
    return watch


def first(size: int) -> Book:
    return Book(WHOLE.entries[:size])


def rules_of(watch: LogWatch) -> list[str]:
    return [one.rule for one in watch.problems]


def test_4_a_log_is_followed_in_any_number_of_looks_to_the_same_state() -> None:
    state = FRESH
    for size in (1, 2, 3, 7, 8, 9, 16, len(WHOLE.entries), len(WHOLE.entries)):
        watch = look(state_of(state.text()), first(size))
        assert watch.problems == []
        state = watch.state
    assert state == look(FRESH, WHOLE).state


def test_4_what_is_kept_grows_with_the_tables_and_not_with_the_log() -> None:
    book = Book()
    for number in range(1, 200):
        book.open(number).deal(number).close(number)
    state = look(FRESH, book).state
    assert len(state.text()) < 2_000


def test_4_a_log_that_went_back_is_noticed() -> None:
    kept = look(FRESH, first(9)).state
    assert rules_of(look(kept, first(8))) == ["grows"]


def test_4_a_log_that_was_rewritten_is_noticed() -> None:
    kept = look(FRESH, first(9)).state
    other = Book(WHOLE.entries[:8]).open(2, OTHER_TABLE)
    assert rules_of(look(kept, other)) == ["grows"]
    assert rules_of(look(kept, other.open(3, OTHER_TABLE))) == ["grows"]


def test_4_entries_that_do_not_make_the_signed_root_are_noticed() -> None:
    longer = first(9)
    assert rules_of(look(FRESH, first(8), note=longer.note())) == ["root"]
    kept = look(FRESH, first(6)).state
    watch = LogWatch(kept)
    new = watch.checkpoint(longer.note())
    assert new is not None
    assert watch.grew(new, longer.proof(6, 9))
    for entry in (*longer.entries[6:8], Book().open(1, bytes(15) + b"x").entries[0]):
        watch.take(entry)
    watch.end(new)
    assert rules_of(watch) == ["root"]


@pytest.mark.parametrize("size", [9, 12])
def test_4_a_checkpoint_that_the_pinned_key_did_not_sign_is_noticed(size: int) -> None:
    kept = look(FRESH, first(9)).state
    forger = LogSigner(digest("test", b"forger"), LOG_SIGNER.key.name)
    other = LogSigner(digest("test", b"log"), "other.example/fairdeal-1")
    for signer in (forger, other):
        assert rules_of(look(kept, first(size), note=first(size).note(signer))) == ["checkpoint"]
    assert rules_of(look(kept, first(size), note="")) == ["checkpoint"]


def test_4_a_key_that_changed_is_noticed() -> None:
    watch = LogWatch(FRESH)
    watch.keys(vkey=FRESH.vkey, server_pub=FRESH.server_pub)
    watch.keys_hold()
    assert rules_of(watch) == []
    watch.keys(vkey="other", server_pub=bytes(32))
    watch.keys_hold()
    assert rules_of(watch) == ["key", "key"]


def test_4_a_hand_that_was_kept_unfinished_is_held_to_its_end() -> None:
    kept = look(FRESH, first(5)).state  # hand 1 has its DEALs
    assert [hand.epochs for hand in kept.unfinished if hand.table != OTHER_TABLE] == [3]
    assert rules_of(look(kept, first(5).open(2))) == ["one end"]
    assert rules_of(look(kept, first(5).close(1))) == []


def test_a_look_at_a_very_bad_log_ends() -> None:
    watch = LogWatch(FRESH)
    for number in range(PROBLEMS_MAX):
        assert not watch.is_bad_enough
        watch.take(b"bad %d" % number)
    assert watch.is_bad_enough


STATE = look(FRESH, WHOLE).state.text()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        STATE[:-3],
        STATE.replace("pakka log 2", "pakka log 1"),
        STATE.replace('"size": 28', '"size": 29'),
        STATE.replace('"size": 28', '"size": -1'),
        STATE.replace("test.example", "other.example", 1),
        STATE.replace('"hand_no": 6', '"hand_no": 5', 1),
        replace(look(FRESH, WHOLE).state, vkey="x").text(),
    ],
)
def test_a_state_that_is_none_is_refused(text: str) -> None:
    assert text != STATE
    with pytest.raises(ValueError, match=r"\S"):
        state_of(text)


# --- rotations


def after_rotations(kept: LogState, book: Book, shown: tuple[LogSigner, SigningKey]) -> LogWatch:
    """Look at a log whose server shows these keys."""
    signer, server = shown
    watch = LogWatch(kept)
    watch.keys(vkey=signer.key.vkey, server_pub=server.public)
    new = watch.checkpoint(book.note(signer))
    if new is None:
        return watch
    assert watch.size == 0 or watch.grew(new, book.proof(watch.size, new.size))
    for entry in book.entries[watch.size :]:
        watch.take(entry)
    watch.end(new)
    watch.keys_hold()
    return watch


NOW = (NEW_LOG_SIGNER, NEW_SERVER)


@pytest.mark.parametrize("size", [1, 3, 5, 7])
def test_4_a_pinned_key_is_followed_over_its_rotations(size: int) -> None:
    book = rotated()
    shown = NOW if size > 5 else (LOG_SIGNER, SERVER if size < 5 else NEW_SERVER)
    kept = after_rotations(FRESH, Book(book.entries[:size]), shown).state
    watch = after_rotations(state_of(kept.text()), book, NOW)
    assert watch.problems == []
    state = state_of(watch.state.text())
    assert (state.pinned, state.vkey) == (FRESH.vkey, NEW_LOG_SIGNER.key.vkey)
    assert state.server_pub == NEW_SERVER.public
    assert rules_of(after_rotations(state, book.seal(3), NOW)) == ["seals"]  # by the old key
    assert rules_of(look(state, book, note=book.note(LOG_SIGNER))) == ["checkpoint"]


@pytest.mark.parametrize("signer", [LOG_SIGNER, NEW_LOG_SIGNER])
def test_4_whichever_of_a_logs_keys_was_pinned_it_is_followed(signer: LogSigner) -> None:
    watch = after_rotations(replace(FRESH, pinned=signer.key.vkey), rotated(), NOW)
    assert watch.problems == []


def test_4_a_pinned_key_that_a_log_never_had_is_noticed() -> None:
    other = LogSigner(digest("test", b"other"), LOG_SIGNER.key.name)
    watch = after_rotations(replace(FRESH, pinned=other.key.vkey), rotated(), NOW)
    assert rules_of(watch) == ["key"]


def test_4_a_key_that_nothing_hands_over_to_is_noticed() -> None:
    kept = look(FRESH, first(9)).state
    watch = after_rotations(kept, first(10), NOW)
    assert rules_of(watch) == ["key", "key"]


def test_4_a_rotation_that_was_forged_hands_over_to_nobody() -> None:
    book = first(9)
    kept = look(FRESH, book).state
    stranger = SigningKey(digest("test", b"stranger"))
    book.rotate(KeyRole.SIGNING, SERVER.public, NEW_SERVER.public, lambda d: by_server(d, stranger))
    log, new_log = LOG_SIGNER.key.public, NEW_LOG_SIGNER.key.public
    book.rotate(KeyRole.LOG, log, new_log, NEW_LOG_SIGNER.hand_over)
    watch = after_rotations(kept, book, NOW)
    assert rules_of(watch) == ["rotation", "rotation", "key", "key"]
