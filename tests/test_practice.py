"""Bots keep a person company: they come when one sits down and get up when nobody is left."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import httpx
import pytest

from server import practice
from server.bots.client import Client
from server.bots.run import Bot
from server.catalogue import CATALOGUE
from server.games import GAMES
from server.main import House, running
from tests.web.conftest import settings_of
from tests.web.wire import API, Line, guest, signed_in

PRACTICE = tuple(one for one in CATALOGUE if one.options.get("practice"))
TABLE = "rummy-practice"
WAIT_S = 240
"""A whole hand's time on the slowest machine: bots get up when theirs is over."""


def test_each_game_has_a_practice_table_and_one_for_people() -> None:
    assert {one.game for one in PRACTICE} == set(GAMES)
    assert {one.game for one in CATALOGUE if not one.options.get("practice")} == set(GAMES)


@pytest.fixture
async def house(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[House]:
    monkeypatch.setattr(practice, "STAY_S", 0.5)
    settings = settings_of(tmp_path, database_url, practice_bots=5, bot_pace_ms=0)
    async with running(settings, catalogue=PRACTICE) as house:
        yield house


async def kinds_at(house: House) -> list[str]:
    async with httpx.AsyncClient(base_url=house.url, trust_env=False) as http:
        table = (await http.get(f"{API}/tables/{house.tables[TABLE]}")).json()
    return sorted(seat["kind"] for seat in table["seats"] if not seat["away"])


async def until_kinds(house: House, wanted: list[str]) -> None:
    async with asyncio.timeout(WAIT_S):
        while await kinds_at(house) != wanted:
            await asyncio.sleep(0.1)


async def test_bots_sit_down_with_a_person_and_get_up_after_it(house: House) -> None:
    table = str(house.tables[TABLE])
    await asyncio.sleep(1)
    assert await kinds_at(house) == []
    async with signed_in(house, await guest(house)) as line:
        assert (await line.ask("table.sit", table=table))["t"] == "ok"
        await until_kinds(house, ["bot", "bot", "bot", "human"])
        await _leave(line, table)
        await until_kinds(house, [])


async def _leave(line: Line, table: str) -> None:
    assert (await line.ask("table.leave", table=table))["t"] == "ok"


@pytest.mark.parametrize("key", [one.key for one in PRACTICE])
async def test_a_person_plays_a_hand_with_bots_to_its_end(house: House, key: str) -> None:
    table = str(house.tables[key])
    client = Client(house.url, await guest(house), Bot(Random(1), 0))
    running_client = asyncio.create_task(client.run())
    watch = await client.sit(table)
    async with asyncio.timeout(WAIT_S):
        await client.until(lambda: any(over.end == "closed" for over in watch.hand.overs))
    assert {one.kind for one in watch.seating.by_seat.values()} == {1, 2}
    assert not running_client.done(), "every check holds"
    running_client.cancel()
    await asyncio.gather(running_client, return_exceptions=True)


async def test_who_comes_back_with_another_client_finds_the_own_seat(house: House) -> None:
    table, token = str(house.tables[TABLE]), await guest(house)
    places = []
    for _ in range(2):
        client = Client(house.url, token, Bot(Random(1), 60_000))
        running_client = asyncio.create_task(client.run())
        watch = await client.sit(table)
        async with asyncio.timeout(WAIT_S):
            while watch.seating.me is None:
                await asyncio.sleep(0.02)
        places.append(watch.seating.me)
        running_client.cancel()
        await asyncio.gather(running_client, return_exceptions=True)
    assert places[0] == places[1]
