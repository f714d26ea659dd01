"""The schema of the database: bringing it up to date, and asking whether it is.

Owns:     the only calls of alembic, from a checkout as from an installed package.
Promises: several processes may migrate at once; one does it and the others wait.
Imports:  alembic and `database`; `migrations` is found by its package's path.
"""

import asyncio
from importlib.util import find_spec
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, pool, text
from sqlalchemy.ext.asyncio import create_async_engine

from server.database import APP_ROLE, SCHEMAS, engine_url
from server.errors import Fault


def migrate(url: str) -> None:
    """Bring the schema up to date, as the owner of the database.

    It blocks and has an event loop of its own: inside of one, call it by `asyncio.to_thread`.
    """
    command.upgrade(_config(url), "head")


def is_current(url: str) -> bool:
    """Tell whether the schema is up to date; it blocks as `migrate` does."""
    wanted = set(ScriptDirectory.from_config(_config(url)).get_heads())
    return asyncio.run(_heads(url)) == wanted


def is_known(revision: str) -> bool:
    """Tell whether a revision is one of this version's, and not of a later one."""
    script = ScriptDirectory.from_config(_config(""))
    return any(one.revision == revision for one in script.walk_revisions())


def make_role(url: str) -> None:
    """Make the role that the application plays, as revision 0001 does; it blocks as `migrate`."""
    asyncio.run(_execute(url, _MAKE_ROLE, _TAKE_ROLE))


def grant_to_role(url: str) -> None:
    """Say again what a dump does not bring: who may use the schema, and tables yet to be made."""
    later = [
        f"alter default privileges in schema {schema} grant select on tables to {APP_ROLE}"
        for schema in SCHEMAS
    ]
    public = (
        "revoke create on schema public from public",
        f"grant usage on schema public to {APP_ROLE}",
    )
    asyncio.run(_execute(url, *public, *later))


def drop(url: str) -> None:
    """Take everything away that migrations made; the role stays, as others may play it."""
    schemas = ", ".join(SCHEMAS)
    asyncio.run(
        _execute(
            url,
            f"drop schema if exists {schemas} cascade",
            "drop table if exists public.alembic_version",
        )
    )


async def _execute(url: str, *statements: str) -> None:
    engine = create_async_engine(engine_url(url), poolclass=pool.NullPool)
    try:
        async with engine.begin() as connection:
            for statement in statements:
                await connection.execute(text(statement))
    finally:
        await engine.dispose()


def _config(url: str) -> Config:
    spec = find_spec("migrations")
    if spec is None or not spec.submodule_search_locations:
        raise Fault("the package migrations is missing")
    config = Config()
    config.set_main_option("script_location", str(Path(spec.submodule_search_locations[0])))
    config.set_main_option("path_separator", "os")
    config.attributes["url"] = url
    return config


async def _heads(url: str) -> set[str]:
    engine = create_async_engine(engine_url(url), poolclass=pool.NullPool)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(_heads_of)
    finally:
        await engine.dispose()


def _heads_of(connection: Connection) -> set[str]:
    return set(MigrationContext.configure(connection).get_current_heads())


_MAKE_ROLE = f"""
do $$ begin
  if not exists (select from pg_roles where rolname = '{APP_ROLE}') then
    create role {APP_ROLE} nologin noinherit;
  end if;
exception when duplicate_object or unique_violation then
  null;
end $$
"""

_TAKE_ROLE = f"""
do $$ begin
  set local role {APP_ROLE};
  reset role;
exception when insufficient_privilege then
  begin
    grant {APP_ROLE} to current_user;
  exception when internal_error or unique_violation then
    null;
  end;
end $$
"""
