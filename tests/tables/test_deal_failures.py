"""Who is missing, who refuses, who aborts: fairdeal/1 section 5, at a real table."""

import pytest

from server.database import Database
from server.tables.commands import Commit, Leave
from server.tables.host import TableHost
from server.tables.work import Parts
from tests.tables.company import Program
from tests.tables.conftest import NewPlayer, OpenTable
from tests.tables.policies import drop, idle
from tests.tables.sessions import (
    assert_ledger_holds,
    assert_record_holds,
    balances,
    seated,
    stop_all,
)

pytestmark = pytest.mark.usefixtures("steady")


async def test_a_seat_that_does_not_commit_is_not_dealt_in(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, parts: Parts
) -> None:
    table = await open_table(seats=4)
    silent = Program(host, table, await new_player(), idle, commits=False)
    assert (await silent.sit(3)).ok
    programs = await seated(host, table, new_player, drop, drop, drop)
    closed = await programs[0].until("hand.closed")
    await stop_all([*programs, silent])
    assert [row["seat"] for row in closed["result"]] == [0, 1, 2]
    assert {"seat": 3, "away": False, "sits_out": "no_commit", "why": "no_commit"}.items() <= (
        programs[0].heard("seat.sits_out")[0].items()
    )
    assert (await balances(database, [silent])) == [(0, 0)]
    await assert_record_holds(database, parts, closed)


async def test_a_seat_that_does_not_reveal_voids_the_attempt_and_sits_out_the_next(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, parts: Parts
) -> None:
    table = await open_table(seats=4)
    cheat = Program(host, table, await new_player(), idle, reveals=False)
    assert (await cheat.sit(2)).ok
    programs = []
    for seat in (0, 1, 3):
        program = Program(host, table, await new_player(), drop)
        assert (await program.sit(seat)).ok
        programs.append(program)
    voided = await programs[0].until("hand.voided")
    closed = await programs[0].until("hand.closed")
    await stop_all([*programs, cheat])
    assert (voided["attempt"], voided["reason"]) == (0, 0)
    assert closed["attempt"] == 1
    assert [row["seat"] for row in closed["result"]] == [0, 1, 3]
    assert sorted(moved for moved, _ in await balances(database, [*programs, cheat]))[:2] == [
        -20_000_000,
        -20_000_000,
    ]
    assert await balances(database, [cheat]) == [(0, 0)]
    await assert_record_holds(database, parts, closed)
    await assert_ledger_holds(database)


async def test_too_few_reveals_cancel_the_hand_and_release_the_holds(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4, min_players=4)
    cheat = Program(host, table, await new_player(), idle, reveals=False)
    assert (await cheat.sit(0)).ok
    programs = [Program(host, table, await new_player(), drop) for _ in range(3)]
    for program in programs:
        assert (await program.sit()).ok
    cancelled = await programs[0].until("hand.cancelled")
    await stop_all([*programs, cheat])
    assert cancelled["reason"] == 1
    assert await balances(database, [*programs, cheat]) == [(0, 0)] * 4
    assert programs[0].heard("hand.opened")[-1]["hand"] == 2
    await assert_ledger_holds(database)


async def test_playing_without_my_seed_is_listed_as_absent(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, parts: Parts
) -> None:
    table = await open_table(seats=4)
    lazy = Program(host, table, await new_player(), drop, commits=False, reveals=False)
    assert (await lazy.sit(0)).ok
    programs = [Program(host, table, await new_player(), drop) for _ in range(3)]
    for program in programs:
        assert (await program.sit()).ok
    await lazy.until("deal.phase")
    assert (await lazy.send(Commit(1, 0, None))).ok
    closed = await programs[0].until("hand.closed")
    await stop_all([*programs, lazy])
    listed = programs[0].heard("hand.listed")[0]
    assert [seat["status"] for seat in listed["seats"]] == [0, 1, 1, 1]
    assert not listed["server_only"]
    await assert_record_holds(database, parts, closed)


async def test_a_seat_without_a_key_signs_nothing_and_plays(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, parts: Parts
) -> None:
    table = await open_table(seats=4)
    programs = [
        Program(host, table, await new_player(), drop, with_key=bool(seat)) for seat in range(4)
    ]
    for seat, program in enumerate(programs):
        assert (await program.sit(seat)).ok
    closed = await programs[0].until("hand.closed")
    await stop_all(programs)
    assert [row["seat"] for row in closed["result"]] == [0, 1, 2, 3]
    await assert_record_holds(database, parts, closed)


async def test_a_leaver_in_the_reveals_takes_nobody_with_it(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, parts: Parts
) -> None:
    table = await open_table(seats=4)
    cheat = Program(host, table, await new_player(), idle, reveals=False)
    slow = Program(host, table, await new_player(), drop, reveals=False)
    others = [Program(host, table, await new_player(), drop) for _ in range(2)]
    for program in (cheat, slow, *others):
        assert (await program.sit()).ok
    listed = await cheat.until("deal.phase", 2)
    assert (await cheat.send(Leave())).ok
    slow.reveals = True
    await slow.contribute(listed)
    assert slow.replies[-1][1].ok, "an honest seat keeps its whole time"
    voided = await others[0].until("hand.voided")
    closed = await others[0].until("hand.closed")
    await stop_all([cheat, slow, *others])
    assert voided["reason"] == 0
    absent = [seat["seat"] for seat in voided["seats"] if not seat["present"]]
    assert absent == [0]
    assert [row["seat"] for row in closed["result"]] == [1, 2, 3]
    await assert_record_holds(database, parts, closed)
    await assert_ledger_holds(database)
