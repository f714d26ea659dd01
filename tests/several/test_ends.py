"""Tables that close, and tables between two owners, where no word between processes arrives."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import pytest

from server.cards.game import SeatKind
from server.database import Database, TableId
from server.errors import Refusal
from server.tables import service
from server.tables.commands import Reply, Request, Sit
from server.tables.host import TableHost
from server.tables.work import Parts
from tests.several.conftest import open_tables, until
from tests.tables.conftest import NewPlayer
from tests.tables.mirroring import Watcher

StartDeaf = Callable[[str], Awaitable[TableHost]]


@pytest.fixture
async def start_deaf(database: Database, parts: Parts) -> AsyncIterator[StartDeaf]:
    """Start a process that hears of no other but by the database, and looks when it is told to."""
    async with AsyncExitStack() as stack:

        async def start(owner: str) -> TableHost:
            host = TableHost(database=database, parts=parts, owner=owner, lease_ms=600_000)
            await host.start()
            stack.push_async_callback(host.stop)
            return host

        yield start


async def _closed_by(host: TableHost, table: TableId, database: Database) -> None:
    await database.run(lambda tx: service.ask_to_close(tx, table, drain=False))
    await host.tend_tables()
    await until(lambda: not host.summaries())


def _refusal_of(host: TableHost, table: TableId) -> str:
    with pytest.raises(Refusal) as refused:
        host.state_of(table)
    return refused.value.code


def _assert_told_of_the_end(watcher: Watcher) -> None:
    watcher.assert_dense()
    assert len(watcher.events("table.closed")) == 1


async def test_who_looks_on_from_elsewhere_hears_of_the_end_though_its_packet_was_lost(
    database: Database, start_deaf: StartDeaf
) -> None:
    (table,) = await open_tables(database, 1)
    one, two = await start_deaf("one"), await start_deaf("two")
    watcher = Watcher(None)
    two.watch(table, watcher, None)
    await _closed_by(one, table, database)
    assert watcher.events("table.closed") == []
    await two.tend_tables()
    _assert_told_of_the_end(watcher)
    assert _refusal_of(two, table) == "table_closed"
    await two.tend_tables()
    _assert_told_of_the_end(watcher)


async def test_a_table_that_was_given_up_and_closed_by_the_next_owner_is_no_riddle(
    database: Database, start_deaf: StartDeaf
) -> None:
    (table,) = await open_tables(database, 1)
    one, two = await start_deaf("one"), await start_deaf("two")
    watcher = Watcher(None)
    one.watch(table, watcher, None)
    await one._own.release([table])
    await two.tend_tables()
    await _closed_by(two, table, database)
    assert _refusal_of(one, table) == "busy"
    await one.tend_tables()
    _assert_told_of_the_end(watcher)
    assert _refusal_of(one, table) == "table_closed"


async def test_leases_are_given_up_though_the_process_stops_while_it_hands_tables_on(
    database: Database, start_deaf: StartDeaf
) -> None:
    tables = await open_tables(database, 2)
    one = await start_deaf("one")
    handing = asyncio.create_task(one._own.release(tables))
    await asyncio.sleep(0)
    handing.cancel()
    await asyncio.gather(handing, return_exceptions=True)
    await one.stop()
    found = await database.run(service.open_tables)
    assert [table.owner for table in found] == [None, None]


async def test_what_was_done_while_the_table_went_elsewhere_is_answered_when_it_is_seen_again(
    database: Database,
    start_deaf: StartDeaf,
    new_player: NewPlayer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (table,) = await open_tables(database, 1)
    one, two = await start_deaf("one"), await start_deaf("two")
    done = asyncio.Event()
    reply = Reply(True, 1)

    async def elsewhere(table: TableId, request: Request) -> Reply:
        await one._own.release([table])
        await two.tend_tables()
        done.set()
        return reply

    monkeypatch.setattr(one._forwarding, "send", elsewhere)
    one._own._served[table].actor._is_stopping = True
    player = await new_player()

    async def sit_and_watch() -> Reply:
        sit = Sit(None, "Asha", SeatKind.HUMAN)
        answered = await one.send(table, Request(player, "once", b"", sit))
        one.watch(table, Watcher(player), None)
        return answered

    sitting = asyncio.create_task(sit_and_watch())
    await done.wait()
    await one.tend_tables()
    assert await sitting == reply
