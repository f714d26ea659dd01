"""Stored answers: the same key brings the same answer and moves nothing."""

import asyncio

import pytest
from sqlalchemy import text

from server.database import Database, Transaction
from server.errors import Refusal
from server.identity import answers
from server.identity.answers import StoredAnswer
from tests.identity.test_service import refused

ASK = {"actor": "player:1", "key": "k1"}


async def work(tx: Transaction, body: str = "{}") -> StoredAnswer:
    """Answer a request as `web` does: find the answer, or do the work and store it."""
    known = await answers.stored_answer(tx, **ASK, request=b"POST /x {}")
    if known is not None:
        return known
    await asyncio.sleep(0.02)
    await answers.store_answer(tx, **ASK, status=201, body=body)
    return StoredAnswer(201, body)


async def test_a_repeat_gets_the_first_answer(database: Database) -> None:
    async with database.transaction() as tx:
        await work(tx, "first")
    async with database.transaction() as tx:
        assert await work(tx, "second") == StoredAnswer(201, "first")


async def test_many_at_once_do_the_work_once(database: Database) -> None:
    async def ask(number: int) -> StoredAnswer:
        async with database.transaction() as tx:
            return await work(tx, str(number))

    results = await asyncio.gather(*(ask(number) for number in range(8)))
    assert len(set(results)) == 1


async def test_a_failure_is_never_the_stored_answer(database: Database) -> None:
    async def fail() -> None:
        async with database.transaction() as tx:
            await answers.stored_answer(tx, **ASK, request=b"POST /x {}")
            raise ConnectionError("the database went away")

    with pytest.raises(ConnectionError):
        await fail()
    async with database.transaction() as tx:
        assert await work(tx, "first") == StoredAnswer(201, "first")


async def test_a_key_means_one_request_of_one_actor(database: Database) -> None:
    async with database.transaction() as tx:
        await work(tx)
        other = answers.stored_answer(tx, **ASK, request=b"POST /y {}")
        assert await refused(other) == "key_reused"
        mine = answers.stored_answer(tx, actor="player:2", key="k1", request=b"POST /y {}")
        assert await mine is None


@pytest.mark.parametrize("key", ["", "x" * 201, "a\nb", "क"])
async def test_a_bad_key_is_refused(database: Database, key: str) -> None:
    async with database.transaction() as tx:
        with pytest.raises(Refusal) as caught:
            await answers.stored_answer(tx, actor="player:1", key=key, request=b"")
    assert (caught.value.code, caught.value.field) == ("bad_key", "Idempotency-Key")


async def test_old_answers_are_forgotten(database: Database) -> None:
    async with database.transaction() as tx:
        await work(tx)
        assert await answers.forget_old_answers(tx, days=7) == 0
        await tx.execute(text("update identity.answer set at = at - interval '8 days'"))
        assert await answers.forget_old_answers(tx, days=7) == 1
