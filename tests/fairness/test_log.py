"""The public log on a real PostgreSQL: dense, append-only, provable, also when many append."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from server.database import Database, Transaction
from server.fairness import log, merkle
from tests.conftest import execute

ENTRIES = [b"entry %d" % number for number in range(23)]
LEAVES = [merkle.leaf_hash(entry) for entry in ENTRIES]


async def fill(tx: Transaction, entries: list[bytes]) -> list[log.LogPosition]:
    return [await log.append(tx, entry) for entry in entries]


async def test_4_each_entry_comes_with_its_place_and_its_proof(database: Database) -> None:
    async with database.transaction() as tx:
        positions = await fill(tx, ENTRIES)
    for index, position in enumerate(positions):
        leaves = LEAVES[: index + 1]
        assert position == log.LogPosition(
            index=index, size=index + 1, root=merkle.root(leaves), path=merkle.path(leaves, index)
        )


async def test_4_every_entry_is_proved_at_every_later_size(database: Database) -> None:
    async with database.transaction() as tx:
        await fill(tx, ENTRIES)
        for size in (1, 2, 7, 8, 16, 17, 23):
            assert await log.root_at(tx, size) == merkle.root(LEAVES[:size])
            for index in range(size):
                path = await log.inclusion(tx, index, size)
                assert path == merkle.path(LEAVES[:size], index)


async def test_4_every_size_is_proved_to_begin_with_every_earlier_one(
    database: Database,
) -> None:
    async with database.transaction() as tx:
        await fill(tx, ENTRIES)
        for new in (1, 2, 7, 8, 16, 17, 23):
            for old in range(1, new + 1):
                assert merkle.is_consistent(
                    old=old,
                    old_root=merkle.root(LEAVES[:old]),
                    new=new,
                    new_root=merkle.root(LEAVES[:new]),
                    proof=await log.consistency(tx, old, new),
                )
        for old, new in ((0, 3), (4, 3), (1, 24)):
            with pytest.raises(ValueError, match=r"size|long"):
                await log.consistency(tx, old, new)


async def test_4_parallel_appends_stay_dense_and_roots_recompute(database: Database) -> None:
    async def one(entry: bytes) -> log.LogPosition:
        return await database.run(lambda tx: log.append(tx, entry))

    entries = [b"parallel %d" % number for number in range(40)]
    positions = await asyncio.gather(*map(one, entries))
    assert sorted(p.index for p in positions) == list(range(40))
    async with database.transaction() as tx:
        stored = await log.entries(tx, 0, 100)
        assert await log.size(tx) == 40
    leaves = [merkle.leaf_hash(entry) for entry in stored]
    for entry, position in zip(entries, positions, strict=True):
        assert stored[position.index] == entry
        assert position.root == merkle.root(leaves[: position.size])


async def test_an_entry_of_a_transaction_that_failed_leaves_no_gap(database: Database) -> None:
    async with database.transaction() as tx:
        await fill(tx, ENTRIES[:5])

    async def failing(tx: Transaction) -> None:
        await log.append(tx, b"lost")
        raise RuntimeError("the hand failed")

    with pytest.raises(RuntimeError, match="the hand failed"):
        await database.run(failing)
    async with database.transaction() as tx:
        assert (await log.append(tx, ENTRIES[5])).root == merkle.root(LEAVES[:6])


async def test_the_same_entry_again_finds_its_first_place(database: Database) -> None:
    async with database.transaction() as tx:
        positions = await fill(tx, ENTRIES[:7])
    async with database.transaction() as tx:
        for entry, position in zip(ENTRIES[:7], positions, strict=True):
            assert await log.append(tx, entry) == position
        assert await log.size(tx) == 7


async def test_19_size_0_and_sizes_beyond_the_log_are_refused(database: Database) -> None:
    async with database.transaction() as tx:
        await fill(tx, ENTRIES[:3])
        for index, size in ((0, 0), (0, 4), (3, 3), (-1, 3), (0, 2**40)):
            with pytest.raises(ValueError, match=r"size|long"):
                await log.inclusion(tx, index, size)
        for size in (0, 4):
            with pytest.raises(ValueError, match=r"size|long"):
                await log.root_at(tx, size)


CHANGES = [
    "update fairness.log_entry set entry = 'x'",
    "delete from fairness.log_entry",
    "truncate fairness.log_entry",
    "update fairness.log_node set hash = 'x'",
    "delete from fairness.log_node",
    "truncate fairness.log_node",
    "update fairness.seed set sealed = 'x'",
    "delete from fairness.seed",
    "truncate fairness.seed",
    "update fairness.log_head set size = 0",
    "update fairness.log_head set size = size + 2",
    "delete from fairness.log_head",
    "truncate fairness.log_head",
    "insert into fairness.log_head (single, size) values (false, 9)",
]


SEALED_ANEW = "update fairness.seed set sealed = 'x'"
"""What the owner may do, when the sealing key is replaced; the application may not."""


@pytest.mark.parametrize("change", [c for c in CHANGES if c != SEALED_ANEW])
async def test_not_even_the_owner_changes_what_is_written(
    database: Database, database_url: str, change: str
) -> None:
    async with database.transaction() as tx:
        await fill(tx, ENTRIES[:2])
    with pytest.raises(Exception, match=r"append-only|one entry at a time"):
        await asyncio.to_thread(execute, database_url, change)


@pytest.mark.parametrize(
    "change",
    [
        "update fairness.seed set commit = 'x'",
        "update fairness.seed set hand_no = hand_no + 1",
        "update fairness.seed set attempt = 3 - attempt",
    ],
)
async def test_of_a_seed_the_owner_changes_nothing_but_its_seal(
    database: Database, database_url: str, change: str
) -> None:
    row = "insert into fairness.seed values (gen_random_uuid(), 1, 0, 's', 'c')"
    await asyncio.to_thread(execute, database_url, row, SEALED_ANEW)
    with pytest.raises(Exception, match="append-only"):
        await asyncio.to_thread(execute, database_url, change)


@pytest.mark.parametrize("change", [c for c in CHANGES if "size + 2" not in c])
async def test_the_application_has_no_right_to_change_what_is_written(
    database: Database, change: str
) -> None:
    with pytest.raises(DBAPIError, match=r"permission denied|one entry at a time"):
        await database.run(lambda tx: tx.execute(text(change)))
