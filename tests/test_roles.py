"""Logins and roles: the application's own can neither change what is written nor become another."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from server.database import Addresses, Database
from server.errors import Fault
from server.fairness import repository
from server.fairness.signing import SigningKey
from server.roles import FORBIDDEN, admit
from server.schema import is_current, migrate, prepare
from server.sealing.sealer import seal_all
from server.settings import Settings
from server.tuning import addresses_of
from tests.conftest import APPLICATION, application_of, execute, run_apart, url_of
from tests.ledger.house import HT, as_owner, hold, open_accounts, people, settle

ASHA, BELA = people(2)

KEPT = """
select n.nspname || '.' || c.relname as kept,
       string_agg(distinct quote_ident(a.attname), ',') as columns
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_proc p on p.oid = t.tgfoid join pg_attribute a on a.attrelid = c.oid
 where p.proname in ('forbid', 'refuse_change', 'refuse_jump', 'only_grows')
   and not t.tgisinternal and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
 group by 1
"""
"""Every table of which a trigger says that something of it may not be changed."""

GROWING = {"fairness.log_head": {"size"}, "tables.figure": {"table_id", "name", "count", "since"}}
"""Columns that the application may update, to what their trigger lets through."""


@pytest.fixture
async def login(database: Database, database_url: str) -> AsyncIterator[asyncpg.Connection]:
    """The application's login as an intruder has it: no role is set, every statement is his own."""
    await open_accounts(database, [ASHA, BELA])
    await hold(database, 1, [ASHA, BELA])
    await settle(database, 1, ASHA, {BELA: HT})
    await seal_all(database, SigningKey(b"s" * 32))
    connection = await asyncpg.connect(application_of(database_url))
    yield connection
    await connection.close()


async def state_of(login: asyncpg.Connection, statement: str) -> str | None:
    try:
        await login.execute(statement)
    except asyncpg.PostgresError as error:
        return str(error.sqlstate)
    return None


async def kept(url: str) -> dict[str, list[str]]:
    return {row["kept"]: row["columns"].split(",") for row in await as_owner(url, KEPT)}


async def test_what_is_written_is_neither_updated_nor_deleted_nor_truncated_by_the_application(
    login: asyncpg.Connection, database_url: str
) -> None:
    tables = await kept(database_url)
    assert {
        "ledger.journal", "ledger.posting", "ledger.hold", "ledger.hand_hold", "ledger.seal",
        "tables.journal", "tables.record", "fairness.log_entry", "fairness.log_node",
        "fairness.log_head", "fairness.seed", "identity.act",
    } < set(tables)  # fmt: skip
    for table, columns in tables.items():
        for statement in (f"delete from {table}", f"truncate {table} cascade"):
            assert await state_of(login, statement) == FORBIDDEN, statement
        for column in set(columns) - GROWING.get(table, set()):
            statement = f"update {table} set {column} = default"
            assert await state_of(login, statement) == FORBIDDEN, statement


async def test_the_application_takes_no_guard_away(
    login: asyncpg.Connection, database_url: str
) -> None:
    for table in await kept(database_url):
        name = (await as_owner(
            database_url,
            "select tgname from pg_trigger where not tgisinternal "
            f"and tgrelid = '{table}'::regclass limit 1",
        ))[0]["tgname"]  # fmt: skip
        for statement in (
            f"drop trigger {name} on {table}",
            f"alter table {table} disable trigger {name}",
            f"alter table {table} owner to current_user",
            f"drop table {table} cascade",
            f"create rule nothing as on insert to {table} do instead nothing",
            f"grant all on {table} to current_user",
        ):
            state = await state_of(login, statement)
            # a grant of what one doesn't have is a warning, and grants nothing
            assert state == FORBIDDEN or (state is None and statement.startswith("grant")), (
                statement
            )
    assert await state_of(login, "delete from ledger.journal") == FORBIDDEN


OTHERS = (
    "set role pakka",
    "set session authorization pakka",
    "set session_replication_role = replica",
    "alter role current_user superuser",
    "alter role current_user createrole",
    "create role other",
    "grant pakka to current_user",
    "drop schema ledger cascade",
    "alter function ledger.forbid() owner to current_user",
    "drop function ledger.forbid() cascade",
    "create or replace function ledger.forbid() returns trigger language plpgsql"
    " as 'begin return new; end'",
    "create function tables.x() returns int language sql as 'select 1'",
    "create table public.x (id int)",
    "create schema x",
    "update public.alembic_version set version_num = 'x'",
    "copy (select 1) to program 'true'",
    "select pg_read_file('PG_VERSION')",
    "select rolpassword from pg_authid",
    "alter system set fsync = off",
)


async def test_the_application_becomes_nobody_else(login: asyncpg.Connection) -> None:
    assert {line: await state_of(login, line) for line in OTHERS} == dict.fromkeys(
        OTHERS, FORBIDDEN
    )


