"""The schema: migrating, by many at once, by an owner without rights."""

import subprocess
import sys
from pathlib import Path

import asyncpg
from sqlalchemy import text

from server.database import Database
from server.schema import is_current, migrate
from tests.conftest import execute, run_apart, url_of

ROOT = Path(__file__).parents[1]


def test_the_schema_is_current_after_migrating_and_migrating_again(postgres_url: str) -> None:
    execute(postgres_url, "create database pakka_migrating")
    url = url_of(postgres_url, "pakka_migrating")
    assert not is_current(url)
    migrate(url)
    migrate(url)
    assert is_current(url)


def test_many_processes_may_migrate_at_once(postgres_url: str) -> None:
    """Two on one database, one on its neighbour: the role is made once for the whole cluster."""
    names = ["pakka_race_a", "pakka_race_a", "pakka_race_b"]
    execute(postgres_url, *(f"create database {name}" for name in sorted(set(names))))
    code = "import sys; from server.schema import migrate; migrate(sys.argv[1])"
    running = [
        subprocess.Popen([sys.executable, "-c", code, url_of(postgres_url, name)], cwd=ROOT)
        for name in names
    ]
    assert [process.wait(180) for process in running] == [0, 0, 0]
    assert all(is_current(url_of(postgres_url, name)) for name in names)


def test_an_owner_without_superuser_rights_may_migrate_and_play_the_role(
    postgres_url: str,
) -> None:
    execute(
        postgres_url,
        "create role landlord login createrole password 'secret'",
        "create database pakka_landlord owner landlord",
    )
    plain = url_of(postgres_url, "pakka_landlord").split("@")[1]
    url = f"postgresql://landlord:secret@{plain}"
    if run_apart(lambda: _role_exists(postgres_url)):
        execute(postgres_url, "grant pakka_app to landlord")
    migrate(url)

    async def work() -> str:
        database = Database(url)
        try:
            async with database.transaction() as tx:
                return str((await tx.execute(text("select current_user"))).scalar_one())
        finally:
            await database.close()

    assert run_apart(work) == "pakka_app"


async def _role_exists(url: str) -> bool:
    connection = await asyncpg.connect(url)
    try:
        return bool(await connection.fetchval("select to_regrole('pakka_app') is not null"))
    finally:
        await connection.close()
