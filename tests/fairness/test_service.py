"""A hand's seeds in a real PostgreSQL: sealed, never shared, the same after a restart."""

import asyncio
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import pytest

from server.database import Database, TableId
from server.errors import Fault
from server.fairness.commitment import ATTEMPTS, deck_spec, hand_hash, server_commit
from server.fairness.seal import Sealer
from server.fairness.service import OpenSeed, open_seeds, seed_of
from server.fairness.shoe import deal
from tests.conftest import run_apart

PUB = bytes(range(32))
SPEC = deck_spec(2, 2)
SEALER = Sealer(bytes(range(1, 33)))


def table() -> TableId:
    return TableId(uuid4())


async def opened(
    database: Database, table_id: TableId, hand_no: int, *, spec: bytes = SPEC
) -> tuple[OpenSeed, ...]:
    return await database.run(
        lambda tx: open_seeds(
            tx, SEALER, table_id=table_id, hand_no=hand_no, server_pub=PUB, spec=spec
        )
    )


async def exposed(database: Database, table_id: TableId, hand_no: int, attempt: int) -> bytes:
    seed = await database.run(lambda tx: seed_of(tx, SEALER, table_id, hand_no, attempt))
    return seed.expose()


async def test_3_four_seeds_are_committed_to_and_found_again(database: Database) -> None:
    table_id = table()
    four = await opened(database, table_id, 12)
    assert [one.attempt for one in four] == list(range(ATTEMPTS))
    for one in four:
        hand = hand_hash(
            server_pub=PUB, table=table_id.bytes, hand_no=12, attempt=one.attempt, spec=SPEC
        )
        assert one.hand == hand
        assert one.commit == server_commit(hand, await exposed(database, table_id, 12, one.attempt))


async def test_3_no_two_hands_or_attempts_share_a_seed(database: Database) -> None:
    tables = [table(), table()]
    seeds = set()
    for table_id in tables:
        for hand_no in (1, 2):
            await opened(database, table_id, hand_no)
            for attempt in range(ATTEMPTS):
                seeds.add(await exposed(database, table_id, hand_no, attempt))
    assert len(seeds) == 2 * 2 * ATTEMPTS


async def test_8_a_restart_changes_no_reshuffle(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    table_id = table()

    async def shoe_of_reshuffle(database: Database) -> bytes:
        sealer = Sealer.from_file(tmp_path)
        four = await database.run(
            lambda tx: open_seeds(
                tx, sealer, table_id=table_id, hand_no=1, server_pub=PUB, spec=SPEC
            )
        )
        seed = await database.run(lambda tx: seed_of(tx, sealer, table_id, 1, 2))
        return deal(
            seed.expose(),
            hand=four[2].hand,
            listing=PUB,
            entropy=PUB,
            epoch=1,
            numbers=range(30),
        ).root

    before = await shoe_of_reshuffle(database)
    await database.close()
    restarted = Database(database_url)
    try:
        assert await shoe_of_reshuffle(restarted) == before
    finally:
        await restarted.close()


async def test_opening_again_after_a_lost_commit_gives_the_first_commitments(
    database: Database,
) -> None:
    table_id = table()
    first = await opened(database, table_id, 1)
    assert await opened(database, table_id, 1) == first
    both = await asyncio.gather(*(opened(database, table_id, 2) for _ in range(4)))
    assert len(set(both)) == 1


async def test_opening_again_under_another_spec_is_a_fault(database: Database) -> None:
    table_id = table()
    await opened(database, table_id, 1)
    with pytest.raises(Fault, match="another key or spec"):
        await opened(database, table_id, 1, spec=deck_spec(3, 3))


async def test_a_seed_that_was_never_drawn_is_a_fault_and_not_a_constant(
    database: Database,
) -> None:
    table_id = table()
    await opened(database, table_id, 1)
    for hand_no, attempt in ((2, 0), (1, 4)):
        with pytest.raises(Fault, match="no seed"):
            await exposed(database, table_id, hand_no, attempt)


async def test_7_at_rest_a_seed_is_sealed(database: Database, database_url: str) -> None:
    table_id = table()
    await opened(database, table_id, 1)
    secrets = {await exposed(database, table_id, 1, attempt) for attempt in range(ATTEMPTS)}

    async def everything() -> bytes:
        connection = await asyncpg.connect(database_url)
        try:
            rows = await connection.fetch("select * from fairness.seed")
        finally:
            await connection.close()
        assert len(rows) == ATTEMPTS
        return b"".join(v for row in rows for v in row.values() if isinstance(v, bytes))

    stored = await asyncio.to_thread(run_apart, everything)
    assert not any(secret in stored for secret in secrets)


async def test_a_seal_moved_to_another_hand_does_not_open(
    database: Database, database_url: str
) -> None:
    table_id = table()
    await opened(database, table_id, 1)

    async def move() -> None:
        connection = await asyncpg.connect(database_url)
        try:
            await connection.execute(
                "insert into fairness.seed select table_id, 2, attempt, sealed, commit"
                " from fairness.seed where table_id = $1",
                UUID(bytes=table_id.bytes),
            )
        finally:
            await connection.close()

    await asyncio.to_thread(run_apart, move)
    with pytest.raises(Fault, match="does not open"):
        await exposed(database, table_id, 2, 0)
