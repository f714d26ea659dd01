"""Whole hands at a real table: entropy, deal, play, settlement, record."""

import pytest

from server.database import Database
from server.fairness.record import read_record
from server.tables.host import TableHost
from server.tables.work import Parts
from tests.tables.conftest import NewPlayer, OpenTable
from tests.tables.policies import Turns, drop, idle, silent_if_first
from tests.tables.sessions import (
    HT,
    assert_ledger_holds,
    assert_record_holds,
    balances,
    seated,
    stop_all,
)

pytestmark = pytest.mark.usefixtures("patient")


async def test_three_drops_pay_the_last_seat_less_the_commission(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, parts: Parts
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, drop, drop, drop, drop)
    closed = await programs[0].until("hand.closed")
    await stop_all(programs)

    points = {row["seat"]: row["points"] for row in closed["result"]}
    winner = closed["winner"]
    assert sorted(points.values()) == [0, 20, 20, 20]
    assert points[winner] == 0
    expected = [(54 * HT if seat == winner else -20 * HT, 0) for seat in range(4)]
    assert await balances(database, programs) == expected
    await assert_ledger_holds(database)
    body = await assert_record_holds(database, parts, closed)
    assert read_record(body).record.settlement.commission == 6 * HT


async def test_a_long_hand_reshuffles_and_its_record_verifies(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, parts: Parts
) -> None:
    table = await open_table(seats=6)
    programs = await seated(host, table, new_player, *(Turns(9) for _ in range(6)))
    closed = await programs[0].until("hand.closed", timeout_s=120)
    await stop_all(programs)
    assert len(programs[0].heard("hand.reshuffled")) >= 1
    await assert_record_holds(database, parts, closed)
    await assert_ledger_holds(database)


async def test_34_the_clock_plays_and_then_puts_out_at_40(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, parts: Parts
) -> None:
    """Report 25 at the table: a game stuck when the seat to act is gone."""
    table = await open_table(seats=4, turn_ms=5_000, miss_limit=1)
    programs = await seated(host, table, new_player, idle, drop, drop, drop)
    closed = await programs[0].until("hand.closed", timeout_s=120)
    await stop_all(programs)
    points = {row["seat"]: row["points"] for row in closed["result"]}
    assert points[0] in (0, 40)
    await assert_record_holds(database, parts, closed)
    await assert_ledger_holds(database)


async def test_hands_follow_each_other_and_the_first_seat_moves_on(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, parts: Parts
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, drop, drop, drop, drop)
    await programs[0].until("hand.closed", 3)
    await stop_all(programs)
    closed = programs[0].heard("hand.closed")[:3]
    listed = programs[0].heard("hand.listed")
    assert [one["hand"] for one in closed] == [1, 2, 3]
    assert listed[0]["dealer"] is None
    first = programs[0].heard("hand.dealt")[0]["toss"][0]
    assert [one["dealer"] for one in listed[1:3]] == [(first + 1) % 4, (first + 2) % 4]
    for one in closed:
        await assert_record_holds(database, parts, one)


async def test_a_reshuffle_past_the_cap_voids_the_hand_and_nobody_pays(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=6, reshuffle_cap=1)
    programs = await seated(host, table, new_player, *(Turns(99) for _ in range(6)))
    voided = await programs[0].until("hand.voided", timeout_s=120)
    cancelled = await programs[0].until("hand.cancelled")
    await stop_all(programs)
    assert voided["reason"] == 3
    assert cancelled["reason"] == 3
    assert [moved for moved, _ in await balances(database, programs)] == [0] * 6
    await assert_ledger_holds(database)


async def test_34_who_is_silent_on_the_first_turn_pays_40_whoever_that_is(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, parts: Parts
) -> None:
    table = await open_table(seats=4, turn_ms=5_000, miss_limit=1)
    programs = await seated(host, table, new_player, *([silent_if_first] * 4))
    first = (await programs[0].until("turn"))["seats"][0]
    closed = await programs[0].until("hand.closed", timeout_s=120)
    await stop_all(programs)
    points = {row["seat"]: row["points"] for row in closed["result"]}
    assert points[first] == 40
    assert sorted(points.values()) == [0, 20, 20, 40]
    await assert_record_holds(database, parts, closed)
    await assert_ledger_holds(database)
