"""Whole hands at a real table: entropy, deal, play, settlement, record."""

import asyncio
from collections.abc import Awaitable, Callable

from server.database import Database, HandId, TableId, Transaction
from server.fairness.record import read_record
from server.ledger import audit
from server.ledger import service as ledger
from server.tables.host import TableHost
from server.tables.record import record_of
from server.tables.work import Parts
from server.verify import verify_record
from tests.tables.company import Policy, Program
from tests.tables.conftest import WELCOME_MICRO, NewPlayer, OpenTable
from tests.tables.policies import Turns, drop, idle

HT = 1_000_000


async def seated(
    host: TableHost, table: TableId, new_player: NewPlayer, *policies: Policy
) -> list[Program]:
    programs = []
    for seat, policy in enumerate(policies):
        program = Program(host, table, await new_player(), policy)
        assert (await program.sit(seat)).ok
        programs.append(program)
    return programs


async def stop_all(programs: list[Program]) -> None:
    await asyncio.gather(*(program.stop() for program in programs))


async def balances(database: Database, programs: list[Program]) -> list[tuple[int, int]]:
    async def work(tx: Transaction) -> list[tuple[int, int]]:
        found = [await ledger.balance_of(tx, program.id) for program in programs]
        return [(one.posted_micro - WELCOME_MICRO, one.held_micro) for one in found]

    return await database.run(work)


async def assert_ledger_holds(database: Database) -> None:
    found = await database.run(audit.check)
    assert [one for one in found if not one.holds] == []


Stop = Callable[[list[Program]], Awaitable[None]]


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

    hand_id = HandId(int(closed["hand_id"]))
    body = await database.run(lambda tx: record_of(tx, hand_id, parts))
    report = verify_record(body, parts.signer.public)
    assert report.exit_code == 0, report.text()
    assert read_record(body).record.settlement.commission == 6 * HT


async def test_a_long_hand_reshuffles_and_its_record_verifies(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, parts: Parts
) -> None:
    table = await open_table(seats=6)
    programs = await seated(host, table, new_player, *(Turns(9) for _ in range(6)))
    closed = await programs[0].until("hand.closed", timeout_s=60)
    await stop_all(programs)

    assert len(programs[0].heard("hand.reshuffled")) >= 1
    body = await database.run(lambda tx: record_of(tx, HandId(int(closed["hand_id"])), parts))
    report = verify_record(body, parts.signer.public)
    assert report.exit_code == 0, report.text()
    await assert_ledger_holds(database)


async def test_the_clock_plays_and_then_puts_out(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4, turn_ms=5_000, miss_limit=1)
    programs = await seated(host, table, new_player, idle, drop, drop, drop)
    closed = await programs[0].until("hand.closed", timeout_s=30)
    await stop_all(programs)
    points = {row["seat"]: row["points"] for row in closed["result"]}
    assert points[0] in (0, 40)
    await assert_ledger_holds(database)
