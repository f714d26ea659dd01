"""The one statement that writes a command's facts and its reply: all of it or nothing."""

import hashlib

import pytest
from sqlalchemy import text

from server.database import Database, PlayerId, TableId, Transaction
from server.tables import journal
from server.tables.commands import Leave, Reply, Request
from server.tables.facts import TableClosing
from server.tables.host import TableHost
from tests.tables.conftest import OpenTable, actor_of

PLAYER = PlayerId(77)
DIGEST = hashlib.sha256(b"leave").digest()


async def written(database: Database, table: TableId) -> tuple[int, int]:
    """Count a table's facts and its replies."""

    async def work(tx: Transaction) -> tuple[int, int]:
        facts = text("select count(*) from tables.journal where table_id = :table")
        replies = text("select count(*) from tables.reply where table_id = :table")
        values = {"table": table}
        found = [(await tx.execute(query, values)).scalar_one() for query in (facts, replies)]
        return found[0], found[1]

    return await database.run(work)


async def answer(
    database: Database, host: TableHost, table: TableId, *, fence: int, id_: str = "c1"
) -> bool:
    """Write a fact and the reply to the command that made it."""
    seq = host.state_of(table).seq + 1
    fact = TableClosing(drain=True)
    entry = journal.Entry(seq=seq, last_seq=seq, fact=fact, hand=None, opens_hand=False)
    return await journal.write_answered(
        database,
        table,
        [entry],
        fence=fence,
        request=Request(PLAYER, id_, DIGEST, Leave()),
        reply=Reply(True, seq),
    )


async def test_facts_and_reply_are_written_once_and_a_repeat_writes_neither(
    database: Database, open_table: OpenTable, host: TableHost
) -> None:
    table = await open_table(seats=4)
    fence = actor_of(host, table).fence
    facts, replies = await written(database, table)
    assert await answer(database, host, table, fence=fence)
    assert await written(database, table) == (facts + 1, replies + 1)
    assert not await answer(database, host, table, fence=fence)
    assert await written(database, table) == (facts + 1, replies + 1)


async def test_without_the_lease_neither_a_fact_nor_a_reply_is_written(
    database: Database, open_table: OpenTable, host: TableHost
) -> None:
    table = await open_table(seats=4)
    before = await written(database, table)
    fence = actor_of(host, table).fence
    for other in (fence - 1, fence + 1):
        with pytest.raises(journal.Fenced):
            await answer(database, host, table, fence=other)
    assert await written(database, table) == before
