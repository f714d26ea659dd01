"""What alembic runs: every floor's tables, one connection, one migration at a time."""

import asyncio
import os

from alembic import context
from sqlalchemy import Connection, pool, text
from sqlalchemy.ext.asyncio import create_async_engine

import server.fairness.models
import server.identity.models
import server.ledger.models
import server.tables.models  # noqa: F401 -- each floor adds its tables to the one metadata
from server.database import SCHEMAS, Base, engine_url

MIGRATION_LOCK = 0x50414B4B41  # "PAKKA": the key of the advisory lock


def _is_ours(name: str | None, kind: str, _parents: object) -> bool:
    return kind != "schema" or name in SCHEMAS


def _migrate(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        include_schemas=True,
        include_name=_is_ours,
        compare_server_default=True,
    )
    with context.begin_transaction():
        connection.execute(text(f"select pg_advisory_xact_lock({MIGRATION_LOCK})"))
        context.run_migrations()


async def _connect_and_migrate(url: str) -> None:
    engine = create_async_engine(engine_url(url), poolclass=pool.NullPool)
    try:
        async with engine.connect() as connection:
            await connection.run_sync(_migrate)
            await connection.commit()
    finally:
        await engine.dispose()


asyncio.run(
    _connect_and_migrate(context.config.attributes.get("url") or os.environ["DATABASE_URL"])
)
