"""The limits of a connection that is no socket: each is reached, by a peer that goes too far."""

import asyncio
import resource
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx
import pytest
from sqlalchemy import text

from server.database import Transaction
from server.identity import passwords
from server.identity.operators import Role
from server.ledger.search import Wanted
from server.main import House
from server.web import books
from server.web.listening import FILES_BESIDE
from tests.cancelling import assert_all_is_let_go
from tests.web.conftest import MakeHouse
from tests.web.raw import connected
from tests.web.test_operator import OPERATOR, operator
from tests.web.wire import API, WAIT_S, bearer, guest, refused, signed_in

OTHER = "127.0.0.2"
"""An address of this machine that is nobody's the house trusts."""

ALIVE = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


def client(house: House, *, source: str = "127.0.0.1") -> httpx.AsyncClient:
    transport = httpx.AsyncHTTPTransport(local_address=source)
    return httpx.AsyncClient(base_url=house.url, transport=transport, timeout=WAIT_S)


async def test_a_head_that_does_not_come_or_comes_in_crumbs_is_given_up(
    house_with: MakeHouse,
) -> None:
    async with house_with(head_ms=1_000) as house:
        async with connected(house) as silent:
            assert await silent.all() == b""
        async with connected(house) as crumbs:
            closed = asyncio.create_task(crumbs.all())
            crumbs.writer.write(b"GET /")
            while not closed.done():
                crumbs.writer.write(b"a")
                await asyncio.sleep(0.05)
            assert await closed == b""
        async with connected(house) as second:
            await second.say(ALIVE)
            assert b" 200 " in await second.reader.readuntil(b"}")
            await second.say(ALIVE[:10])
            assert await second.all() == b""


async def test_a_body_that_does_not_come_is_given_up(house_with: MakeHouse) -> None:
    head = f"POST {API}/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n"
    async with house_with(body_ms=400) as house, connected(house) as slow:
        await slow.say(f"{head}Connection: close\r\n\r\n".encode() + b"{")
        assert await slow.refusal() == (408, "too_slow")


async def test_one_more_connection_than_the_house_takes_is_refused_and_sockets_live_on(
    house_with: MakeHouse,
) -> None:
    async with (
        house_with(connections_max=8) as house,
        signed_in(house, await guest(house)) as line,
        AsyncExitStack() as stack,
    ):
        for _ in range(8):
            last = await stack.enter_async_context(connected(house))
            await last.say(ALIVE[:10])
        async with connected(house) as one_more:
            assert await one_more.refusal() == (503, "busy")
        assert (await line.ask("ping"))["t"] == "ok"
        last.writer.transport.abort()
        while True:
            async with connected(house) as next_one:
                await next_one.say(ALIVE.replace(b"x\r\n", b"x\r\nConnection: close\r\n"))
                if b" 200 " in await next_one.all():
                    break


async def test_one_address_takes_so_many_connections_and_leaves_room_for_others(
    house_with: MakeHouse,
) -> None:
    async with house_with(address_max=3) as house, AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(connected(house, source=OTHER))
        async with connected(house, source=OTHER) as one_more:
            assert await one_more.refusal() == (503, "busy")
        async with client(house, source="127.0.0.3") as elsewhere:
            assert (await elsewhere.get("/healthz")).status_code == 200


