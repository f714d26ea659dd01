"""The schema of the database: bringing it up to date, and asking whether it is.

Owns:     the only calls of alembic, from a checkout as from an installed package.
Promises: several processes may migrate at once; one does it and the others wait.
Imports:  alembic, `roles` and `database`; `migrations` is found by its package's path.
"""

import asyncio
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, pool
from sqlalchemy.ext.asyncio import create_async_engine

from server.database import SCHEMAS, Addresses, engine_url, sqlstate_of
from server.errors import Fault
from server.roles import FORBIDDEN, admit, execute

OWNER_NEEDED: Final = (
    "only the database's owner may do that: PAKKA_OWNER_DATABASE_URL says who it is"
)


def migrate(url: str) -> None:
    """Bring the schema up to date, as the owner of the database.

    It blocks and has an event loop of its own: inside of one, call it by `asyncio.to_thread`.
    """
    command.upgrade(_config(url), "head")


def prepare(addresses: Addresses) -> None:
    """Bring the schema up to date as the owner and let the application in; blocks as `migrate`.

    Where the application has the only address, it need not be the owner's as long as there is
    nothing to bring up to date.

    Errors: Fault if the owner is needed and isn't there.
    """
    try:
        migrate(addresses.owner)
        if addresses.owner != addresses.application:
            admit(owner=addresses.owner, application=addresses.application)
    except Exception as error:
        if sqlstate_of(error) != FORBIDDEN:
            raise
        raise Fault(OWNER_NEEDED) from None


def is_current(url: str) -> bool:
    """Tell whether the schema is up to date; it blocks as `migrate` does."""
    wanted = set(ScriptDirectory.from_config(_config(url)).get_heads())
    return asyncio.run(_heads(url)) == wanted


def is_known(revision: str) -> bool:
    """Tell whether a revision is one of this version's, and not of a later one."""
    script = ScriptDirectory.from_config(_config(""))
    return any(one.revision == revision for one in script.walk_revisions())


def drop(url: str) -> None:
    """Take everything away that migrations made; the role stays, as others may play it."""
    schemas = ", ".join(SCHEMAS)
    execute(
        url,
        f"drop schema if exists {schemas} cascade",
        "drop table if exists public.alembic_version",
    )


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
