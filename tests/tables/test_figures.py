"""The fairness page's figures: counted as they happen, and the same as in the public log."""

from collections import Counter
from collections.abc import Mapping

import pytest
from asyncpg import PostgresError

from server.cards.game import SeatKind
from server.database import Database, TableId
from server.fairness import log
from server.fairness.logged import LogCancelled, LogClosed, LogOpened, LogVoided, read_entry
from server.tables import figures
from server.tables.commands import CloseTable, Commit, Request
from server.tables.host import TableHost
from server.tables.state import HOUSE
from tests.conftest import execute
from tests.tables.company import Program
from tests.tables.conftest import NewPlayer, OpenTable
from tests.tables.policies import Turns, drop, idle
from tests.tables.sessions import seated, stop_all

CLOSE_NOW = Request(HOUSE, "close", b"", CloseTable(drain=False))

pytestmark = pytest.mark.usefixtures("steady")


async def figures_of(database: Database, table: TableId) -> Mapping[str, int]:
    async with database.transaction() as tx:
        (found,) = await figures.by_table(tx, after=None, limit=10)
    assert found.table_id == table
    async with database.transaction() as tx:
        assert await figures.totals(tx) == found.counts, "one table is all there is"
    return found.counts


async def ends_in_the_log(database: Database) -> Counter[str]:
    """Count how hands ended again, from the public log alone."""
    async with database.transaction() as tx:
        entries = [read_entry(entry) for entry in await log.entries(tx, 0, 100_000)]
    counts: Counter[str] = Counter()
    for entry in entries:
        match entry:
            case LogOpened():
                counts["opened"] += 1
            case LogClosed():
                counts["closed"] += 1
            case LogCancelled(reason=cancelled):
                counts[f"cancelled:{cancelled.name.lower()}"] += 1
            case LogVoided(reason=voided):
                counts[f"voided:{voided.name.lower()}"] += 1
            case _:
                pass
    return counts


def ends(counts: Mapping[str, int]) -> dict[str, int]:
    beside = (*figures.ABSENCES, figures.SERVER_ONLY)
    return {name: count for name, count in counts.items() if name not in beside}


def beside(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if name not in ends(counts)}


async def test_5_each_absence_and_each_end_is_counted_once_and_as_the_log_has_it(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=6, min_players=2)
    cheat = Program(host, table, await new_player(), idle, reveals=False)
    silent = Program(host, table, await new_player(), idle, commits=False)
    lazy = Program(host, table, await new_player(), drop, commits=False, reveals=False)
    honest = [Program(host, table, await new_player(), drop) for _ in range(3)]
    for program in (cheat, silent, lazy, *honest):
        assert (await program.sit()).ok
    await lazy.until("deal.phase")
    assert (await lazy.send(Commit(1, 0, None))).ok
    await lazy.until("hand.voided")
    assert (await lazy.send(Commit(1, 1, None))).ok
    await honest[0].until("hand.closed")
    assert (await host.send(table, CLOSE_NOW)).ok
    await honest[0].until("table.closed")
    await stop_all([cheat, silent, lazy, *honest])
    found = await figures_of(database, table)
    assert beside(found) == {
        "absent:by_choice": 2,
        "absent:no_commit": 1,
        "absent:no_reveal": 1,
    }
    assert ends(found) == await ends_in_the_log(database)
    assert (found["opened"], found["closed"], found["voided:not_revealed"]) == (2, 1, 1)


async def test_5_a_hand_without_any_persons_entropy_is_server_only(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4, practice=True)
    programs = [Program(host, table, await new_player(), drop) for _ in range(4)]
    for program in programs:
        assert (await program.sit(kind=SeatKind.BOT)).ok
    await programs[0].until("hand.closed")
    await stop_all(programs)
    assert (await figures_of(database, table))["server_only"] >= 1


async def test_5_who_is_silent_at_a_reshuffle_is_absent_and_a_void_hand_is_cancelled(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=6, reshuffle_cap=1)
    programs = await seated(host, table, new_player, *(Turns(99) for _ in range(6)))
    await programs[0].until("hand.dealt")
    programs[2].reveals = False
    await programs[0].until("hand.cancelled", timeout_s=120)
    await stop_all(programs)
    found = await figures_of(database, table)
    assert beside(found) == {"absent:reshuffle": 1}
    assert ends(found) == await ends_in_the_log(database)
    assert found["voided:reshuffle_cap"] == found["cancelled:after_void"] == 1


@pytest.mark.parametrize(
    "statement",
    [
        "update tables.figure set count = count - 1",
        "update tables.figure set count = count",
        "update tables.figure set since = now()",
        "delete from tables.figure",
        "truncate tables.figure",
    ],
)
async def test_figures_only_grow(
    host: TableHost, database_url: str, open_table: OpenTable, statement: str
) -> None:
    await open_table(seats=4)
    execute(database_url, "select 1/count(*) from tables.figure")
    with pytest.raises(PostgresError, match=r"only grow|append-only"):
        execute(database_url, statement)


def test_every_reason_has_a_name_of_its_own() -> None:
    names = (*figures.CANCELLED, *figures.VOIDED, *figures.ABSENCES)
    assert len({*names, figures.OPENED, figures.CLOSED, figures.SERVER_ONLY}) == len(names) + 3
