"""The public log over HTTP, as anybody may follow it."""

from typing import Any

import httpx
import pytest

from server.fairness.checkpoint import Checkpoint, read_checkpoint
from server.fairness.merkle import consistency_spans, leaf_hash, path, root
from server.fairness.note import NoteKey, key_of
from server.main import House
from tests.conftest import execute
from tests.web.wire import API, refused


async def get(http: httpx.AsyncClient, path: str) -> Any:
    answer = await http.get(f"{API}/log{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def key_at(http: httpx.AsyncClient) -> NoteKey:
    return key_of((await get(http, ""))["vkey"])


async def checkpoint_at(http: httpx.AsyncClient) -> Checkpoint:
    answer = await http.get(f"{API}/log/checkpoint")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    return read_checkpoint(answer.text, await key_at(http))


async def leaves_at(http: httpx.AsyncClient) -> list[bytes]:
    page = await get(http, "/entries")
    return [leaf_hash(bytes.fromhex(row["entry"])) for row in page["entries"]]


async def test_4_the_logs_key_is_named_by_its_origin_and_shown_at_both_doors(
    house: House, http: httpx.AsyncClient
) -> None:
    about = await get(http, "")
    key = key_of(about["vkey"])
    assert about["origin"] == key.name == "localhost/fairdeal-1"
    assert (await http.get("/")).json()["log_key"] == about["vkey"]
    assert key.public != house.server_pub
    assert about["size"] == len(house.tables)


async def test_4_the_checkpoint_is_of_the_entries_that_anybody_can_fetch(
    house: House, http: httpx.AsyncClient
) -> None:
    leaves = await leaves_at(http)
    signed = await checkpoint_at(http)
    assert signed == Checkpoint("localhost/fairdeal-1", len(house.tables), root(leaves))


async def test_4_proofs_of_every_entry_and_every_size_are_those_of_the_tree(
    house: House, http: httpx.AsyncClient
) -> None:
    leaves = await leaves_at(http)
    for size in range(1, len(leaves) + 1):
        for index in range(size):
            proof = await get(http, f"/inclusion?index={index}&size={size}")
            assert proof["path"] == [node.hex() for node in path(leaves[:size], index)]
        for old in range(1, size + 1):
            proof = await get(http, f"/consistency?old={old}&new={size}")
            spans = consistency_spans(old, size)
            assert proof["proof"] == [root(leaves[first:last]).hex() for first, last in spans]


async def test_entries_are_paged_by_their_index(house: House, http: httpx.AsyncClient) -> None:
    seen: list[int] = []
    after = ""
    while True:
        page = await get(http, f"/entries?limit=3{after}")
        seen += [row["index"] for row in page["entries"]]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert seen == list(range(len(house.tables)))
    beyond = await get(http, f"/entries?after={2**53 - 1}")
    assert beyond == {"entries": [], "next": None}


@pytest.mark.parametrize(
    ("wrong", "status", "code", "field"),
    [
        ("/consistency?old=0&new=1", 422, "bad_field", "old"),
        ("/consistency?old=2&new=1", 404, "no_such_entry", "new"),
        ("/consistency?old=1&new=9999", 404, "no_such_entry", "new"),
        ("/entries?limit=101", 422, "bad_field", "limit"),
        ("/entries?after=-1", 422, "bad_field", "after"),
        (f"/entries?after={2**63}", 422, "bad_field", "after"),
    ],
)
async def test_19_what_the_log_can_not_prove_is_refused(
    http: httpx.AsyncClient, wrong: str, status: int, code: str, field: str
) -> None:
    assert await refused(await http.get(f"{API}/log{wrong}")) == (status, code, field)


async def test_19_an_empty_log_has_no_checkpoint(
    http: httpx.AsyncClient, module_url: str, house: House
) -> None:
    off, on = (
        f"alter table fairness.log_head {way} trigger log_head_grows"
        for way in ("disable", "enable")
    )
    execute(module_url, off, "update fairness.log_head set size = 0")
    try:
        answer = await http.get(f"{API}/log/checkpoint")
        assert (await get(http, ""))["root"] is None
    finally:
        execute(module_url, f"update fairness.log_head set size = {len(house.tables)}", on)
    assert await refused(answer) == (404, "no_such_checkpoint", None)
    assert (await checkpoint_at(http)).size == len(house.tables)
