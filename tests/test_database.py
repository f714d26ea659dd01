"""The engine: what a transaction leaves behind, what is tried again, what the role may do."""

import asyncio
import random
import time

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from server.database import (
    ATTEMPTS_MAX,
    FIRST_DELAY_MS,
    Database,
    Transaction,
    engine_url,
    is_transient,
    now_ms,
    sqlstate_of,
)
from server.errors import Fault, Refusal
from tests.cancelling import PATIENCE_S
from tests.conftest import execute

SLOW_COMMIT = """
create function public.doze() returns trigger language plpgsql as
  'begin perform pg_sleep(0.4); return null; end';
create constraint trigger doze after insert on public.note
  deferrable initially deferred for each row execute function public.doze();
"""


@pytest.fixture
def notes_url(database_url: str) -> str:
    """A database with one table that the application may write."""
    execute(
        database_url,
        "create table public.note (id int primary key, body text)",
        "grant select, insert, update, delete on public.note to pakka_app",
    )
    return database_url


@pytest.fixture
async def notes(notes_url: str, database: Database) -> Database:
    """The same, as the application."""
    return database


async def _count(database: Database) -> int:
    async with database.transaction() as tx:
        return int((await tx.execute(text("select count(*) from note"))).scalar_one())


async def _open_transactions(url: str) -> list[str]:
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch(
            "select state from pg_stat_activity where datname = current_database()"
            " and pid <> pg_backend_pid() and backend_type = 'client backend'"
            " and (xact_start is not null or state <> 'idle')"
        )
        locks = await connection.fetch(
            "select relation::regclass::text from pg_locks where pid <> pg_backend_pid()"
            " and relation is not null and database ="
            " (select oid from pg_database where datname = current_database())"
        )
    finally:
        await connection.close()
    return [str(row[0]) for row in [*rows, *locks]]


async def test_a_transaction_commits_at_its_end(notes: Database) -> None:
    async with notes.transaction() as tx:
        await tx.execute(text("insert into note values (1, 'a')"))
    assert await _count(notes) == 1


async def test_a_refusal_rolls_everything_back(notes: Database) -> None:
    async def work() -> None:
        async with notes.transaction() as tx:
            await tx.execute(text("insert into note values (1, 'a')"))
            raise Refusal("no")

    with pytest.raises(Refusal):
        await work()
    assert await _count(notes) == 0


async def test_a_cancelled_task_leaves_no_open_transaction(notes: Database, notes_url: str) -> None:
    """Cancelled at any moment, between the statements and within them, commit included."""
    chance = random.Random(7)

    async def work(number: int) -> None:
        async with notes.transaction() as tx:
            await tx.execute(text("insert into note values (:n, 'a')"), {"n": number})
            await asyncio.sleep(chance.random() / 300)
            await tx.execute(text("update note set body = 'b' where id = :n"), {"n": number})

    for number in range(150):
        task = asyncio.create_task(work(number))
        await asyncio.sleep(chance.random() / 100)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    async with asyncio.timeout(PATIENCE_S):
        while await _open_transactions(notes_url):
            await asyncio.sleep(0.02)
    async with notes.transaction() as tx:
        half = await tx.execute(text("select count(*) from note where body = 'a'"))
        assert half.scalar_one() == 0


async def test_a_cancelled_commit_is_waited_for(notes: Database, notes_url: str) -> None:
    """The row of a task that is cancelled while it commits is there, and the task is cancelled."""
    connection = await asyncpg.connect(notes_url)
    await connection.execute(SLOW_COMMIT)
    await connection.close()
    written = asyncio.Event()

    async def work() -> None:
        async with notes.transaction() as tx:
            await tx.execute(text("insert into note values (1, 'a')"))
            written.set()

    task = asyncio.create_task(work())
    await written.wait()
    for _ in range(3):  # at once: a machine that stops for a moment must not find it committed
        task.cancel()
        await asyncio.sleep(0.05)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await _count(notes) == 1


