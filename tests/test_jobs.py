"""Each job, called once: it does its work, and nothing when there is none."""

import asyncio
import secrets
from datetime import UTC, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import text

from server import jobs
from server.database import Database, HandId, PlayerId, TableId
from server.fairness.signing import SigningKey
from server.identity import answers
from server.identity import service as identity
from server.ledger import audit
from server.ledger import service as ledger
from server.ledger.seals import find_unsealed
from server.tables import lease
from tests.conftest import execute

TABLE = TableId(UUID("6f2d7c1e-58a4-4a43-9f0b-0c4c5b1f7a11"))
KOLKATA = ZoneInfo("Asia/Kolkata")


async def held(database: Database, hand: int, life: timedelta) -> list[PlayerId]:
    """Hold tokens of two new players for a hand that lives so long."""
    async with database.transaction() as tx:
        players = [(await identity.create_guest(tx, "Anu")).player.id for _ in range(2)]
        for player in players:
            await ledger.open_player_account(tx, player, welcome_micro=1_000)
        await ledger.hold_hand(
            tx,
            hand_id=HandId(hand),
            table_id=TABLE,
            seats=dict.fromkeys(players, 100),
            commission_bps=0,
            life=life,
        )
    return players


async def unsealed(database: Database) -> int:
    async with database.transaction() as tx:
        return (await find_unsealed(tx))[0]


async def is_swept(database: Database, hand: int) -> bool:
    async with database.transaction() as tx:
        return await ledger.find_outcome(tx, HandId(hand)) is not None


async def with_lease(database: Database, url: str, *, lease_ms: int) -> None:
    execute(
        url,
        f"insert into tables.game_table (table_id, name, game, options)"
        f" values ('{TABLE}', 'T', 'rummy', '{{}}')",
    )
    async with database.transaction() as tx:
        assert await lease.claim(tx, TABLE, owner="us", lease_ms=lease_ms) is not None


async def test_a_hold_that_expired_without_an_owner_is_voided_once(
    database: Database, database_url: str
) -> None:
    players = await held(database, 1, timedelta(milliseconds=1))
    await with_lease(database, database_url, lease_ms=1)
    await asyncio.sleep(0.05)
    assert await jobs.sweep(database, orphan_ms=10) == 1
    assert await jobs.sweep(database, orphan_ms=10) == 0
    async with database.transaction() as tx:
        outcome = await ledger.find_outcome(tx, HandId(1))
        assert outcome is not None
        assert outcome.reason == jobs.SWEPT
        for player in players:
            assert (await ledger.balance_of(tx, player)).held_micro == 0


async def test_a_hold_whose_table_has_a_live_owner_is_left_alone(
    database: Database, database_url: str
) -> None:
    await held(database, 1, timedelta(milliseconds=1))
    await with_lease(database, database_url, lease_ms=60_000)
    await asyncio.sleep(0.05)
    assert await jobs.sweep(database, orphan_ms=10) == 0


async def test_a_hold_that_has_not_expired_is_left_alone(
    database: Database, database_url: str
) -> None:
    await held(database, 1, timedelta(hours=1))
    await with_lease(database, database_url, lease_ms=1)
    await asyncio.sleep(0.05)
    assert await jobs.sweep(database, orphan_ms=10) == 0


async def test_the_nightly_check_says_whether_every_invariant_holds(
    database: Database, database_url: str
) -> None:
    await held(database, 1, timedelta(hours=1))
    assert await database.run(audit.find_last) is None
    assert await jobs.check_ledger(database, ())
    execute(
        database_url,
        "alter table ledger.account disable trigger user",
        "update ledger.account set posted = posted + 1 where kind = 1",
    )
    assert not await jobs.check_ledger(database, ())
    last = await database.run(audit.find_last)
    assert last is not None
    assert not last.holds
    assert any(not one.holds and one.figures["wrong_balances"] for one in last.invariants)


async def test_old_answers_and_dead_sign_ins_are_forgotten_and_fresh_ones_kept(
    database: Database, database_url: str
) -> None:
    async with database.transaction() as tx:
        for key in ("old", "new"):
            assert await answers.stored_answer(tx, actor="a", key=key, request=b"") is None
            await answers.store_answer(tx, actor="a", key=key, status=200, body="{}")
        come = await identity.create_guest(tx, "Anu")
        await identity.create_guest(tx, "Bela")
    execute(
        database_url,
        "update identity.answer set at = now() - interval '8 days' where key = 'old'",
        "update identity.session set expires_at = now() - interval '8 days'"
        f" where player_id = {come.player.id}",
        "insert into tables.reply (table_id, player_id, request_id, digest, ok, seq, at)"
        f" values ('{TABLE}', 1, 'old', '', true, 1, now() - interval '8 days'),"
        f" ('{TABLE}', 1, 'new', '', true, 1, now())",
    )
    assert await jobs.forget(database, days=7) == 3
    assert await jobs.forget(database, days=7) == 0
    async with database.transaction() as tx:
        counts = text(
            "select (select count(*) from identity.answer), (select count(*) from"
            " identity.session), (select count(*) from tables.reply)"
        )
        assert tuple((await tx.execute(counts)).one()) == (1, 1, 1)


@pytest.mark.parametrize(
    ("now", "hours"),
    [
        (datetime(2026, 3, 1, 1, 30, tzinfo=KOLKATA), 2),
        (datetime(2026, 3, 1, 3, 30, tzinfo=KOLKATA), 24),
        (datetime(2026, 3, 1, 23, 30, tzinfo=KOLKATA), 4),
        (datetime(2026, 3, 1, 3, 0, tzinfo=UTC), 0.5),
    ],
)
def test_the_night_comes_once_a_day(now: datetime, hours: float) -> None:
    assert jobs.seconds_to_night(now) == hours * 3_600


async def test_jobs_run_at_their_times_and_a_failure_stops_nothing(
    database: Database, database_url: str
) -> None:
    periods = jobs.Periods(sweep_ms=50, seal_ms=50, reply_days=7, time_zone="Asia/Kolkata")
    signer = SigningKey(secrets.token_bytes(32))
    running = asyncio.create_task(jobs.run(database, periods, signer, [signer.public]))
    try:
        # in a thread: it waits for what a job has open, and a job must be able to end that
        await asyncio.to_thread(
            execute, database_url, "alter table ledger.hand_hold rename to hidden"
        )
        await asyncio.sleep(0.3)
        await asyncio.to_thread(
            execute, database_url, "alter table ledger.hidden rename to hand_hold"
        )
        await held(database, 1, timedelta(milliseconds=1))
        await with_lease(database, database_url, lease_ms=1)
        await asyncio.to_thread(
            execute,
            database_url,
            "update tables.lease set expires_at = now() - interval '2 minutes'",
        )
        async with asyncio.timeout(30):
            while not await is_swept(database, 1) or await unsealed(database):
                await asyncio.sleep(0.05)
        assert not running.done()
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
