"""`pakka log check`: a real house's log holds; a log that lies is named by what it broke."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from server.cli import log_source
from server.fairness.encoding import digest
from server.fairness.signing import LogSigner
from tests.cli.conftest import Call, Said, Served, Shell, close_table
from tests.cli.fake_log import FakeLog, shown
from tests.verify.log_book import LOG_SIGNER, OTHER_TABLE, Book, honest

FORGER = LogSigner(digest("test", b"forger"), LOG_SIGNER.key.name)
OTHER_LOG = LogSigner(digest("test", b"log"), "other.example/fairdeal-1")
SIZE = len(honest().entries)


@pytest.fixture
def fake() -> Iterator[FakeLog]:
    with shown(honest()) as log:
        yield log


Check = Callable[..., Said]


@pytest.fixture
def check(fake: FakeLog, shell: Shell, call: Call, tmp_path: Path) -> Check:
    """Run the command on the fake log with a state of the test's own."""

    def run(*arguments: str) -> Said:
        state = str(tmp_path / "state.json")
        return call(shell, "log", "check", "--url", fake.url, "--state", state, *arguments)

    return run


def rules_of(said: Said) -> list[str]:
    assert said.code == 1
    return [one["rule"] for one in said.document["problems"]]


def play_a_hand(served: Served) -> None:
    """Have four bots play a hand at a table of their own, each checking the log live."""
    made = served.run(
        "table", "open", "rummy", "--name", "Logged", "--json",
        "-o", "seats=4", "-o", "min_players=4", "-o", "practice=true", "-o", "rate=10000",
    )  # fmt: skip
    assert made.code == 0
    for _ in range(100):
        said = served.run(
            "bots", "Logged", "-n", "4", "--url", served.url,
            "--pace", "0", "--hands", "1", "--json",
        )  # fmt: skip
        if said.code != 2:
            break
    assert (said.code, said.err) == (0, "")
    close_table(served, made.document["table"])


def test_4_a_houses_own_log_holds_while_it_is_played(
    served: Served, call: Call, tmp_path: Path
) -> None:
    state = str(tmp_path / "state.json")
    first = call(served, "log", "check", "--url", served.url, "--state", state, "--json")
    assert (first.code, first.document["problems"]) == (0, [])
    vkey = first.document["vkey"]
    assert vkey.startswith("localhost/fairdeal-1+")
    play_a_hand(served)
    again = call(served, "log", "check", "--url", served.url, "--state", state, "--json")
    assert again.code == 0
    assert again.document["before"] == first.document["size"] < again.document["size"]
    assert again.document["opened"] > first.document["opened"]
    assert again.document["closed"] > first.document["closed"]
    assert again.document["dealt"] > first.document["dealt"]
    pinned = call(served, "log", "check", "--url", served.url, "--log-key", vkey)
    assert pinned.code == 0
    assert pinned.out.splitlines()[-1] == "holds: the log only grew"


def test_4_what_was_seen_is_kept_and_only_what_is_new_is_read(fake: FakeLog, check: Check) -> None:
    said = check("--json")
    assert said.code == 0
    figures = ("before", "size", "tables", "opened", "dealt", "voided", "closed", "cancelled")
    assert [said.document[name] for name in figures] == [0, SIZE, 2, 7, 7, 7, 2, 3]
    assert (said.document["pinned"], said.document["unfinished"]) == (False, 2)
    fake.book.close(6).open(7)
    again = check("--json")
    assert again.code == 0
    assert [again.document[name] for name in ("before", "size")] == [SIZE, SIZE + 2]
    assert (again.document["pinned"], again.document["closed"]) == (True, 3)


def test_4_a_log_of_more_than_one_page_is_read_whole(fake: FakeLog, check: Check) -> None:
    for number in range(7, 120):
        fake.book.cancel(number - 1) if number > 7 else fake.book.close(6)
        fake.book.open(number)
    said = check("--json")
    assert (said.code, said.document["size"]) == (0, len(fake.book.entries))


def rewound(fake: FakeLog) -> None:
    del fake.book.entries[-1]


def rewritten(fake: FakeLog) -> None:
    fake.book = Book(fake.book.entries[:-1]).open(2, OTHER_TABLE)


def rewritten_and_grown(fake: FakeLog) -> None:
    rewritten(fake)
    fake.book.deal(6)


def forged(fake: FakeLog) -> None:
    fake.note = fake.book.note(FORGER)


def of_another_origin(fake: FakeLog) -> None:
    fake.note = fake.book.note(OTHER_LOG)


def no_checkpoint(fake: FakeLog) -> None:
    fake.answers["/checkpoint"] = (404, {})


def emptied(fake: FakeLog) -> None:
    fake.book = Book()


def other_key(fake: FakeLog) -> None:
    fake.vkey = FORGER.key.vkey


def other_server(fake: FakeLog) -> None:
    fake.server_key = "ab" * 32


def no_proof(fake: FakeLog) -> None:
    fake.book.close(6)
    fake.answers["/consistency"] = (404, {})


def unreadable_proof(fake: FakeLog) -> None:
    fake.book.close(6)
    fake.answers["/consistency"] = (200, {"proof": ["zz"]})


