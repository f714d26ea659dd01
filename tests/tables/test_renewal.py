"""A hand that may not go on is given up when its table is taken up, in another stream."""

import asyncio
from dataclasses import replace

import pytest

from server.database import Database, TableId
from server.fairness.entries import CancelReason, VoidReason
from server.tables import renewal
from server.tables.commands import CloseTable
from server.tables.host import TableHost
from server.tables.state import HOUSE, Playing, TableState, Waiting
from server.tables.work import Parts
from tests.tables.company import Program
from tests.tables.conftest import NewPlayer, OpenTable, let_leases_run_out, make_host
from tests.tables.policies import drop, idle
from tests.tables.sessions import (
    assert_ledger_holds,
    assert_record_holds,
    balances,
    seated,
    stop_all,
)
from tests.tables.test_recovery import die


@pytest.fixture
def parts(parts: Parts) -> Parts:
    """Long phases: on a busy machine a seat that is late would sit out, and no hand be played."""
    return replace(parts, clocks=replace(parts.clocks, commit_ms=20_000, reveal_ms=20_000))


async def marked_and_taken_up(
    database: Database, parts: Parts, host: TableHost, tables: int = 1
) -> TableHost:
    """End a house as SIGKILL would, mark its tables, and start another, which need not wait."""
    await die(host)
    assert await database.run(renewal.mark_all) == tables
    again = make_host(database, parts, owner="two")
    await again.start()
    return again


def opened_no(state: TableState) -> int:
    assert state.opened is not None
    return state.opened.hand_no


def come_back(host: TableHost, table: TableId, program: Program) -> Program:
    """Come to a host by resume, and do nothing there."""
    last = program.frames[-1]
    back = Program(host, table, program.id, idle)
    host.watch(table, back, (last["seq"], last["stream"]))
    return back


async def test_a_marked_table_gives_its_hand_up_and_plays_the_next(
    database: Database, parts: Parts, open_table: OpenTable, host: TableHost, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle, idle, idle, idle)
    await programs[0].until("turn")
    assert all(held > 0 for _, held in await balances(database, programs))
    await stop_all(programs)
    again = await marked_and_taken_up(database, parts, host)
    after = again.state_of(table)
    assert opened_no(after) == 2
    assert after.stream > 1
    assert await balances(database, programs) == [(0, 0)] * 4
    back = come_back(again, table, programs[0])
    assert [frame["t"] for frame in back.frames] == ["snapshot"]
    assert back.frames[0]["stream"] == after.stream
    for program in programs:
        program.host, program.policy = again, drop
        again.here(program.id)
        again.watch(table, program, None)
    tasks = [asyncio.create_task(program.live()) for program in programs]
    closed = await programs[0].until("hand.closed")
    for task in tasks:
        task.cancel()
    assert closed["hand"] == 2
    await assert_record_holds(database, parts, closed)
    await assert_ledger_holds(database)
    await stop_all(programs)
    await again.stop()


async def test_what_became_of_the_hand_is_in_its_journal_and_happens_once(
    database: Database, parts: Parts, open_table: OpenTable, host: TableHost, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle, idle, idle, idle)
    await programs[0].until("turn")
    await stop_all(programs)
    again = await marked_and_taken_up(database, parts, host)
    late = Program(again, table, programs[0].id, idle)
    state = again.state_of(table)
    again.watch(table, late, (0, state.stream))
    (voided,), (cancelled,) = late.heard("hand.voided"), late.heard("hand.cancelled")
    assert (voided["reason"], cancelled["reason"]) == (VoidReason.SERVER, CancelReason.AFTER_VOID)
    await die(again)
    await let_leases_run_out(database)
    third = make_host(database, parts, owner="three")
    async with asyncio.timeout(60):
        await third.start()
        while not third.summaries():
            await asyncio.sleep(0.05)
    assert opened_no(third.state_of(table)) == 2
    assert third.state_of(table).stream == state.stream
    await third.stop()


async def test_a_hand_that_nobody_was_listed_for_is_cancelled(
    database: Database, parts: Parts, open_table: OpenTable, host: TableHost, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle)
    assert isinstance(host.state_of(table).phase, Waiting)
    again = await marked_and_taken_up(database, parts, host)
    late = Program(again, table, programs[0].id, idle)
    again.watch(table, late, (0, again.state_of(table).stream))
    assert late.heard("hand.voided") == []
    assert [one["reason"] for one in late.heard("hand.cancelled")] == [CancelReason.TOO_FEW_SEATS]
    assert opened_no(again.state_of(table)) == 2
    assert await balances(database, programs) == [(0, 0)]
    await stop_all(programs)
    await again.stop()


async def test_a_marked_table_that_was_to_close_after_its_hand_is_closed(
    database: Database, parts: Parts, open_table: OpenTable, host: TableHost, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle, idle, idle, idle)
    await programs[0].until("turn")
    house = programs[0].request(CloseTable(drain=True))
    assert (await host.send(table, type(house)(HOUSE, house.id, house.digest, house.command))).ok
    assert isinstance(host.state_of(table).phase, Playing)
    await stop_all(programs)
    again = await marked_and_taken_up(database, parts, host)
    assert await balances(database, programs) == [(0, 0)] * 4
    await assert_ledger_holds(database)
    async with asyncio.timeout(60):
        while again.summaries():
            await asyncio.sleep(0.05)
    assert await database.run(renewal.mark_all) == 0
    await again.stop()
