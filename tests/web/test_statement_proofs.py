"""The proof of a statement's line over HTTP, checked by hashing alone, up to the signed log."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Iterable
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from server.database import Transaction
from server.fairness.checkpoint import read_checkpoint
from server.fairness.note import key_of
from server.fairness.signing import SigningKey
from server.main import House, running
from server.sealing.sealer import seal_all
from tests.cancelling import PATIENCE_S
from tests.web.conftest import TABLES, settings_of
from tests.web.wire import API, bearer, guest, refused

NEVER_MS = 600_000
ANY_OPEN = text("select pg_snapshot_xmin(s) < pg_snapshot_xmax(s) from pg_current_snapshot() s")


@pytest.fixture(scope="module")
async def house(module_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """A house that seals when a test says so."""
    settings = settings_of(tmp_path_factory.mktemp("home"), module_url, seal_ms=NEVER_MS)
    async with running(settings, catalogue=TABLES) as house:
        yield house


async def seal(house: House) -> int:
    """Seal all that is written: what a transaction of the house's own still holds back, too."""

    async def is_any_open(tx: Transaction) -> bool:
        return bool((await tx.execute(ANY_OPEN)).scalar_one())

    async with asyncio.timeout(PATIENCE_S):
        while await house.database.run(is_any_open):
            await asyncio.sleep(0.01)
    return await seal_all(house.database, SigningKey.from_file(house.home))


async def asked(http: httpx.AsyncClient, token: str, number: object) -> httpx.Response:
    return await http.get(f"{API}/me/statement/{number}/proof", headers=bearer(token))


# --- the check, written from the description alone


def encoded(label: str, *fields: bytes) -> bytes:
    name = b"fairdeal/1/" + label.encode()
    parts = [len(name).to_bytes(2), name, len(fields).to_bytes(2)]
    return b"".join([*parts, *(len(field).to_bytes(4) + field for field in fields)])


def decimal(value: int | None) -> bytes:
    return b"" if value is None else str(value).encode()


def top(leaf: bytes, index: int, size: int, way: Iterable[str]) -> str:
    """Go up from an entry as RFC 9162 section 2.1.3.2 does."""
    at, last, node = index, size - 1, hashlib.sha256(b"\0" + leaf).digest()
    for step in map(bytes.fromhex, way):
        assert last > 0
        if at & 1 or at == last:
            node = hashlib.sha256(b"\1" + step + node).digest()
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            node = hashlib.sha256(b"\1" + node + step).digest()
        at, last = at >> 1, last >> 1
    assert last == 0
    return node.hex()


def check(proof: Any) -> None:
    """Follow a line to its entry, the entry to its seal, the seal to the log's root."""
    line, entry, seal, log = proof["line"], proof["entry"], proof["seal"], proof["log"]
    values = [decimal(line[name]) for name in ("account", "amount", "version", "balance")]
    hidden = encoded(
        "ledger-posting", bytes.fromhex(line["blind"]), line["line"].to_bytes(2), *values
    )
    assert entry["lines"][line["line"] - 1] == hashlib.sha256(hidden).hexdigest()
    names = ("hand", "gross", "commission_bps", "commission", "reverses")
    leaf = encoded(
        "ledger-entry",
        entry["xid"].to_bytes(8),
        entry["id"].to_bytes(8),
        entry["kind"].to_bytes(1),
        *(decimal(entry[name]) for name in names),
        entry["reason"].encode(),
        entry["at_us"].to_bytes(8),
        bytes.fromhex(entry["actor"]),
        *map(bytes.fromhex, entry["lines"]),
    )
    size = seal["entries"] + seal["holds"] + seal["outcomes"]
    assert top(leaf, proof["index"], size, proof["path"]) == seal["root"]
    numbers = ("seq", "xid_from", "xid_to", "entries", "postings", "holds", "outcomes")
    hashes = ("root", "prev_hash", "server_pub", "signature")
    logged = encoded(
        "log-seal",
        *(seal[name].to_bytes(8) for name in numbers),
        *(bytes.fromhex(seal[name]) for name in hashes),
    )
    assert top(logged, log["index"], log["size"], log["path"]) == log["root"]


# --- over the socket


async def test_a_proof_leads_from_the_line_to_the_signed_checkpoint(
    house: House, http: httpx.AsyncClient
) -> None:
    tokens = [await guest(house, name) for name in ("Asha", "Bela", "Chand")]
    assert await seal(house) == 1
    tokens += [await guest(house, "Devi")]
    assert await seal(house) == 1
    key = key_of((await http.get(f"{API}/log")).json()["vkey"])
    signed = read_checkpoint((await http.get(f"{API}/log/checkpoint")).text, key)
    balances = []
    for token in tokens:
        answer = await asked(http, token, 1)
        assert answer.status_code == 200, answer.text
        proof = answer.json()
        check(proof)
        assert (proof["log"]["size"], proof["log"]["root"]) == (signed.size, signed.root.hex())
        assert proof["seal"]["server_pub"] == house.server_pub.hex()
        statement = (await http.get(f"{API}/me/statement", headers=bearer(token))).json()
        (line,) = statement["lines"]
        assert (line["number"], line["seal"]) == (
            str(proof["line"]["version"]),
            proof["seal"]["seq"],
        )
        assert line["entry"] == str(proof["entry"]["id"])
        balances.append(proof["line"]["balance"])
    assert balances == [10_000_000_000] * 4


async def test_a_proof_that_was_changed_does_not_lead_there(
    house: House, http: httpx.AsyncClient
) -> None:
    token = await guest(house)
    await seal(house)
    proof = (await asked(http, token, 1)).json()
    check(proof)
    for part, name in (
        ("line", "amount"),
        ("entry", "at_us"),
        ("seal", "xid_to"),
        ("log", "index"),
    ):
        changed = {**proof, part: {**proof[part], name: proof[part][name] + 1}}
        with pytest.raises(AssertionError):
            check(changed)


async def test_what_can_not_be_proved_is_refused(house: House, http: httpx.AsyncClient) -> None:
    token = await guest(house)
    assert await refused(await asked(http, token, 1)) == (409, "not_sealed", "number")
    await seal(house)
    assert (await asked(http, token, 1)).status_code == 200
    for beyond in (2, 2**53 - 1):  # numbers count one's own lines: nobody else's can be asked for
        assert await refused(await asked(http, token, beyond)) == (404, "unknown_entry", "number")
    for wrong in (0, -1, 2**63, "x"):
        assert await refused(await asked(http, token, wrong)) == (422, "bad_field", "number")
    assert (await http.get(f"{API}/me/statement/1/proof")).status_code == 401
