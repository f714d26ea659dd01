"""Two processes of one house, of which one has a clock an hour wrong: a table goes from one to the
other in mid-hand, and nobody loses time or is put out.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from random import Random
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from server.bots.client import Client, Move
from server.bots.table_watch import TableWatch
from server.database import Database
from server.embedded import EmbeddedValkey
from server.tables.service import get_table, open_table
from tests.acceptance.guests import NAMES, PATIENT
from tests.acceptance.script import Scripted, drops
from tests.acceptance.served import HTTP_S, Served, home_folder, new_guest, wait_for_table
from tests.acceptance.test_wrong_clock import HOUR_S, LIBRARIES, PLAY_S, SLACK_S

OPTIONS = {"seats": 4, "min_players": 4, "rate": 10_000, "turn_ms": 60_000, "miss_limit": 1}

pytestmark = pytest.mark.skipif(not LIBRARIES, reason="libfaketime is not installed")


@dataclass(frozen=True)
class Pair:
    """Two processes; the clock of `wrong` is an hour ahead."""

    right: Served
    wrong: Served


class Waiting(Scripted):
    """A player who drops, but not before it may."""

    def __init__(self, may: asyncio.Event, random: Random) -> None:
        super().__init__(random, drops)
        self._may = may

    async def choose(self, watch: TableWatch) -> Move:
        """Wait, then choose."""
        await self._may.wait()
        return await super().choose(watch)


@pytest.fixture
async def pair(database_url: str) -> AsyncIterator[Pair]:
    """Both processes, not started yet, on one folder, one database and one Valkey."""
    with home_folder() as home:
        valkey = await asyncio.to_thread(EmbeddedValkey.start)
        clock = home / "clock"
        clock.write_text("+1h")
        settings = PATIENT | {
            "DATABASE_URL": database_url,
            "REDIS_URL": valkey.url,
            "PAKKA_LEASE_MS": "20000",
            "PAKKA_PRACTICE_BOTS": "0",
        }
        lie = {
            "LD_PRELOAD": str(LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(clock),
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }
        pair = Pair(Served(home, settings), Served(home, settings | lie))
        try:
            yield pair
        finally:
            for served in (pair.right, pair.wrong):
                await asyncio.to_thread(served.stop)
            await asyncio.to_thread(valkey.stop)


async def _until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PLAY_S):
        while not await condition():
            await asyncio.sleep(0.1)


async def _off_s(served: Served) -> float:
    async with httpx.AsyncClient(base_url=served.url, timeout=HTTP_S, trust_env=False) as http:
        date = (await http.get("/healthz")).headers["date"]
    return parsedate_to_datetime(date).timestamp() - time.time()


async def _facts(database: Database, table: str) -> list[tuple[dict[str, Any], int]]:
    """Read what a table wrote, and when by the database's clock."""
    query = text(
        "select fact::text as fact, (extract(epoch from at) * 1000)::bigint as at_ms"
        f" from tables.journal where table_id = '{table}' order by seq"
    )
    rows = await database.run(lambda tx: tx.execute(query))
    return [(json.loads(row.fact), row.at_ms) for row in rows]


async def test_a_table_goes_to_a_process_an_hour_ahead_and_nobody_loses_time_or_is_put_out(
    pair: Pair, database: Database
) -> None:
    await asyncio.to_thread(pair.right.start)
    async with database.transaction() as tx:
        table = await open_table(tx, game="rummy", options=OPTIONS, name="By two clocks")
    await wait_for_table(pair.right, str(table))
    await asyncio.to_thread(pair.wrong.start)
    await wait_for_table(pair.wrong, str(table))
    assert abs(await _off_s(pair.right)) < SLACK_S
    assert abs(await _off_s(pair.wrong) - HOUR_S) < SLACK_S

    async def is_run_by(pid: int) -> bool:
        owner = (await database.run(lambda tx: get_table(tx, table))).owner
        return owner is not None and f":{pid}:" in owner

    async def is_dealt() -> bool:
        return any(fact["fact"] == "dealt" for fact, _ in await _facts(database, str(table)))

    tokens = [await new_guest(pair.wrong.url, name) for name in NAMES]
    may = asyncio.Event()
    clients = [Client(pair.wrong.url, token, Waiting(may, Random(token))) for token in tokens]
    async with asyncio.TaskGroup() as group:
        running = [group.create_task(client.run()) for client in clients]
        for client in clients:
            await client.sit(str(table))
        await _until(is_dealt)
        assert await is_run_by(pair.right.pid)
        await asyncio.to_thread(pair.right.stop)
        await _until(lambda: is_run_by(pair.wrong.pid))
        may.set()
        watch = clients[0].tables[str(table)]
        async with asyncio.timeout(PLAY_S):
            await clients[0].until(lambda: bool(watch.hand.overs))
        facts = await _facts(database, str(table))  # before their sockets close: then they are away
        for task in running:
            task.cancel()
    assert watch.hand.overs[0].end == "closed"
    _nobody_lost_anything(facts)


def _nobody_lost_anything(facts: list[tuple[dict[str, Any], int]]) -> None:
    names = [fact["fact"] for fact, _ in facts]
    assert "seat_changed" not in names, "somebody was put out"
    moves = [fact["line"] for fact, _ in facts if fact["fact"] == "moved"]
    assert [line.split()[1:] for line in moves] == [["drop"]] * 3, "none is the clock's"
    given = [fact for fact, _ in facts if fact["fact"] == "time_given_back"]
    assert all(0 < fact["ms"] < SLACK_S * 1_000 for fact in given)
    in_play = names.index("dealt")
    for (fact, at_ms), (_, before_ms) in zip(facts[1:], facts, strict=False):
        assert 0 <= at_ms - before_ms < SLACK_S * 1_000
        assert abs(fact.get("at_ms", at_ms) - at_ms) < SLACK_S * 1_000
    assert "time_given_back" not in names[:in_play]
