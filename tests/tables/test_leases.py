"""Leases while a process takes many tables up: those of the first are renewed before the last."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import text

from server.database import Database, TableId, Transaction
from server.tables import own as own_module
from server.tables import service
from server.tables.host import TableHost
from server.tables.takeup import TakenUp, take_up
from server.tables.work import Parts

LEASE_MS = 6_000
TABLES = 8
SLOW_S = 1.6
"""Together they take longer than a lease, as long hands on a slow machine do."""


async def _slow(*args: Any, **named: Any) -> TakenUp | None:
    await asyncio.sleep(SLOW_S)
    return await take_up(*args, **named)


async def _fences(tx: Transaction) -> dict[TableId, tuple[int, bool]]:
    found = await tx.execute(
        text("select table_id, fence, expires_at > clock_timestamp() as live from tables.lease")
    )
    return {TableId(row.table_id): (row.fence, row.live) for row in found}


async def test_taking_up_many_tables_costs_none_of_them_its_lease(
    database: Database, parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(tx: Transaction) -> list[TableId]:
        names = [f"Test {number}" for number in range(TABLES)]
        return [await service.open_table(tx, game="seep", options={}, name=name) for name in names]

    tables = await database.run(work)
    monkeypatch.setattr(own_module, "take_up", _slow)
    host = TableHost(database=database, parts=parts, owner="slow", lease_ms=LEASE_MS)
    assert TABLES * SLOW_S * 1_000 > 2 * LEASE_MS
    await host.start()
    try:
        found = await database.run(_fences)
        assert {found[table] for table in tables} == {(1, True)}
        assert {one.table_id for one in host.summaries()} == set(tables)
    finally:
        await host.stop()


async def test_a_lease_that_runs_out_before_its_table_is_rebuilt_ends_nobody(
    database: Database, parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server on a busy machine did not start: a table took longer than its lease."""
    late: list[TableId] = []

    async def too_late(tx: Transaction, found: service.OpenTable, **named: Any) -> TakenUp | None:
        if found.table_id in late:
            return await take_up(tx, found, **named)
        late.append(found.table_id)
        return await take_up(tx, found, **{**named, "lease_ms": 0})

    table = await database.run(
        lambda tx: service.open_table(tx, game="seep", options={}, name="Late")
    )
    monkeypatch.setattr(own_module, "take_up", too_late)
    host = TableHost(database=database, parts=parts, owner="slow", lease_ms=60_000)
    await host.start()
    try:
        assert late == [table]
        assert host.summaries() == ()
        await host.tend_tables()
        assert [one.table_id for one in host.summaries()] == [table]
    finally:
        await host.stop()