async def test_who_gives_the_applications_role_up_has_no_more_rights_than_before(
    login: asyncpg.Connection, database: Database
) -> None:
    async with database.transaction() as tx:
        await repository.as_owner(tx)
        assert (await tx.execute(text("select current_user"))).scalar_one() == APPLICATION

    async def delete() -> None:
        async with database.transaction() as tx:
            await repository.as_owner(tx)
            await tx.execute(text("delete from ledger.journal"))

    with pytest.raises(DBAPIError, match="permission denied"):
        await delete()


async def test_no_function_is_for_everybody_and_each_has_a_fixed_search_path(
    database_url: str,
) -> None:
    rows = await as_owner(
        database_url,
        "select n.nspname || '.' || p.proname as name, p.proconfig,"
        " has_function_privilege('public', p.oid, 'execute') as anybody"
        " from pg_proc p join pg_namespace n on n.oid = p.pronamespace"
        " where n.nspname in ('identity', 'ledger', 'fairness', 'tables')",
    )
    assert len(rows) > 13
    assert [row["name"] for row in rows if row["anybody"]] == []
    paths = {row["name"]: row["proconfig"] for row in rows}
    assert set(map(str, paths.values())) == {"['search_path=pg_catalog, pg_temp']"}, paths


@pytest.fixture
def bare(postgres_url: str) -> Iterator[Addresses]:
    """An empty database, and a login for it that isn't there."""
    execute(postgres_url, "create database pakka_roles")
    owner = url_of(postgres_url, "pakka_roles")
    yield Addresses(owner=owner, application=owner.replace("//pakka:", "//new_login:not", 1))
    execute(postgres_url, "drop database pakka_roles with (force)", "drop role if exists new_login")


def who(url: str) -> str:
    async def ask() -> str:
        connection = await asyncpg.connect(url, server_settings={"role": "pakka_app"})
        try:
            return str(await connection.fetchval("select session_user || ' as ' || current_user"))
        finally:
            await connection.close()

    return run_apart(ask)


def test_a_login_that_is_not_there_is_made_and_one_that_is_keeps_its_password(
    bare: Addresses,
) -> None:
    prepare(bare)
    assert who(bare.application) == "new_login as pakka_app"
    assert is_current(bare.application)
    prepare(bare)
    admit(owner=bare.owner, application=bare.application.replace(":not", ":other", 1))
    assert who(bare.application) == "new_login as pakka_app"


def test_a_login_that_somebody_else_made_is_let_in(bare: Addresses, postgres_url: str) -> None:
    password = bare.application.split("new_login:")[1].split("@")[0]
    execute(postgres_url, f"create role new_login login password '{password}'")
    prepare(bare)
    assert who(bare.application) == "new_login as pakka_app"


async def test_processes_that_start_at_once_make_one_login(bare: Addresses) -> None:
    await asyncio.to_thread(migrate, bare.owner)

    def let_in() -> None:
        admit(owner=bare.owner, application=bare.application)

    await asyncio.gather(*(asyncio.to_thread(let_in) for _ in range(4)))
    assert await asyncio.to_thread(who, bare.application) == "new_login as pakka_app"


def test_without_the_owner_a_house_starts_on_a_current_schema_alone(bare: Addresses) -> None:
    prepare(bare)
    alone = Addresses(owner=bare.application, application=bare.application)
    prepare(alone)
    execute(bare.owner, "update public.alembic_version set version_num = '0001'")
    with pytest.raises(Fault, match=r"^only the database's owner may .* PAKKA_OWNER_DATABASE_URL"):
        prepare(alone)
    assert not is_current(bare.owner)


def test_an_owner_who_may_not_make_logins_is_told(bare: Addresses, postgres_url: str) -> None:
    execute(
        postgres_url,
        "create role poor login password 'poor'",
        "grant pakka_app to poor",
        "alter database pakka_roles owner to poor",
    )
    owner = bare.owner.split("@")[1]
    try:
        with pytest.raises(Fault, match="PAKKA_OWNER_DATABASE_URL"):
            prepare(
                Addresses(owner=f"postgresql://poor:poor@{owner}", application=bare.application)
            )
    finally:
        execute(postgres_url, "alter database pakka_roles owner to pakka")
        execute(bare.owner, "drop owned by poor cascade", "drop role poor")


def test_the_addresses_come_from_the_settings() -> None:
    def of(**given: str) -> Addresses | None:
        return addresses_of(Settings(**given))  # type: ignore[arg-type]  # as the environment says them

    plain, owner = "postgresql://a@h/d", "postgresql://o@h/d"
    assert of() is None
    assert of(DATABASE_URL=plain) == Addresses(owner=plain, application=plain)
    both = Addresses(owner=owner, application=plain)
    assert of(DATABASE_URL=plain, owner_database_url=owner) == both
    with pytest.raises(Fault, match="DATABASE_URL is not"):
        of(owner_database_url=owner)
    with pytest.raises(Fault, match=r"^PAKKA_OWNER_DATABASE_URL must begin with"):
        of(DATABASE_URL=plain, owner_database_url="mysql://o:geheim@h/d")