async def test_a_deadlock_is_tried_again_and_both_are_done(notes: Database) -> None:
    async with notes.transaction() as tx:
        await tx.execute(text("insert into note values (1, '0'), (2, '0')"))
    attempts = 0
    met = asyncio.Barrier(2)

    async def add(first: int, second: int) -> None:
        calls = 0

        async def work(tx: Transaction) -> None:
            nonlocal attempts, calls
            attempts += 1
            calls += 1
            add_one = text("update note set body = (body::int + 1)::text where id = :n")
            await tx.execute(add_one, {"n": first})
            if calls == 1:
                await met.wait()
            await tx.execute(add_one, {"n": second})

        await notes.run(work)

    await asyncio.gather(add(1, 2), add(2, 1))
    assert attempts == 3
    async with notes.transaction() as tx:
        bodies = (await tx.execute(text("select body from note order by id"))).scalars().all()
    assert list(bodies) == ["2", "2"]


async def test_a_lost_connection_is_tried_again(notes: Database, notes_url: str) -> None:
    killed = 0

    async def work(tx: Transaction) -> int:
        nonlocal killed
        pid = (await tx.execute(text("select pg_backend_pid()"))).scalar_one()
        if killed < 3:
            killed += 1
            owner = await asyncpg.connect(notes_url)
            await owner.execute("select pg_terminate_backend($1, 30000)", pid)
            await owner.close()
        await tx.execute(text("insert into note values (1, 'a')"))
        return killed

    assert await notes.run(work) == 3
    assert await _count(notes) == 1


async def test_attempts_run_out() -> None:
    nobody_listens = Database("postgresql://nobody@127.0.0.1:1/none")
    began = time.monotonic()
    with pytest.raises(ConnectionRefusedError):
        await nobody_listens.now_ms()
    await nobody_listens.close()
    waited_ms = (time.monotonic() - began) * 1_000
    assert waited_ms >= FIRST_DELAY_MS * (2 ** (ATTEMPTS_MAX - 1) - 1) / 2


async def test_a_refused_statement_is_not_tried_again(notes: Database) -> None:
    calls = 0

    async def work(tx: Transaction) -> None:
        nonlocal calls
        calls += 1
        await tx.execute(text("select 1 / 0"))

    with pytest.raises(DBAPIError) as caught:
        await notes.run(work)
    assert sqlstate_of(caught.value) == "22012"
    assert not is_transient(caught.value)
    assert calls == 1


async def test_every_session_has_its_limits_and_its_role(database: Database) -> None:
    async with database.transaction() as tx:
        shown = {
            name: (await tx.execute(text(f"show {name}"))).scalar_one()
            for name in (
                "role",
                "lock_timeout",
                "statement_timeout",
                "idle_in_transaction_session_timeout",
                "timezone",
                "transaction_isolation",
                "fsync",
            )
        }
    assert shown == {
        "role": "pakka_app",
        "lock_timeout": "2s",
        "statement_timeout": "5s",
        "idle_in_transaction_session_timeout": "5s",
        "timezone": "UTC",
        "transaction_isolation": "read committed",
        "fsync": "on",
    }


async def test_the_clock_is_the_database_s_and_moves_within_a_transaction(
    database: Database,
) -> None:
    async with database.transaction() as tx:
        first = await now_ms(tx)
        await asyncio.sleep(0.01)
        assert first + 10 <= await now_ms(tx) < first + 5_000
    assert await database.now_ms() >= first


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("postgres://a:b@h:1/d", "postgresql+asyncpg://a:b@h:1/d"),
        ("postgresql://a@h/d?sslmode=require", "postgresql+asyncpg://a@h/d?ssl=require"),
        ("postgresql+asyncpg://h/d", "postgresql+asyncpg://h/d"),
        ("postgresql:///d?host=/run/x", "postgresql+asyncpg:///d?host=/run/x"),
    ],
)
def test_an_address_is_read_as_people_write_it(written: str, read: str) -> None:
    assert engine_url(written).render_as_string(hide_password=False) == read.replace(
        "/run/x", "%2Frun%2Fx"
    )


@pytest.mark.parametrize("written", ["", "nonsense", "mysql://u:secret@h/d"])
def test_another_address_is_a_fault_that_keeps_the_password(written: str) -> None:
    with pytest.raises(Fault, match="DATABASE_URL") as caught:
        Database(written)
    assert "secret" not in str(caught.value)
