"""What a database holds, before it is backed up or restored into."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import text

from server.database import SCHEMAS, Database, Transaction


@dataclass(frozen=True, slots=True)
class Found:
    """A database, and the time by its clock.

    Shape: `major` is PostgreSQL's version; `revision` the schema's, None if there is none;
           `sealed_by` the public key of the last seal, None as long as nothing was sealed.
    """

    major: int
    revision: str | None
    sealed_by: bytes | None
    is_empty: bool
    at: datetime


def look_at(url: str) -> Found:
    """Look at a database as its owner; it blocks and has an event loop of its own."""
    return asyncio.run(_look_at(url))


async def _look_at(url: str) -> Found:
    database = Database(url, pool_size=1, role=None)
    try:
        return await database.run(_found)
    finally:
        await database.close()


async def _found(tx: Transaction) -> Found:
    async def there(name: str) -> bool:
        return bool((await tx.execute(_IS_THERE, {"name": name})).scalar_one())

    version = int((await tx.execute(_VERSION)).scalar_one())
    revision = sealed_by = None
    if await there("public.alembic_version"):
        revision = (await tx.execute(_REVISION)).scalar_one_or_none()
    if await there("ledger.seal"):
        sealed_by = (await tx.execute(_SEALED_BY)).scalar_one_or_none()
    is_empty = bool((await tx.execute(_IS_EMPTY, {"schemas": list(SCHEMAS)})).scalar_one())
    at = (await tx.execute(_TIME)).scalar_one().astimezone(UTC)
    return Found(version // 10_000, revision, sealed_by, is_empty, at)


_VERSION = text("select current_setting('server_version_num')")
_TIME = text("select clock_timestamp()")
_IS_THERE = text("select to_regclass(:name) is not null")
_REVISION = text("select version_num from public.alembic_version")
_SEALED_BY = text("select server_pub from ledger.seal order by seq desc limit 1")
_IS_EMPTY = text("""
    select not exists (
             select from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
                and not exists (select from pg_depend d
                                 where d.classid = 'pg_class'::regclass and d.objid = c.oid
                                   and d.deptype = 'e'))
       and not exists (select from pg_namespace where nspname = any (:schemas))
""")
"""Views that an extension brought are nobody's data."""
