"""What the log tells of a stop: how much there was to end, and how it went."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack

import asyncpg
import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from server import database
from server.database import Transaction
from server.main import House
from server.tables import lease, own
from tests.web.conftest import TABLES, MakeHouse
from tests.web.wire import guest, signed_in

BEGIN = {"event", "log_level", "process", "tables", "sockets"}
END = {"event", "log_level", "process", "given_up", "tables_cut", "sockets_cut", "took_ms"}
WAITS = """
    select count(*) from pg_locks where not granted and relation = 'tables.journal'::regclass
"""


def _said(lines: Sequence[EventDict], house: House) -> tuple[EventDict, EventDict]:
    begin, end = (line for line in lines if line["event"] in {"draining", "drained"})
    assert (set(begin), set(end)) == (BEGIN, END)
    assert {begin["process"], end["process"]} == {house.host.messenger.owner}
    assert end["took_ms"] >= 0
    return begin, end


async def test_a_stop_says_how_much_there_is_to_end_and_then_how_much_was_given_up(
    house_with: MakeHouse,
) -> None:
    async with AsyncExitStack() as stack:
        with capture_logs() as lines:
            async with house_with(drain_ms=60_000) as house:
                line = await stack.enter_async_context(signed_in(house, await guest(house, "Zoya")))
                sat = await line.ask("table.sit", table=str(house.tables["open"]))
                assert sat["t"] == "ok"
                sockets = house.parts.gateway.open_count
            begin, end = _said(lines, house)
        assert await line.close_code() == 1012
    assert (begin["tables"], begin["sockets"]) == (len(TABLES), sockets)
    assert (end["log_level"], end["given_up"]) == ("info", len(TABLES))
    assert (end["tables_cut"], end["sockets_cut"]) == (0, 0)
    assert "Zoya" not in str((begin, end))


async def test_a_stop_warns_of_the_sockets_that_it_had_to_cut(house_with: MakeHouse) -> None:
    async with AsyncExitStack() as stack:
        with capture_logs() as lines:
            async with house_with(drain_ms=0) as house:  # nobody is waited for
                await stack.enter_async_context(signed_in(house, await guest(house)))
            _, end = _said(lines, house)
    assert (end["log_level"], end["sockets_cut"]) == ("warning", 1)


async def test_a_stop_warns_of_a_command_that_it_could_not_finish(
    house_with: MakeHouse, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocker = await asyncpg.connect(database_url)
    given_up = lease.give_up_all

    async def noted(tx: Transaction, *, owner: str) -> int:
        await blocker.execute("rollback")  # the stop has waited long enough
        return await given_up(tx, owner=owner)

    monkeypatch.setattr(lease, "give_up_all", noted)
    monkeypatch.setattr(own, "STOP_WAIT_S", 0.1)
    for patience in ("LOCK_TIMEOUT_MS", "STATEMENT_TIMEOUT_MS"):  # the command waits on and on
        monkeypatch.setattr(database, patience, 300_000)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(blocker.close)
        with capture_logs() as lines:
            async with house_with() as house:
                line = await stack.enter_async_context(signed_in(house, await guest(house)))
                await blocker.execute("begin")
                await blocker.execute("lock table tables.journal in access exclusive mode")
                table = str(house.tables["open"])
                await line.say({"t": "table.sit", "id": "s", "table": table})
                async with asyncio.timeout(30):
                    while not await blocker.fetchval(WAITS):
                        await asyncio.sleep(0.02)
            _, end = _said(lines, house)
    assert (end["log_level"], end["tables_cut"]) == ("warning", 1)
    assert end["given_up"] == len(TABLES)
