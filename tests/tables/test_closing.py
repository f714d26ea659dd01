"""Closing a table: each hand number has one end in the public log, whatever was going on."""

import asyncio

import pytest
from sqlalchemy import text

from server.database import Database, HandId, TableId, Transaction
from server.fairness.seal import Sealer
from server.tables import service
from server.tables.commands import CloseTable, Request, VoidHand
from server.tables.host import TableHost
from server.tables.state import HOUSE
from tests.tables.company import Program
from tests.tables.conftest import NewPlayer, OpenTable
from tests.tables.policies import drop, idle
from tests.tables.sessions import assert_ledger_holds, balances, seated, stop_all


def close(*, drain: bool) -> Request:
    return Request(HOUSE, f"close {drain}", b"", CloseTable(drain))


async def ends_of(database: Database, table: TableId) -> list[tuple[int, str]]:
    """List (hand, kind of end) as the journal has them."""

    async def work(tx: Transaction) -> list[tuple[int, str]]:
        rows = await tx.execute(
            text(
                "select hand_id, fact->>'fact' as kind from tables.journal where table_id = :table"
                " and fact->>'fact' in ('hand_closed', 'hand_cancelled') order by seq"
            ),
            {"table": table},
        )
        return [(row.hand_id, row.kind) for row in rows]

    return await database.run(work)


async def demand_one_end_each(database: Database, table: TableId) -> None:
    ends = await ends_of(database, table)
    assert len({hand for hand, _ in ends}) == len(ends) > 0
    await assert_ledger_holds(database)


async def test_a_drain_in_the_commits_that_nobody_gives_cancels_once(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = [Program(host, table, await new_player(), idle, commits=False) for _ in range(4)]
    for program in programs:
        assert (await program.sit()).ok
    await programs[0].until("deal.phase")
    assert (await host.send(table, close(drain=True))).ok
    await programs[0].until("table.closed")
    await stop_all(programs)
    await demand_one_end_each(database, table)


@pytest.mark.usefixtures("patient")
async def test_a_drain_and_then_a_void_cancel_once(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle, idle, idle, idle)
    await programs[0].until("turn")
    assert (await host.send(table, close(drain=True))).ok
    hand = HandId(int(programs[0].opened["hand_id"]))
    void = Request(HOUSE, "void", b"", VoidHand(hand, "op", "a test"))
    assert (await host.send(table, void)).ok
    await programs[0].until("table.closed")
    await stop_all(programs)
    await demand_one_end_each(database, table)


@pytest.mark.usefixtures("patient")
async def test_closing_now_voids_the_hand_in_play_and_takes_nobody_more(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle, idle, idle, idle)
    await programs[0].until("turn")
    assert (await host.send(table, close(drain=False))).ok
    await programs[0].until("table.closed")
    assert programs[0].heard("hand.voided")[0]["reason"] == 2
    await stop_all(programs)
    await demand_one_end_each(database, table)
    assert host.summaries() == ()


@pytest.mark.usefixtures("patient")
async def test_a_drained_table_plays_its_hand_to_the_end(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle, idle, idle, idle)
    seat = (await programs[0].until("turn"))["seats"][0]
    asked = service.ask_to_close
    await database.run(lambda tx: asked(tx, table, drain=True))
    await programs[0].until("table.closing")
    for program in programs:
        program.policy = drop
    await drop(programs[seat])
    await programs[0].until("hand.closed")
    await programs[0].until("table.closed")
    await stop_all(programs)
    await demand_one_end_each(database, table)


async def test_a_hand_whose_seed_cannot_be_opened_is_given_up_and_released(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    parts = host._parts
    sealed = parts.sealer
    programs = await seated(host, table, new_player, idle, idle, idle)
    object.__setattr__(parts, "sealer", Sealer(bytes(32)))  # as if the key were lost while it runs
    last = Program(host, table, await new_player(), idle)
    assert (await last.sit()).ok
    cancelled = await programs[0].until("hand.cancelled")
    object.__setattr__(parts, "sealer", sealed)
    await stop_all([*programs, last])
    assert cancelled["reason"] == 3
    async with asyncio.timeout(30):  # who was still there may have been held for the next hand
        while any(held for _, held in await balances(database, programs)):
            await asyncio.sleep(0.05)
    await demand_one_end_each(database, table)
