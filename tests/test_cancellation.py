"""A task that is cancelled leaves nothing open, wherever it was: at any await, early or late."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from itertools import count
from random import Random
from typing import Any

import pytest
from argon2 import PasswordHasher
from sqlalchemy import text

from server.database import Database
from server.identity import passwords
from server.identity import service as identity
from server.identity.service import Player, SignedIn
from tests.cancelling import Cancelled, assert_all_is_let_go
from tests.conftest import execute
from tests.ledger.house import HT, broken, hold, issue, open_accounts, people, settle, void

POOL = 3
AWAITS_MAX = 100
PLAYERS = people(6)
PASSWORD = "eight or more"

Work = Callable[[], Coroutine[Any, Any, Any]]


@pytest.fixture
async def small(database_url: str) -> AsyncIterator[Database]:
    """A database with few connections, so that a lost one is missed."""
    database = Database(database_url, pool_size=POOL)
    yield database
    await database.close()


@pytest.fixture
async def house(small: Database) -> Database:
    """The same with a ledger of six players."""
    await open_accounts(small, PLAYERS)
    return small


async def test_a_task_cancelled_between_statement_and_commit_leaves_no_open_transaction(
    small: Database, database_url: str
) -> None:
    """At every await: the connect, each statement, what lies between them, the commit."""
    execute(
        database_url,
        "create table public.note (id int generated always as identity, body text)",
        "grant select, insert, update on public.note to pakka_app",
    )

    async def work() -> None:
        async with small.transaction() as tx:
            await tx.execute(text("insert into note (body) values ('a')"))
            await asyncio.sleep(0)
            await tx.execute(text("lock table note in share row exclusive mode"))
            await tx.execute(text("update note set body = 'b'"))

    for times, late in ((1, False), (1, True), (4, False)):
        assert await _at_every_await(work, small, times=times, late=late) > 5
    await assert_all_is_let_go(small, database_url)
    async with small.transaction() as tx:
        assert (await tx.execute(text("select id from note where body = 'a'"))).all() == []


async def _at_every_await(work: Work, database: Database, *, times: int, late: bool) -> int:
    for point in range(1, AWAITS_MAX):
        cancelled = Cancelled(work(), point, times=times, late=late)
        ended = await cancelled.run()
        assert database.in_use == 0, f"at await {point}"
        if not cancelled.was_reached:
            assert ended is None
            return point - 1
        assert ended is None or isinstance(ended, asyncio.CancelledError), repr(ended)
    raise AssertionError("the work has no end")


async def test_postings_cancelled_anywhere_keep_the_ledger_whole(
    house: Database, database_url: str
) -> None:
    chance, numbers = Random(11), count(1)

    async def hand() -> None:
        number, seats = next(numbers), chance.sample(PLAYERS, 4)
        await hold(house, number, seats)
        await issue(house, seats[0], HT, key=f"prize {number}")
        await settle(house, number, seats[0], dict.fromkeys(seats[1:], HT))

    await _at_random(chance, [hand], times=50)
    await assert_all_is_let_go(house, database_url)
    assert await broken(house) == []
    left = next(numbers)
    await hold(house, left, PLAYERS)  # nobody is locked, and whoever plays is covered
    await void(house, left)
    assert await broken(house) == []


async def test_sign_ins_cancelled_anywhere_leave_the_door_open(
    small: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=64))
    chance, numbers = Random(12), count(1)
    await small.run(lambda tx: identity.sign_up(tx, name="Asha", password=PASSWORD))

    async def come_in() -> SignedIn:
        return await small.run(lambda tx: identity.sign_in(tx, name="Asha", password=PASSWORD))

    async def come_anew() -> SignedIn:
        name = f"Bela{next(numbers)}"
        return await small.run(lambda tx: identity.sign_up(tx, name=name, password=PASSWORD))

    async def be_guest() -> SignedIn:
        return await small.run(lambda tx: identity.create_guest(tx, "Chand"))

    await _at_random(chance, [come_in, come_anew, be_guest], times=40)
    await assert_all_is_let_go(small, database_url)
    token = (await come_in()).token

    async def who() -> Player:
        return await small.run(lambda tx: identity.player_of_token(tx, token))

    assert (await who()).name == "Asha"


async def _at_random(chance: Random, works: list[Work], *, times: int) -> None:
    """Begin works, more at once than there are connections, and cancel each somewhere."""
    deepest = 1
    for _ in range(times // (3 * POOL)):
        begun = [
            Cancelled(
                chance.choice(works)(), chance.randint(1, deepest + 5), times=times, late=late
            )
            for times, late in ((1, False), (1, True), (3, False)) * POOL
        ]
        ends = await asyncio.gather(*(one.run() for one in begun))
        assert {type(end) for end in ends} <= {type(None), asyncio.CancelledError}, ends
        deepest = max(deepest, *(one.awaits for one in begun))
    assert deepest > 5
