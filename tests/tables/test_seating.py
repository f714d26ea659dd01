"""Sitting, leaving, sitting out: who pays, whose seat is freed, who sees what."""

import secrets

import pytest

from server.cards.game import Seat
from server.database import Database, Transaction
from server.ledger import service as ledger
from server.tables.commands import Back, Leave, Presence, SitOut
from server.tables.host import TableHost
from server.tables.work import Parts
from tests.tables.company import Program
from tests.tables.conftest import NewPlayer, OpenTable, actor_of
from tests.tables.policies import drop, idle
from tests.tables.sessions import (
    HT,
    assert_ledger_holds,
    assert_record_holds,
    balances,
    seated,
    stop_all,
)

pytestmark = pytest.mark.usefixtures("patient")


async def test_16_leaving_in_mid_hand_costs_40_and_frees_the_seat_after_it(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, parts: Parts
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle, idle, idle, idle)
    first = (await programs[0].until("turn"))["seats"][0]
    leaver = programs[(first + 2) % 4]
    assert (await leaver.send(Leave())).ok
    assert (await leaver.send(Leave())).code == "already_leaving"
    await programs[0].until("dropped")
    assert host.state_of(table).seat_of(leaver.id) is not None
    rest = [p for p in programs if p is not leaver]
    for program in rest[:2]:
        assert (await program.send(Leave())).ok
    closed = await programs[0].until("hand.closed")
    points = {row["seat"]: row["points"] for row in closed["result"]}
    assert sorted(points.values()) == [0, 40, 40, 40]
    assert points[leaver.seat] == 40
    assert host.state_of(table).seat_of(leaver.id) is None
    assert await balances(database, [leaver]) == [(-40 * HT, 0)]
    await assert_record_holds(database, parts, closed)
    await stop_all(programs)


async def test_a_seat_that_dropped_may_leave_without_paying_more(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, drop, idle, idle, idle)
    for program in programs[1:]:
        program.policy = idle
    first = (await programs[0].until("turn"))["seats"][0]
    dropper = programs[first]
    if first != 0:
        await drop(dropper)
    await programs[0].until("dropped")
    assert (await dropper.send(Leave())).ok
    await programs[0].until("seat.gone")
    for program in [p for p in programs if p is not dropper][:2]:
        await program.send(Leave())
    closed = await programs[0].until("hand.closed")
    points = {row["seat"]: row["points"] for row in closed["result"]}
    assert points[first] == 20
    await stop_all(programs)
    await assert_ledger_holds(database)


async def test_sitting_out_two_hands_frees_the_seat(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, drop, drop, drop, drop)
    await programs[3].until("hand.dealt")
    assert (await programs[3].send(SitOut())).ok
    assert (await programs[3].send(SitOut())).code == "already_out"
    left = await programs[0].until("seat.left")
    assert (left["seat"], left["why"]) == (3, "out_too_long")
    told = [frame["d"] for frame in programs[0].frames if frame["t"] == "event" and frame["d"]]
    before = told[: told.index(left)]  # the next hand may have been listed already
    counts = [len(one["seats"]) for one in before if one["e"] == "hand.listed"]
    assert counts.count(3) == 2
    await stop_all(programs)


async def test_a_seat_that_comes_back_is_dealt_in_again(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, drop, drop, drop, drop)
    await programs[3].until("hand.dealt")
    assert (await programs[3].send(SitOut())).ok
    await programs[0].until("hand.listed", 2)
    assert (await programs[3].send(Back())).ok
    listed = await programs[0].until("hand.listed", 3)
    assert len(listed["seats"]) == 4
    await stop_all(programs)


async def test_a_balance_that_no_longer_covers_sits_the_hand_out(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4, min_players=2)
    poor = Program(host, table, await new_player(), idle)
    assert (await poor.sit(3)).ok
    await withdraw_all(database, poor)  # alone at the table: no hand can hold it in between
    programs = await seated(host, table, new_player, drop, drop, drop)
    await programs[0].until("seat.sits_out")
    assert programs[0].heard("seat.sits_out")[0]["sits_out"] == "no_cover"
    await programs[0].until("hand.listed")
    listed = programs[0].heard("hand.listed")[0]
    assert 3 not in [seat["seat"] for seat in listed["seats"]]
    await stop_all([*programs, poor])
    await assert_ledger_holds(database)


async def withdraw_all(database: Database, program: Program) -> None:
    async def work(tx: Transaction) -> None:
        balance = await ledger.balance_of(tx, program.id)
        await ledger.withdraw(
            tx,
            program.id,
            amount_micro=balance.available_micro - 1,
            key=secrets.token_hex(8),
            reason="test",
            actor="test",
        )

    await database.run(work)


async def test_a_seats_next_owner_sees_nothing_of_its_past(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, drop, drop, drop, drop)
    await programs[0].until("hand.dealt")
    await programs[3].send(Leave())
    await programs[0].until("seat.left", timeout_s=60)
    dealt = next(f for f in programs[3].frames if f["t"] == "event" and f["d"]
                 and f["d"]["e"] == "dealt")  # fmt: skip
    heir = Program(host, table, await new_player(), idle)
    await heir.sit(3)
    host.watch(table, heir, (dealt["seq"] - 1, dealt["stream"]))
    again = [f for f in heir.frames if f["t"] == "event" and f["seq"] == dealt["seq"]]
    assert dealt["d"].get("openings")
    assert again
    assert all("openings" not in f["d"] for f in again)
    await stop_all([*programs, heir])


async def test_who_is_back_before_the_table_heard_that_it_went_is_here(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle, idle)
    host.gone(programs[0].id)
    host.here(programs[0].id)
    await programs[1].until("seat.back")
    assert not host.state_of(table).chair(Seat(0)).away
    await stop_all(programs)


async def test_presence_that_a_table_did_not_take_is_told_again(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle, idle)
    actor_of(host, table).tell(programs[0].id, Presence(False))
    await programs[1].until("seat.away")
    await programs[1].until("seat.back")
    await stop_all(programs)
