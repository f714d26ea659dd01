"""A table's task that is cancelled in mid-step leaves nothing open and loses nothing."""

import asyncio
import sys
from random import Random

import pytest

from server.database import Database
from server.tables.actor import Actor
from server.tables.host import TableHost
from server.tables.work import Parts
from tests.cancelling import Cancelled, assert_all_is_let_go
from tests.tables.conftest import NewPlayer, OpenTable, let_leases_run_out
from tests.tables.policies import Turns
from tests.tables.sessions import assert_ledger_holds, assert_record_holds, seated, stop_all

LIVES = 12
"""How often the table's task is cancelled; the one after that may live."""

LIFE_MAX = 60
"""Awaits of a life: some commands, or a settlement."""


@pytest.mark.usefixtures("patient")
async def test_a_hand_whose_table_is_cancelled_at_random_goes_on_to_its_end(
    database: Database,
    database_url: str,
    parts: Parts,
    open_table: OpenTable,
    host: TableHost,
    new_player: NewPlayer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cancelled in the deal and in moves; the host takes the table up again each time."""
    chance, serve = Random(21), Actor.run
    lives: list[Cancelled] = []

    async def run(actor: Actor) -> None:
        is_cancelled = 0 < len(lives) < LIVES
        point = chance.randint(1, LIFE_MAX) if is_cancelled else sys.maxsize
        lives.append(Cancelled(serve(actor), point, late=chance.random() < 0.5))
        await lives[-1].here()

    monkeypatch.setattr(Actor, "run", run)
    table = await open_table(seats=4, turn_ms=120_000)
    programs = await seated(host, table, new_player, *(Turns(7) for _ in range(4)))
    host._own._served[table].task.cancel()
    tending = asyncio.create_task(_tend(host, database))
    closed = await programs[0].until("hand.closed", timeout_s=180)
    tending.cancel()
    await asyncio.wait([tending])
    await stop_all(programs)
    assert sum(life.was_reached for life in lives) >= LIVES // 2
    assert not programs[0].heard("auto_moved")
    seqs = [frame["seq"] for frame in programs[0].frames if frame["t"] == "event"]
    assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))
    await assert_record_holds(database, parts, closed)
    await host.stop()
    await assert_all_is_let_go(database, database_url)
    await assert_ledger_holds(database)


async def _tend(host: TableHost, database: Database) -> None:
    """Take the table up at once whenever its task has ended, and keep its players present."""
    while True:
        if not host.summaries():
            await let_leases_run_out(database)
            await host.tend_tables()
        for summary in host.summaries():
            for player in host.viewers_of(summary.table_id):
                if player is not None:
                    host.here(player)
        await asyncio.sleep(0.01)
