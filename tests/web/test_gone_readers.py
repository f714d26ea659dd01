"""Who goes away in the middle of a request or of its answer leaves nothing open."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from random import Random

import httpx
import pytest
from sqlalchemy import text

from server.database import Transaction
from server.identity.operators import Role
from server.ledger.search import Wanted
from server.main import House
from server.web import books
from server.web.limits import Bounded
from tests.cancelling import PATIENCE_S, assert_all_is_let_go
from tests.ledger.house import broken
from tests.web.test_operator import OPERATOR, operator
from tests.web.wire import bearer, guest, signed_in

PIECE_BYTES = 20_000
LINGER_NOT = struct.pack("ii", 1, 0)
"""A close that is a reset: the peer is gone, not done."""

NEW_GUEST = (
    b"POST /api/v1/guests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b'Content-Length: 14\r\n\r\n{"name":"Anu"}'
)


@pytest.fixture
async def head(house: House, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """A request for a sheet that has no end, each piece of it from the database."""

    async def endless(tx: Transaction, wanted: Wanted) -> AsyncIterator[str]:
        while True:
            query = text("select repeat('x', :length), pg_sleep(0.005)")
            yield (await tx.execute(query, {"length": PIECE_BYTES})).one()[0]

    monkeypatch.setattr(books, "entries_csv", endless)
    token = await operator(house, Role.VIEWER)
    first = f"GET {OPERATOR}/entries.csv HTTP/1.1"
    lines = [first, "Host: x", "Connection: close", f"Authorization: Bearer {token}", "", ""]
    return "\r\n".join(lines).encode()


async def test_readers_who_go_away_at_random_leave_no_transaction_and_room_for_the_next(
    house: House, module_url: str, head: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house.parts, "exports", Bounded(2))
    chance = Random(31)
    for _ in range(12):
        await asyncio.gather(*(_read_some(house, head, chance) for _ in range(2)))
        await _until_free(house)
    await assert_all_is_let_go(house.database, module_url)
    assert await broken(house.database) == []
    async with signed_in(house, await guest(house)) as line:
        assert (await line.ask("table.sit", table=str(house.tables["open"])))["t"] == "ok"


async def _read_some(house: House, head: bytes, chance: Random) -> None:
    """Ask for the sheet and reset the connection: before its first byte, or somewhere in it."""
    port = int(house.url.rsplit(":", 1)[1])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NOT)
    writer.write(head)
    await writer.drain()
    if chance.random() < 0.5:
        for _ in range(chance.randint(1, 8)):
            await reader.read(PIECE_BYTES)
    else:
        await asyncio.sleep(chance.random() / 50)
    writer.transport.abort()


async def _until_free(house: House) -> None:
    """Wait until both sheets that may be read at once are free again."""
    async with asyncio.timeout(PATIENCE_S):
        while house.parts.exports.free < 2:
            await asyncio.sleep(0.01)


async def test_an_answer_that_nobody_waits_for_is_not_begun(
    house: House, module_url: str, head: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The request is whole, and its reader has gone before the first piece is there."""
    monkeypatch.setattr(house.parts, "exports", Bounded(1))

    async def slow(tx: Transaction, wanted: Wanted) -> AsyncIterator[str]:
        await tx.execute(text("select pg_sleep(0.3)"))
        yield "1\r\n"

    monkeypatch.setattr(books, "entries_csv", slow)
    port = int(house.url.rsplit(":", 1)[1])
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head)
    await writer.drain()
    async with asyncio.timeout(PATIENCE_S):
        while house.parts.exports.free:
            await asyncio.sleep(0.001)
    writer.transport.abort()
    async with asyncio.timeout(PATIENCE_S):
        while not house.parts.exports.free:
            await asyncio.sleep(0.01)
    await assert_all_is_let_go(house.database, module_url)


async def test_players_who_go_away_in_the_middle_of_a_command_leave_nothing_open(
    house: House, module_url: str
) -> None:
    chance, table = Random(32), str(house.tables["other"])
    for number in range(12):
        async with signed_in(house, await guest(house)) as line:
            await line.say({"t": "table.sit", "id": f"s{number}", "table": table})
            await asyncio.sleep(chance.random() / 50)
            line.socket.transport.abort()
    port = int(house.url.rsplit(":", 1)[1])
    for _ in range(12):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(NEW_GUEST)
        await asyncio.sleep(chance.random() / 50)
        writer.transport.abort()
    await assert_all_is_let_go(house.database, module_url)
    assert await broken(house.database) == []
    async with signed_in(house, await guest(house)) as line:
        assert (await line.ask("table.watch", table=table))["t"] == "ok"


async def test_a_sheet_that_is_read_to_its_end_is_whole(
    house: House, http: httpx.AsyncClient
) -> None:
    headers = bearer(await operator(house, Role.VIEWER))
    answer = await http.get(f"{OPERATOR}/entries.csv", headers=headers)
    assert answer.status_code == 200
    assert answer.text.startswith("entry,time,")
