"""Proofs over HTTP: an entry that is not there, a log that was rewritten, a server that is busy."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from server.bots.evidence import Cheated
from server.bots.opening_checks import LogHead
from server.bots.proofs import Proofs
from server.bots.vault import Vault
from server.fairness.merkle import consistency_spans, leaf_hash, path, root

URL = "http://log.test"
Answer = tuple[int, Any]


def log_of(size: int, word: str = "entry") -> list[bytes]:
    return [leaf_hash(f"{word} {number}".encode()) for number in range(size)]


def head_of(leaves: list[bytes], index: int, *, check: int = 2) -> LogHead:
    return LogHead(
        check=check,
        leaf=leaves[index],
        index=index,
        size=len(leaves),
        root=root(leaves),
        path=None,
    )


def asking(
    leaves: list[bytes], vault: Vault | None = None, answer: Callable[[], Answer] | None = None
) -> Proofs:
    """Ask a log in memory; `answer` may stand in for what it would say."""

    def respond(request: httpx.Request) -> httpx.Response:
        if answer is not None:
            status, body = answer()
            return httpx.Response(status, content=json.dumps(body))
        asked = {key: int(value) for key, value in request.url.params.items()}
        if request.url.path.endswith("inclusion"):
            nodes = path(leaves[: asked["size"]], asked["index"])
            return httpx.Response(200, json={"path": [node.hex() for node in nodes]})
        spans = consistency_spans(asked["old"], asked["new"])
        nodes = tuple(root(leaves[first:last]) for first, last in spans)
        return httpx.Response(200, json={"proof": [node.hex() for node in nodes]})

    proofs = Proofs(URL, vault or Vault())
    proofs._http = httpx.AsyncClient(base_url=URL, transport=httpx.MockTransport(respond))
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
    assert vault.find(f"log {URL}") == [40, root(log_of(40)).hex()]


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