async def test_a_house_may_open_as_many_files_as_it_takes_connections(
    house_with: MakeHouse,
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        async with house_with(sockets_max=100, connections_max=50):
            now, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
            assert now == 100 + 10 + 50 + FILES_BESIDE
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def endless(tx: Transaction, wanted: Wanted) -> AsyncIterator[str]:
    """A sheet that has no end."""
    while True:
        yield (await tx.execute(text("select repeat('x', 100000)"))).scalar_one()


async def test_a_reader_of_an_answer_who_reads_nothing_is_cut_off_and_lets_the_database_go(
    house_with: MakeHouse, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(books, "entries_csv", endless)
    async with house_with(reader_ms=3_000, exports_max=1) as house, connected(house) as stalled:
        headers = bearer(await operator(house, Role.VIEWER))
        stalled.writer.transport.pause_reading()  # type: ignore[attr-defined]  # it reads, too
        ask = f"GET {OPERATOR}/entries.csv HTTP/1.1\r\nHost: x\r\n"
        await stalled.say(f"{ask}Authorization: {headers['Authorization']}\r\n\r\n".encode())
        async with client(house) as http, asyncio.timeout(WAIT_S):
            while house.parts.exports.free:
                await asyncio.sleep(0.01)
            answer = await http.get(f"{OPERATOR}/entries.csv", headers=headers)
            assert await refused(answer) == (429, "slow_down", None)
            while not house.parts.exports.free:
                await asyncio.sleep(0.05)
        await assert_all_is_let_go(house.database, database_url)


async def test_one_more_request_than_can_be_worked_on_is_refused_and_watchers_are_not(
    house_with: MakeHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    come, go = asyncio.Event(), asyncio.Event()

    async def waits(tx: Transaction, wanted: Wanted) -> AsyncIterator[str]:
        come.set()
        await go.wait()
        yield "1\r\n"

    monkeypatch.setattr(books, "entries_csv", waits)
    async with house_with(requests_max=1) as house, client(house) as http:
        headers = bearer(await operator(house, Role.VIEWER))
        first = asyncio.create_task(http.get(f"{OPERATOR}/entries.csv", headers=headers))
        await come.wait()
        assert await refused(await http.get(f"{API}/tables")) == (503, "busy", None)
        for path in ("/healthz", "/readyz", "/metrics"):
            assert (await http.get(path)).status_code == 200
        go.set()
        assert (await first).text == "1\r\n"
        assert (await http.get(f"{API}/tables")).status_code == 200


async def test_passwords_wait_for_their_turn_and_one_more_than_may_wait_is_refused(
    house_with: MakeHouse,
) -> None:
    release = threading.Event()
    async with house_with(passwords_max=1, passwords_waiting_max=1) as house, client(house) as http:

        def come(name: str) -> asyncio.Task[httpx.Response]:
            body = {"name": name, "password": "eight or more"}
            return asyncio.create_task(http.post(f"{API}/accounts", json=body))

        busy = [passwords._threads.submit(release.wait, WAIT_S) for _ in range(2)]
        try:
            patient = [come("Asha"), come("Bela")]
            while house.parts.passwords.room:
                await asyncio.sleep(0.01)
            assert await refused(await come("Chand")) == (429, "slow_down", None)
            async with asyncio.timeout(WAIT_S / 2):
                while house.database.in_use > 1:  # who waits for a turn keeps no connection
                    await asyncio.sleep(0.01)
        finally:
            release.set()
        assert [(await one).status_code for one in patient] == [201, 201]
        assert all(one.result() for one in busy)


async def test_a_player_who_asks_too_often_is_refused_wherever_it_asks_from(
    house_with: MakeHouse,
) -> None:
    async with house_with(requests_burst=5, requests_per_second=1) as house:
        asha, bela = [bearer(await guest(house)) for _ in range(2)]
        async with client(house) as here, client(house, source=OTHER) as there:
            answers = [await here.get(f"{API}/me", headers=asha) for _ in range(20)]
            late = next(answer for answer in answers if answer.status_code != 200)
            assert await refused(late) == (429, "slow_down", None)
            both = [await one.get(f"{API}/me", headers=asha) for one in (here, there) * 5]
            assert 429 in {answer.status_code for answer in both[1::2]}
            assert (await here.get(f"{API}/me", headers=bela)).status_code == 200


async def test_what_our_own_proxy_says_of_addresses_is_believed_and_nobody_elses_word(
    house_with: MakeHouse,
) -> None:
    async with (
        house_with(trusted_proxies=(OTHER,), requests_burst=3, requests_per_second=1) as house,
        client(house, source=OTHER) as proxy,
        client(house, source="127.0.0.3") as other,
    ):

        async def asked(http: httpx.AsyncClient, of: str) -> int:
            return (await http.get("/healthz", headers={"X-Forwarded-For": of})).status_code

        assert [await asked(proxy, "203.0.113.1") for _ in range(3)] == [200] * 3
        spoofed = [await asked(proxy, f"198.51.100.{n}, 203.0.113.1") for n in range(20)]
        assert 429 in spoofed
        assert await asked(proxy, "203.0.113.2") == 200
        assert await asked(proxy, "not an address: at all") == 200
        claims = [await asked(other, f"203.0.113.{n}") for n in range(3, 23)]
        assert 429 in claims
