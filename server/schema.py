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
from sqlalchemy import Connection, pool
from sqlalchemy.ext.asyncio import create_async_engine

from server.database import engine_url
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
