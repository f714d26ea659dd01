"""A house that is full or late sends newcomers away with 1013 and goes on with its hands."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import cycle

import asyncpg
import pytest
from websockets.exceptions import ConnectionClosed

from server import database
from server.catalogue import CatalogueTable
from server.main import House
from tests.acceptance.guests import NAMES, PATIENT_FIELDS, seated
from tests.acceptance.script import drops
from tests.cancelling import PATIENCE_S
from tests.web.conftest import MakeHouse
from tests.web.wire import guest, line_to, signed_in

TABLES = (
    CatalogueTable(
        key="open", name="Open", options={"seats": 4, "rate": 10_000, "turn_ms": 120_000}
    ),
)
OTHER = "127.0.0.2"
"""An address of this machine that is nobody's the house trusts."""

WELCOME = 0
OVERLOAD = 1013
TOO_FAST = 4429


async def knock(house: House, token: str, *, source: str = "127.0.0.1") -> int:
    """Come to the door and say hello: WELCOME, or the code that closes it."""
    async with line_to(house, source=source) as line:
        with suppress(ConnectionClosed):
            await line.say({"t": "hello", "id": "h", "token": token})
            assert (await line.hear())["t"] == "welcome"
            return WELCOME
        return await line.close_code()


async def knock_until(house: House, token: str, code: int) -> None:
    """Come again and again until it is answered so."""
    async with asyncio.timeout(PATIENCE_S):
        while await knock(house, token) != code:
            await asyncio.sleep(0.05)


@asynccontextmanager
async def commits_hang(database_url: str) -> AsyncIterator[None]:
    """Keep every table from writing while the body runs."""
    connection = await asyncpg.connect(database_url)
    try:
        async with connection.transaction():
            await connection.execute("lock table tables.journal in access exclusive mode")
            yield
    finally:
        await connection.close()


async def test_a_hand_goes_on_to_its_end_in_a_full_house_that_newcomers_knock_at(
    house_with: MakeHouse,
) -> None:
    codes: list[int] = []
    async with house_with(TABLES, sockets_max=len(NAMES), **PATIENT_FIELDS) as house:
        tokens = [await guest(house, name) for name in NAMES]
        newcomer = await guest(house)
        table = str(house.tables["open"])

        async def knock_on() -> None:
            while True:
                codes.append(await knock(house, newcomer))

        async with seated(house.url, table, tokens, drops) as client, asyncio.TaskGroup() as group:
            knocking = [group.create_task(knock_on()) for _ in range(4)]
            await client.until(lambda: bool(client.tables[table].hand.overs) and len(codes) > 8)
            assert client.tables[table].hand.overs[0].end == "closed"
            for one in knocking:
                one.cancel()
    assert set(codes) == {OVERLOAD}


async def test_who_has_a_seat_comes_back_into_a_full_house_and_a_newcomer_does_not(
    house_with: MakeHouse,
) -> None:
    async with house_with(TABLES, sockets_max=10) as house, AsyncExitStack() as stack:
        gateway, player, newcomer = house.parts.gateway, await guest(house), await guest(house)
        async with signed_in(house, player) as line:
            assert (await line.ask("table.sit", table=str(house.tables["open"])))["t"] == "ok"
        async with asyncio.timeout(PATIENCE_S):
            while gateway.open_count:
                await asyncio.sleep(0.01)
        for _ in range(10):
            await stack.enter_async_context(signed_in(house, await guest(house)))
        assert await knock(house, newcomer) == OVERLOAD
        async with signed_in(house, player) as line:
            assert await knock(house, newcomer) == OVERLOAD
            assert (await line.ask("ping"))["t"] == "ok"


async def test_while_commits_hang_newcomers_are_sent_away_and_who_plays_comes_back(
    house_with: MakeHouse, database_url: str
) -> None:
    async with house_with(TABLES, lag_ms=200) as house, AsyncExitStack() as stack:
        table, newcomer = str(house.tables["open"]), await guest(house)
        tokens = [await guest(house) for _ in range(2)]
        first, second = [
            await stack.enter_async_context(signed_in(house, token)) for token in tokens
        ]
        for line in (first, second):
            assert (await line.ask("table.sit", table=table))["t"] == "ok"

        async def go_on() -> None:
            for command in cycle(("table.sit_out", "table.back")):
                await first.ask(command, table=table)

        going = asyncio.create_task(go_on())
        async with commits_hang(database_url):
            await knock_until(house, newcomer, OVERLOAD)
            assert await knock(house, tokens[1]) == WELCOME
        going.cancel()
        await asyncio.wait([going])
        assert (await first.ask("ping"))["t"] == "ok"
        await knock_until(house, newcomer, WELCOME)


async def test_while_the_process_is_late_newcomers_are_sent_away(house_with: MakeHouse) -> None:
    async def hog() -> None:
        while True:
            time.sleep(0.1)
            await asyncio.sleep(0)

    async with house_with(TABLES, lag_ms=20) as house:
        newcomer = await guest(house)
        await knock_until(house, newcomer, WELCOME)
        hogging = asyncio.create_task(hog())
        async with asyncio.timeout(PATIENCE_S):
            while not house.parts.strain.is_over:
                await asyncio.sleep(0)
        assert await knock(house, newcomer) == OVERLOAD
        hogging.cancel()
        await knock_until(house, newcomer, WELCOME)


async def test_a_command_too_many_is_busy_and_one_that_takes_too_long_ends_its_socket(
    house_with: MakeHouse, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for patience in ("LOCK_TIMEOUT_MS", "STATEMENT_TIMEOUT_MS"):  # the first command waits on
        monkeypatch.setattr(database, patience, 300_000)
    limits = {"inbox_max": 2, "command_ms": 3_000}
    async with house_with(TABLES, **limits) as house, AsyncExitStack() as stack:
        table = str(house.tables["open"])
        lines = [
            await stack.enter_async_context(signed_in(house, await guest(house))) for _ in range(4)
        ]
        for line in lines[:3]:
            assert (await line.ask("table.sit", table=table))["t"] == "ok"
        actor = house.host._own.find(house.tables["open"])
        assert actor is not None
        async with commits_hang(database_url):
            for waiting, line in enumerate(lines[:3]):
                await line.say({"t": "table.sit_out", "id": "late", "table": table})
                async with asyncio.timeout(PATIENCE_S):
                    while not actor._is_busy or actor._inbox.qsize() < waiting:
                        await asyncio.sleep(0.001)
            refusal = await lines[3].ask("table.sit", table=table)
            assert refusal["code"] == "busy"
            assert [await line.close_code() for line in lines[:3]] == [OVERLOAD] * 3
        assert (await lines[3].ask("ping"))["t"] == "ok"


async def test_one_address_has_so_many_sockets_and_leaves_room_for_others(
    house_with: MakeHouse,
) -> None:
    async with house_with(address_max=2) as house, AsyncExitStack() as stack:
        token = await guest(house)
        for _ in range(2):
            await stack.enter_async_context(line_to(house, source=OTHER))
        assert await knock(house, token, source=OTHER) == OVERLOAD
        assert await knock(house, token, source="127.0.0.3") == WELCOME


async def test_an_address_that_comes_too_often_is_closed_with_4429(house_with: MakeHouse) -> None:
    async with house_with(requests_burst=3, requests_per_second=1) as house:
        token = await guest(house)
        codes = [await knock(house, token, source=OTHER) for _ in range(3)]
        assert codes == [WELCOME] * 3
        async with asyncio.timeout(PATIENCE_S):
            while await knock(house, token, source=OTHER) != TOO_FAST:
                pass
        assert await knock(house, token, source="127.0.0.3") == WELCOME