def proof_too_long(fake: FakeLog) -> None:
    fake.book.close(6)
    nodes = [node.hex() for node in fake.book.proof(SIZE, SIZE + 1)]
    fake.answers["/consistency"] = (200, {"proof": [*nodes, "00" * 32]})


def an_entry_not_shown(fake: FakeLog) -> None:
    fake.book.close(6)
    fake.answers["/entries"] = (200, {"entries": [], "next": None})


def another_entry_shown(fake: FakeLog) -> None:
    fake.book.close(6)
    row = {"index": SIZE, "entry": Book().close(6).entries[0].hex()}
    fake.answers["/entries"] = (200, {"entries": [row], "next": None})


def deep_proof(fake: FakeLog) -> None:
    fake.book.close(6)
    fake.answers["/consistency"] = (200, DEEP)


def deep_page(fake: FakeLog) -> None:
    fake.book.close(6)
    fake.answers["/entries"] = (200, DEEP)


def unreadable_page(fake: FakeLog) -> None:
    fake.book.close(6)
    fake.answers["/entries"] = (200, {"entries": [{"index": SIZE}]})


def forgotten_hand(fake: FakeLog) -> None:
    fake.book.open(7)


def two_ends(fake: FakeLog) -> None:
    fake.book.close(6).cancel(6)


LIES: dict[Callable[[FakeLog], None], str] = {
    rewound: "grows",
    rewritten: "grows",
    rewritten_and_grown: "grows",
    forged: "checkpoint",
    of_another_origin: "checkpoint",
    no_checkpoint: "checkpoint",
    emptied: "checkpoint",
    other_key: "key",
    other_server: "key",
    no_proof: "grows",
    unreadable_proof: "grows",
    proof_too_long: "grows",
    an_entry_not_shown: "root",
    another_entry_shown: "root",
    unreadable_page: "form",
    deep_proof: "grows",
    deep_page: "root",
    forgotten_hand: "one end",
    two_ends: "one end",
}


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
def test_4_a_log_that_lies_is_named_by_what_it_broke_as_often_as_it_is_asked(
    fake: FakeLog, check: Check, lie: Callable[[FakeLog], None]
) -> None:
    assert check("--json").code == 0
    lie(fake)
    for _ in range(2):
        assert rules_of(check("--json")) == [LIES[lie]]
    text = check()
    assert (text.code, text.err) == (1, "")
    assert f"FAILS {LIES[lie]}: " in text.out
    assert text.out.splitlines()[-1] == "fails: 1"


def test_4_a_key_that_was_pinned_beforehand_is_demanded_at_first_sight(
    fake: FakeLog, check: Check
) -> None:
    assert rules_of(check("--json", "--log-key", FORGER.key.vkey)) == ["key"]
    said = check("--json", "--log-key", LOG_SIGNER.key.vkey)
    assert (said.code, said.document["pinned"]) == (0, True)


def test_an_empty_log_holds(fake: FakeLog, check: Check) -> None:
    emptied(fake)
    assert (check("--json").code, check("--json").document["size"]) == (0, 0)


def test_a_server_that_is_busy_is_asked_again(
    fake: FakeLog, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_source, "WAIT_S", 0.0)
    fake.busy = 5
    assert check().code == 0
    fake.busy = 10_000
    wrong = check()
    assert (wrong.code, wrong.out) == (2, "")
    assert "does not let so many questions through" in wrong.err


DEEP = "[" * 200_000 + "]" * 200_000
BAD_ANSWERS: list[tuple[str, tuple[int, Any]]] = [
    ("", (404, {})),
    ("", (200, "no JSON")),
    ("", (200, {})),
    ("", (200, {"vkey": "nonsense"})),
    ("", (200, {"vkey": 5})),
    ("", (200, DEEP)),
    ("/keys", (200, DEEP)),
    ("", (200, [])),
    ("/", (200, {"server_key": "ab"})),
    ("/", (200, {"server_key": 5})),
    ("/checkpoint", (500, {})),
]


@pytest.mark.parametrize(("path", "answer"), BAD_ANSWERS)
def test_what_is_no_log_is_told_in_one_line(
    fake: FakeLog, check: Check, path: str, answer: tuple[int, Any]
) -> None:
    fake.answers[path] = answer
    said = check("--json")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("pakka: ")
    assert said.err.count("\n") == 1


def test_a_state_that_is_none_or_of_another_key_is_told_in_one_line(
    fake: FakeLog, check: Check, tmp_path: Path
) -> None:
    state = tmp_path / "state.json"
    for text in ("{}", "[" * 200_000, "[]", "\x00"):
        state.write_text(text)
        said = check()
        assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
        assert "is not the state of a log" in said.err
    state.unlink()
    assert check().code == 0
    assert state.stat().st_mode & 0o777 == 0o600
    said = check("--log-key", FORGER.key.vkey)
    assert (said.code, said.out) == (2, "")
    assert "is not the key that" in said.err
    said = check("--log-key", "nonsense")
    assert (said.code, said.err.count("\n")) == (2, 1)
    state.unlink()
    state.mkdir()
    assert check().code == 2
