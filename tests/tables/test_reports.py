"""Bugs that others had at the table itself, by the number in the project's list of reports."""

import asyncio

import pytest
from sqlalchemy import text

from server.cards.game import SeatKind
from server.database import Database
from server.games.rummy.moves import Draw
from server.tables.commands import Sit
from server.tables.host import TableHost
from tests.tables.company import Program
from tests.tables.conftest import NewPlayer, OpenTable
from tests.tables.policies import idle
from tests.tables.sessions import seated, stop_all

pytestmark = pytest.mark.usefixtures("patient")

DEALT = text("select count(*) from tables.journal where fact->>'fact' = 'dealt'")


async def test_report_21_seats_that_fill_at_one_moment_are_dealt_one_deck(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    """OWASP/cornucopia 2502: two simultaneous starts dealt the deck twice."""
    table = await open_table(seats=4, turn_ms=120_000)
    programs = [Program(host, table, await new_player(), idle) for _ in range(4)]
    for program in programs:
        program.begin()
    twice = [
        program.send(Sit(None, f"player {program.id}", SeatKind.HUMAN), f"sit {program.id}")
        for program in programs
        for _ in range(2)
    ]
    assert all(reply.ok for reply in await asyncio.gather(*twice))
    for program in programs:
        await program.until("turn")
    assert (await database.run(lambda tx: tx.execute(DEALT))).scalar_one() == 1
    held = [str(card) for program in programs for card in _own(program)]
    assert len(held) == len(set(held)) == 4 * 13
    assert sorted(program.seat for program in programs if program.seat is not None) == [0, 1, 2, 3]
    await stop_all(programs)


def _own(program: Program) -> list[str]:
    """List the cards that were given to this seat alone."""
    (dealt,) = (event for event in program.heard("dealt") if event.get("openings"))
    return [opening["card"] for opening in dealt["openings"]]


async def test_report_24_who_comes_back_has_its_seat_and_its_turn(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    """thyer/CS340winter2016 518: a rejoin changed the seat's index and skipped a turn."""
    table = await open_table(seats=4, turn_ms=120_000)
    programs = await seated(host, table, new_player, idle, idle, idle, idle)
    for program in programs:
        await program.until("turn")
    seat = programs[0].heard("turn")[0]["seats"][0]
    before = host.state_of(table)
    for program in programs:
        host.forget(program)
        host.gone(program.id)
    async with asyncio.timeout(60):
        while not all(chair.away for _, chair in host.state_of(table).taken()):
            await asyncio.sleep(0.01)
    backs = [Program(host, table, program.id, idle) for program in reversed(programs)]
    for back in backs:
        host.here(back.id)
        host.watch(table, back, None)
    found = {back.id: back.frames[0]["d"] for back in backs}
    assert {found[program.id]["you"] for program in programs} == {0, 1, 2, 3}
    for number, program in enumerate(programs):
        assert found[program.id]["you"] == number
        assert found[program.id]["waiting"] == [seat]
    hand, now = before.hand, host.state_of(table).hand
    assert hand is not None
    assert now is not None
    assert (now.turn, now.state) == (hand.turn, hand.state)
    refused = await programs[seat].send(Sit(None, "again", SeatKind.HUMAN))
    assert refused.code == "already_seated"
    programs[seat].discards = False
    assert (await programs[seat].play(Draw("closed"))).ok
    await stop_all(programs)
