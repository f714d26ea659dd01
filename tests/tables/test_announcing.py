"""What others learn of what a table commits: figures, and lines of the log that hold no card."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs
from structlog.typing import EventDict

from server.database import Database, TableId
from server.tables.host import TableHost
from server.tables.work import Parts
from tests.observability.figures import value, written
from tests.tables.conftest import NewPlayer, OpenTable, let_leases_run_out, make_host
from tests.tables.policies import Turns
from tests.tables.sessions import seated, stop_all

pytestmark = pytest.mark.usefixtures("patient")


@pytest.fixture
def lines() -> Iterator[list[EventDict]]:
    """All that is logged meanwhile, as it is before it is written."""
    with capture_logs() as lines:
        yield lines


async def _count(database: Database, table: TableId, fact: str) -> int:
    query = text(
        "select count(*) from tables.journal where table_id = :table and fact->>'fact' = :fact"
    )
    values = {"table": table, "fact": fact}
    return int((await database.run(lambda tx: tx.execute(query, values))).scalar_one())


async def test_a_hand_is_counted_as_the_journal_has_it(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, parts: Parts
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, *(Turns(1) for _ in range(4)))
    await programs[0].until("hand.closed")
    await stop_all(programs)
    await host.stop()
    found = written(parts.metrics)
    assert value(found, "pakka_moves_total", game="rummy") == await _count(database, table, "moved")
    closed = await _count(database, table, "hand_closed")
    assert value(found, "pakka_hands_total", end="closed") == closed >= 1
    commits = value(found, "pakka_commit_seconds_count", by="command")
    assert commits >= sum(len(program.replies) for program in programs) > 20
    assert value(found, "pakka_commit_seconds_sum", by="command") > 0
    assert value(found, "pakka_commit_seconds_count", by="clock") >= 3


async def test_why_a_table_was_taken_up_is_told_apart(
    host: TableHost, database: Database, open_table: OpenTable, parts: Parts
) -> None:
    await open_table()
    whys = ("new", "given_up", "left_behind")

    def counts() -> list[float]:
        return [value(written(parts.metrics), "pakka_takeovers_total", why=why) for why in whys]

    assert counts() == [1, 0, 0]
    await host.stop()
    second = make_host(database, parts, "two")
    await second.start()
    assert counts() == [1, 1, 0]
    await let_leases_run_out(database)
    third = make_host(database, parts, "three")
    await third.start()
    assert counts() == [1, 1, 1]
    assert value(written(parts.metrics), "pakka_takeover_idle_seconds_count") == 1
    assert value(written(parts.metrics), "pakka_leases_lost_total") == 0
    await second._own.renew()
    assert value(written(parts.metrics), "pakka_leases_lost_total") == 1
    await second.stop()
    await third.stop()


async def test_every_line_about_a_table_says_which_hand_and_where_it_is(
    host: TableHost,
    open_table: OpenTable,
    new_player: NewPlayer,
    lines: list[EventDict],
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, *(Turns(1) for _ in range(4)))
    closed = await programs[0].until("hand.closed")
    await stop_all(programs)
    await host.stop()
    about = [line for line in lines if "table" in line]
    assert {line["table"] for line in about} == {str(table)}
    assert all(line.keys() >= {"hand", "seq"} for line in about)
    end = next(line for line in about if line["event"] == "hand.closed")
    (frame,) = [f for f in programs[0].frames if f["t"] == "event" and f["d"] == closed][:1]
    assert (end["hand"], end["log_level"]) == (int(closed["hand_id"]), "info")
    assert end["seq"] >= frame["seq"]
    moves = [line for line in about if line.get("fact") == "moved"]
    assert len(moves) > 8
    assert [line["seq"] for line in moves] == sorted({line["seq"] for line in moves})
    assert {line["log_level"] for line in moves} == {"debug"}
