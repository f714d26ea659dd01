"""Who runs which table: shared out by count, handed on to who comes, taken over from who goes."""

from datetime import UTC, datetime

import pytest
from structlog.testing import capture_logs

from server.database import Database
from server.tables.host import TableHost
from server.tables.keeping import ROUNDS_ALONE_MAX
from server.tables.processes import Process, share_of
from server.tables.work import Parts
from tests.several.conftest import StartHost, open_tables, run_by, until
from tests.tables.conftest import NewPlayer
from tests.tables.policies import idle
from tests.tables.sessions import seated, stop_all


async def _all_known(hosts: list[TableHost], count: int) -> None:
    """Wait until each process shows every table, and knows who runs it."""
    for host in hosts:
        await until(lambda host=host: len(host.everywhere()) == count)  # type: ignore[misc]


async def test_tables_are_shared_out_and_every_process_shows_them_all(
    database: Database, start_host: StartHost
) -> None:
    tables = await open_tables(database, 5)
    one = await start_host("one")
    assert run_by([one]) == [5]
    two = await start_host("two")
    await until(lambda: sorted(run_by([one, two])) == [2, 3])
    three = await start_host("three")
    await until(lambda: sorted(run_by([one, two, three])) == [1, 2, 2])
    hosts = [one, two, three]
    await _all_known(hosts, 5)

    def owners() -> list[set[str | None]]:
        return [{host.owner_of(table) for host in hosts} for table in tables]

    await until(lambda: all(len(said) == 1 and None not in said for said in owners()))
    assert set().union(*owners()) == {"one", "two", "three"}
    assert [one.owner for one in two.processes()] == ["one", "two", "three"]


async def test_who_stops_leaves_at_once_and_the_rest_take_over(
    database: Database, start_host: StartHost
) -> None:
    await open_tables(database, 4)
    one, two = await start_host("one"), await start_host("two")
    await until(lambda: run_by([one, two]) == [2, 2])
    await one.stop()
    assert run_by([one]) == [0]
    await until(lambda: run_by([two]) == [4])
    await until(lambda: [alive.owner for alive in two.processes()] == ["two"])


async def test_empty_tables_are_handed_on_before_those_where_people_sit(
    database: Database, start_host: StartHost, new_player: NewPlayer
) -> None:
    tables = await open_tables(database, 2)
    one = await start_host("one")
    programs = await seated(one, tables[0], new_player, idle)
    two = await start_host("two")
    await until(lambda: run_by([one, two]) == [1, 1])
    assert [table.table_id for table in one.summaries()] == [tables[0]]
    await stop_all(programs)


def test_all_shares_together_take_every_table() -> None:
    for tables in range(40):
        for alive in range(1, 9):
            share = share_of(tables, [_process(number) for number in range(alive)])
            assert share * alive >= tables
            assert (share - 1) * alive < tables or share == 0


def _process(number: int) -> Process:
    now = datetime.now(UTC)
    return Process(owner=str(number), started_at=now, renewed_at=now, tables=0, sockets=0)


async def test_two_processes_without_a_way_to_each_other_say_so(
    database: Database, parts: Parts
) -> None:
    await open_tables(database, 2)
    hosts = [
        TableHost(database=database, parts=parts, owner=name, lease_ms=60_000)
        for name in ("one", "two")
    ]
    try:
        with capture_logs() as lines:
            for host in hosts:
                await host.start()
            for _ in range(ROUNDS_ALONE_MAX):
                await hosts[0].tend_tables()
        said = [line for line in lines if line["event"] == "others_not_reached"]
        assert len(said) == 1
        assert (said[0]["processes"], said[0]["why"]) == (2, "REDIS_URL is not set")
    finally:
        for host in hosts:
            await host.stop()


async def test_rounds_go_on_whatever_becomes_of_the_look_for_people(
    database: Database, parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = TableHost(database=database, parts=parts, owner="one", lease_ms=900)
    looks = 0

    async def fail() -> None:
        nonlocal looks
        looks += 1
        raise LookupError

    monkeypatch.setattr(host._presences, "look", fail)
    with capture_logs() as lines:
        await host.start()
        await until(lambda: looks >= 3)
        await host.stop()
    assert [line["event"] for line in lines].count("presence_failed") >= 2
