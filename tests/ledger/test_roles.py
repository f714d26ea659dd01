"""Who may do what: the application calls functions and reads; not even the owner changes a row."""

import secrets

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from server.database import Database, sqlstate_of
from server.fairness.signing import SigningKey
from server.sealing.sealer import seal_all
from tests.ledger.house import HT, as_owner, hold, open_accounts, people, settle

ASHA, BELA = people(2)
APPEND_ONLY = ("hand_hold", "hold", "journal", "posting", "hold_resolution", "command", "seal")
FORBIDDEN = "42501"


@pytest.fixture
async def history(database: Database) -> Database:
    """A ledger with rows in every table."""
    await open_accounts(database, [ASHA, BELA])
    await hold(database, 1, [ASHA, BELA])
    await settle(database, 1, ASHA, {BELA: HT})
    await seal_all(database, SigningKey(secrets.token_bytes(32)))
    return database


async def _state_of(database: Database, statement: str) -> str | None:
    with pytest.raises(DBAPIError) as caught:
        await _run(database, statement)
    return sqlstate_of(caught.value)


async def _run(database: Database, statement: str) -> None:
    async with database.transaction() as tx:
        await tx.execute(text(statement))


@pytest.mark.parametrize("table", [*APPEND_ONLY, "account", "xid_base"])
async def test_the_application_reads_and_writes_nothing_itself(
    history: Database, table: str
) -> None:
    await _run(history, f"select * from ledger.{table}")
    for statement in (
        f"delete from ledger.{table}",
        f"truncate ledger.{table} cascade",
        f"insert into ledger.{table} default values",
        f"drop table ledger.{table}",
        f"alter table ledger.{table} disable trigger all",
    ):
        assert await _state_of(history, statement) == FORBIDDEN


@pytest.mark.parametrize(
    "change",
    ["account set posted = 1", "account set held = 0", "posting set amount = 0",
     "journal set reason = 'x'", "hand_hold set commission_bps = 0", "hold set amount = 1",
     "hold_resolution set outcome = 2", "command set key = 'x'", "seal set entries = 0",
     "xid_base set base = 1"],
)  # fmt: skip
async def test_the_application_updates_nothing_itself(history: Database, change: str) -> None:
    assert await _state_of(history, f"update ledger.{change}") == FORBIDDEN


async def test_the_application_makes_nothing(history: Database) -> None:
    for statement in (
        "create table ledger.x (id int)",
        "create function ledger.x() returns int language sql as 'select 1'",
        "create table public.account (id int)",
        "select nextval('ledger.journal_id')",
    ):
        assert await _state_of(history, statement) == FORBIDDEN


@pytest.mark.parametrize("table", APPEND_ONLY)
async def test_not_even_the_owner_changes_an_append_only_row(
    history: Database, database_url: str, table: str
) -> None:
    column = (await as_owner(database_url, f"select * from ledger.{table} limit 1"))[0]
    name = next(iter(column.keys()))
    for statement in (
        f"update ledger.{table} set {name} = {name}",
        f"delete from ledger.{table}",
        f"truncate ledger.{table} cascade",
    ):
        with pytest.raises(asyncpg.PostgresError) as caught:
            await as_owner(database_url, statement)
        assert caught.value.sqlstate == "LG009"


async def test_not_even_the_owner_takes_an_account_away_or_gives_it_to_another(
    history: Database, database_url: str
) -> None:
    for statement in (
        "delete from ledger.account",
        "truncate ledger.account cascade",
        "update ledger.account set player_id = 9 where player_id = 1",
        "update ledger.account set min_available = -5 where player_id = 1",
    ):
        with pytest.raises(asyncpg.PostgresError) as caught:
            await as_owner(database_url, statement)
        assert caught.value.sqlstate == "LG009"


@pytest.mark.parametrize(
    ("lines", "count"), [("(9,1,1000,5),(9,2,1001,-4)", 2), ("(9,1,1000,5),(9,2,1001,-5)", 3),
                         ("(9,1,777,5),(9,2,1001,-5)", 2), ("(9,1,1000,0)", 2)],
)  # fmt: skip
async def test_not_even_the_owner_posts_an_unbalanced_entry(
    history: Database, database_url: str, lines: str, count: int
) -> None:
    """Another sum than zero, a missing line, an account that there isn't."""
    with pytest.raises(asyncpg.PostgresError) as caught:
        await as_owner(
            database_url,
            "begin",
            "insert into ledger.journal (id, kind, n_postings, reason, actor)"
            f" values (9, 4, {count}, 'r', 'a')",
            f"insert into ledger.posting (journal_id, line, account_id, amount) values {lines}",
            "commit",
        )
    assert caught.value.sqlstate == "LG010"


async def test_functions_run_with_a_fixed_search_path_and_are_for_the_application_alone(
    history: Database, database_url: str
) -> None:
    rows = await as_owner(
        database_url,
        "select p.proname, p.prosecdef, p.proconfig, p.prorettype = 'trigger'::regtype as trigger,"
        " has_function_privilege('public', p.oid, 'execute') as anybody,"
        " has_function_privilege('pakka_app', p.oid, 'execute') as application"
        " from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'ledger'",
    )
    assert len(rows) == 13
    for row in rows:
        assert row["proconfig"] == ["search_path=pg_catalog, pg_temp"]
        assert not row["anybody"]
        assert row["prosecdef"] is row["application"] is not row["trigger"]
