"""Operators: one-time links, roles, and the list of acts that nobody changes."""

import asyncio

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from server.database import Database, sqlstate_of
from server.errors import Refusal
from server.identity import operators
from server.identity.operators import Role
from tests.identity.test_service import refused


async def signed_in(database: Database, role: Role, name: str = "Meera") -> str:
    """Make an operator and sign in by the link."""
    async with database.transaction() as tx:
        _, link = await operators.create_operator(tx, name=name, role=role)
        _, token = await operators.operator_sign_in_by_link(tx, link)
    return token


async def test_a_link_signs_in_once(database: Database) -> None:
    async with database.transaction() as tx:
        made, link = await operators.create_operator(tx, name="Meera", role=Role.ADMIN)
        operator, token = await operators.operator_sign_in_by_link(tx, link)
        assert operator == made
        assert await operators.operator_of_token(tx, token) == made
        assert await refused(operators.operator_sign_in_by_link(tx, link)) == "bad_link"


async def test_a_link_used_by_many_at_once_signs_in_one(database: Database) -> None:
    async with database.transaction() as tx:
        _, link = await operators.create_operator(tx, name="Meera", role=Role.ADMIN)

    async def use() -> None:
        async with database.transaction() as tx:
            await operators.operator_sign_in_by_link(tx, link)

    results = await asyncio.gather(*(use() for _ in range(6)), return_exceptions=True)
    assert sorted(isinstance(result, Refusal) for result in results) == [False] + [True] * 5


async def test_a_link_ends_after_its_time(database: Database, database_url: str) -> None:
    async with database.transaction() as tx:
        _, link = await operators.create_operator(tx, name="Meera", role=Role.ADMIN)
        life = "select extract(epoch from expires_at - now()) from identity.sign_in_link"
        assert (await tx.execute(text(life))).scalar_one() == 15 * 60
    owner = await asyncpg.connect(database_url)
    await owner.execute("update identity.sign_in_link set expires_at = now()")
    await owner.close()
    async with database.transaction() as tx:
        assert await refused(operators.operator_sign_in_by_link(tx, link)) == "bad_link"


async def test_the_same_operator_gets_a_new_link_and_the_old_one_ends(database: Database) -> None:
    async with database.transaction() as tx:
        one, old = await operators.create_operator(tx, name="Meera", role=Role.ADMIN)
        two, _ = await operators.create_operator(tx, name="meera", role=Role.ADMIN)
        assert one == two
        assert await refused(operators.operator_sign_in_by_link(tx, old)) == "bad_link"
        other = operators.create_operator(tx, name="Meera", role=Role.VIEWER)
        assert await refused(other) == "name_taken"


@pytest.mark.parametrize("role", list(Role))
async def test_a_role_may_what_is_below_it(database: Database, role: Role) -> None:
    token = await signed_in(database, role)
    async with database.transaction() as tx:
        for least in Role:
            if least <= role:
                assert (await operators.operator_of_token(tx, token, least=least)).role is role
            else:
                asked = operators.operator_of_token(tx, token, least=least)
                assert await refused(asked) == "not_allowed"


async def test_an_operator_signs_out(database: Database) -> None:
    token = await signed_in(database, Role.VIEWER)
    async with database.transaction() as tx:
        await operators.operator_sign_out(tx, token)
        assert await refused(operators.operator_of_token(tx, token)) == "not_signed_in"


async def test_acts_are_listed_the_newest_first(database: Database) -> None:
    async with database.transaction() as tx:
        for number in range(3):
            await operators.record_act(
                tx, operator="Meera", act="issue", subject=f"player:{number}", reason="  a  gift "
            )
        assert [act.subject for act in await operators.acts(tx, limit=2)] == [
            "player:2",
            "player:1",
        ]
        first = (await operators.acts(tx, subject="player:0"))[0]
        assert (first.operator, first.act, first.reason) == ("Meera", "issue", "a gift")
        assert await operators.acts(tx, before=first.id) == []


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501, "a\x00b"])
async def test_an_act_has_a_reason(database: Database, reason: str) -> None:
    async with database.transaction() as tx:
        act = operators.record_act(tx, operator="M", act="issue", subject="s", reason=reason)
        assert await refused(act) == "bad_reason"


@pytest.mark.parametrize(
    "statement",
    ["update identity.act set reason = 'x'", "delete from identity.act", "truncate identity.act"],
)
async def test_an_act_stays_even_for_the_owner(
    database: Database, database_url: str, statement: str
) -> None:
    async with database.transaction() as tx:
        await operators.record_act(tx, operator="M", act="issue", subject="s", reason="r")
    with pytest.raises(DBAPIError) as caught:
        async with database.transaction() as tx:
            await tx.execute(text(statement))
    assert sqlstate_of(caught.value) == "42501"
    owner = await asyncpg.connect(database_url)
    with pytest.raises(asyncpg.PostgresError, match="append-only"):
        await owner.execute(statement)
    await owner.close()
