"""Proofs over HTTP: an entry that is not there, a log that was rewritten, a server that is busy."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.bots.evidence import Cheated
from server.bots.opening_checks import LogHead
from server.bots.proofs import Proofs
from server.bots.vault import Vault
from server.fairness.merkle import consistency_spans, leaf_hash, path, root
from server.fairness.note import NoteKey
from server.fairness.signing import LogSigner

URL = "http://log.test"
LOG = LogSigner(bytes(range(32)), "log.test/fairdeal-1")
FORGER = LogSigner(bytes(32), LOG.key.name)
OTHER_LOG = LogSigner(bytes(range(32)), "other.test/fairdeal-1")
Answer = tuple[int, Any]


def log_of(size: int, word: str = "entry") -> list[bytes]:
    return [leaf_hash(f"{word} {number}".encode()) for number in range(size)]


def head_of(
    leaves: list[bytes],
    index: int,
    *,
    check: int = 2,
    signer: LogSigner | None = LOG,
    with_path: bool = False,
) -> LogHead:
    return LogHead(
        check=check,
        leaf=leaves[index],
        index=index,
        size=len(leaves),
        root=root(leaves),
        path=path(leaves, index) if with_path else None,
        note=None if signer is None else note_of(leaves, signer),
    )


def note_of(leaves: list[bytes], signer: LogSigner = LOG) -> str:
    return signer.checkpoint(size=len(leaves), root=root(leaves))


def asking(
    leaves: list[bytes],
    vault: Vault | None = None,
    answer: Callable[[], Answer] | None = None,
    signer: LogSigner = LOG,
) -> Proofs:
    """Ask a log in memory; `answer` may stand in for what it would say."""

    def respond(request: httpx.Request) -> httpx.Response:
        if answer is not None:
            status, body = answer()
            return httpx.Response(status, content=json.dumps(body))
        if request.url.path.endswith("checkpoint"):
            return httpx.Response(200, text=note_of(leaves, signer))
        asked = {key: int(value) for key, value in request.url.params.items()}
        if max(asked.values()) > len(leaves):
            return httpx.Response(404, json={"code": "no_such_entry"})
        if request.url.path.endswith("inclusion"):
            nodes = path(leaves[: asked["size"]], asked["index"])
            return httpx.Response(200, json={"path": [node.hex() for node in nodes]})
        spans = consistency_spans(asked["old"], asked["new"])
        nodes = tuple(root(leaves[first:last]) for first, last in spans)
        return httpx.Response(200, json={"proof": [node.hex() for node in nodes]})

    proofs = Proofs(URL, vault or Vault())
    proofs._http = httpx.AsyncClient(base_url=URL, transport=httpx.MockTransport(respond))
    proofs.pin(LOG.key.vkey)
    return proofs


async def caught(proofs: Proofs, head: LogHead) -> int:
    with pytest.raises(Cheated) as cheated:
        await proofs.prove(head)
    return cheated.value.check


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 9, 33])
async def test_10_a_log_that_only_grew_holds_in_any_order_of_asking(size: int) -> None:
    vault = Vault()
    proofs = asking(log_of(40), vault)
    for seen in (size, 40, size, 12):
        assert await proofs.prove(head_of(log_of(seen), seen - 1))
    assert vault.find(f"log {URL}") == [40, root(log_of(40)).hex(), note_of(log_of(40))]
    assert proofs.kept == {"key": LOG.key.vkey, "last": vault.find(f"log {URL}")}


@pytest.mark.parametrize("check", [2, 9, 16])
async def test_an_entry_that_is_not_in_the_log_fails_the_check_that_named_it(check: int) -> None:
    head = head_of(log_of(9), 4, check=check)
    other = asking([*log_of(4), leaf_hash(b"x"), *log_of(9)[5:]])
    leaves = log_of(9)
    leaves[3] = leaf_hash(b"y")
    assert await caught(asking(leaves), head) == check
    assert await other.prove(head)  # the path of an entry does not hold the entry itself


async def test_10_a_log_that_was_rewritten_is_caught() -> None:
    vault = Vault()
    assert await asking(log_of(9), vault).prove(head_of(log_of(9), 8))
    rewritten = [*log_of(9, "other"), *log_of(3)]
    assert await caught(asking(rewritten, vault), head_of(rewritten, 11)) == 10


async def test_10_two_roots_of_one_size_are_caught() -> None:
    vault = Vault()
    assert await asking(log_of(9), vault).prove(head_of(log_of(9), 8))
    other = log_of(9, "other")
    assert await caught(asking(other, vault), head_of(other, 8)) == 10


async def test_10_a_log_that_was_rewound_is_caught(tmp_path: Path) -> None:
    """As after a backup from last week: what was there is gone, and the log grows again."""
    assert await asking(log_of(9), Vault(tmp_path)).prove(head_of(log_of(9), 8))
    shorter = log_of(6)
    head = head_of(shorter, 5, with_path=True)
    assert await caught(asking(shorter, Vault(tmp_path)), head) == 10
    regrown = [*log_of(6), *log_of(6, "other")]
    head = head_of(regrown, 11, with_path=True)
    assert await caught(asking(regrown, Vault(tmp_path)), head) == 10


def nobody_answers() -> Answer:
    raise AssertionError("the server was asked")


async def test_10_what_came_along_is_not_asked_for() -> None:
    leaves = log_of(9)
    head = head_of(leaves, 8, with_path=True)
    assert await asking(leaves, answer=nobody_answers).prove(head)


@pytest.mark.parametrize("signer", [FORGER, OTHER_LOG], ids=["forger", "other origin"])
@pytest.mark.parametrize("with_path", [True, False])
async def test_10_a_checkpoint_that_the_logs_key_has_not_signed_is_caught(
    signer: LogSigner, with_path: bool
) -> None:
    leaves = log_of(9)
    head = head_of(leaves, 8, signer=signer, with_path=with_path)
    assert await caught(asking(leaves), head) == 10
    asked = head_of(leaves, 8, signer=None, with_path=with_path)
    assert await caught(asking(leaves, signer=signer), asked) == 10


@pytest.mark.parametrize(
    "note",
    [
        "",
        "no note",
        note_of(log_of(9))[:-1],
        note_of(log_of(9)).replace("\n9\n", "\n8\n"),
        note_of(log_of(8)),
        note_of(log_of(9, "other")),
    ],
    ids=["empty", "no note", "cut", "changed", "another size", "another root"],
)
async def test_10_a_checkpoint_of_another_head_or_form_is_caught(note: str) -> None:
    leaves = log_of(9)
    head = replace(head_of(leaves, 8, with_path=True), note=note)
    assert await caught(asking(leaves), head) == 10


async def test_10_a_head_without_a_checkpoint_must_be_the_beginning_of_the_latest_one() -> None:
    vault = Vault()
    head = head_of(log_of(9), 8, signer=None)
    assert await asking(log_of(12), vault).prove(head)
    assert vault.find(f"log {URL}")[2] == note_of(log_of(12))
    assert await caught(asking(log_of(8)), replace(head, path=path(log_of(9), 8))) == 10
    other = [*log_of(9, "other"), *log_of(3)]
    assert await caught(asking(other), replace(head, path=path(log_of(9), 8))) == 10


async def test_10_without_the_logs_key_nothing_is_proved() -> None:
    proofs = Proofs(URL, Vault())
    assert not await proofs.prove(head_of(log_of(1), 0, with_path=True))
    await proofs.close()


def test_10_the_first_log_key_is_kept_and_another_is_caught() -> None:
    vault = Vault()
    for _ in range(2):
        Proofs(URL, vault).pin(LOG.key.vkey)
    for other in (FORGER.key.vkey, OTHER_LOG.key.vkey, "nonsense"):
        with pytest.raises(Cheated) as cheated:
            Proofs(URL, vault).pin(other)
        assert cheated.value.check == 10


@pytest.mark.parametrize("vkey", ["nonsense", NoteKey("log.test", bytes(32)).vkey])
def test_10_a_log_key_that_can_be_none_is_caught_at_first_sight(vkey: str) -> None:
    with pytest.raises(Cheated) as cheated:
        Proofs(URL, Vault()).pin(vkey)
    assert cheated.value.check == 10


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_server_that_is_busy_is_not_accused(status: int) -> None:
    proofs = asking(log_of(3), answer=lambda: (status, {}))
    assert not await proofs.prove(head_of(log_of(3), 2))


async def test_a_proof_that_is_refused_for_good_fails_its_check() -> None:
    proofs = asking(log_of(3), answer=lambda: (404, {"code": "no_such_entry"}))
    assert await caught(proofs, head_of(log_of(3), 2)) == 2


@pytest.mark.parametrize("body", [{"path": ["ab"]}, {"path": 3}, {}, [], {"path": [None]}])
async def test_19_a_proof_of_another_form_is_caught(body: Any) -> None:
    proofs = asking(log_of(3), answer=lambda: (200, body))
    assert await caught(proofs, head_of(log_of(3), 2)) == 19


async def test_19_a_path_of_another_length_is_caught() -> None:
    proofs = asking(log_of(3), answer=lambda: (200, {"path": ["ab" * 32] * 5}))
    assert await caught(proofs, head_of(log_of(3), 2)) == 19
