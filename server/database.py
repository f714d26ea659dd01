"""The engine, and the only place that says commit.

Owns:     connections, transactions and their retries, the metadata that every floor's tables share.
Promises: `transaction()` commits or leaves nothing open, whatever happens to its task.
Imports:  SQLAlchemy and asyncpg; `errors`, `cancellation` and `observability` below.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, NewType, TypeVar
from uuid import UUID

import asyncpg
from sqlalchemy import Executable, MetaData, Row, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.pool import QueuePool

from server.cancellation import to_the_end
from server.errors import Fault
from server.observability.traces import part

PlayerId = NewType("PlayerId", int)
TableId = NewType("TableId", UUID)
HandId = NewType("HandId", int)

Transaction = AsyncConnection
"""What a service function gets: a connection inside the caller's transaction. It never commits."""

T = TypeVar("T")

APP_ROLE: Final = "pakka_app"
"""The role that the application plays; migrations run as the owner."""

SCHEMAS: Final = ("identity", "ledger", "fairness", "tables")

LOCK_TIMEOUT_MS: Final = 2_000
STATEMENT_TIMEOUT_MS: Final = 5_000
IDLE_IN_TRANSACTION_TIMEOUT_MS: Final = 5_000
CONNECT_TIMEOUT_S: Final = 5
POOL_WAIT_S: Final = 10

ATTEMPTS_MAX: Final = 8
FIRST_DELAY_MS: Final = 20
"""The first wait before another attempt; it doubles, 2.5 s in all."""

CONFLICTS: Final = frozenset({"40001", "40P01"})
"""SQLSTATE of a serialization failure and of a deadlock: the connection is still good."""

LOST_CONNECTIONS: Final = frozenset(
    {"57P01", "57P02", "57P03", "08000", "08001", "08003", "08004", "08006"}
)
"""SQLSTATE of a server that stops, crashes or starts, and of a connection that broke."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """Where the database is: as its owner, for migrations, and as the application.

    The two may be one: an owner plays the application's role, too.
    """

    owner: str
    application: str


class Base(DeclarativeBase):
    """The one metadata; each floor's `models.py` extends it, with its schema named."""

    metadata = MetaData(
        naming_convention={
            "ix": "%(table_name)s_%(column_0_N_name)s_idx",
            "uq": "%(table_name)s_%(column_0_N_name)s_key",
            "ck": "%(table_name)s_%(constraint_name)s",
            "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
            "pk": "%(table_name)s_pkey",
        }
    )


class Database:
    """A pool of connections that play as the application's role, with every timeout set."""

    def __init__(self, url: str, *, pool_size: int = 10, role: str | None = APP_ROLE) -> None:
        """Take a `postgres://` or `postgresql://` address; nothing is opened before the first use.

        Errors: Fault if the address is none.
        """
        self._engine = _engine_of(engine_url(url), pool_size=pool_size, role=role)
        self._alone = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self.pool_size = pool_size

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """Open a transaction, commit it at the end, roll it back on an exception or cancellation.

        A cancelled task waits for a commit that has begun, so that it can't stay half done; any
        other statement of a cancelled task is given up together with its connection.
        """
        connection = await self._engine.connect()
        try:
            await connection.begin()
            yield connection
            with part("commit"):
                await to_the_end(connection.commit())
        except BaseException as error:
            await to_the_end(_give_up(connection, error))
            raise
        finally:
            await to_the_end(connection.close())

    async def run(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Do `work` in a transaction; repeat it on a passing failure, `ATTEMPTS_MAX` times in all.

        `work` must be idempotent by a key made from facts, as everything in the ledger, the journal
        and the stored replies is: when the connection is lost during COMMIT nobody knows whether it
        took place, and only a repeat that finds its own first answer may then be sent again.

        Errors: what `work` raises, and the last passing failure when attempts run out.
        """

        async def once() -> T:
            async with self.transaction() as connection:
                return await work(connection)

        return await _repeated(once)

    async def run_alone(self, statement: Executable, values: Mapping[str, object]) -> Row[Any]:
        """Execute one statement that is a transaction by itself, and give its one row.

        As durable as `run`, and as idempotent as that must be, in one way to the database and back:
        PostgreSQL commits before it says that the statement is done. It isn't cancelled half way.

        Errors: as `run`.
        """

        async def once() -> Row[Any]:
            async with self._alone.connect() as connection:
                with part("commit"):
                    return (await connection.execute(statement, values)).one()

        return await _repeated(lambda: to_the_end(once()))

    async def now_ms(self) -> int:
        """Tell the time by the database's clock, in milliseconds since 1970."""
        return await self.run(now_ms)

    @property
    def in_use(self) -> int:
        """Count the connections that somebody has taken out of the pool just now."""
        pool = self._engine.pool
        assert isinstance(pool, QueuePool)
        return pool.checkedout()

    async def close(self) -> None:
        """Close every connection of the pool."""
        await self._engine.dispose()


async def _repeated(once: Callable[[], Awaitable[T]]) -> T:
    for attempt in range(ATTEMPTS_MAX):
        try:
            return await once()
        except Exception as error:
            if not is_transient(error) or attempt == ATTEMPTS_MAX - 1:
                raise
        delay_ms = FIRST_DELAY_MS * 2**attempt
        await asyncio.sleep((delay_ms + secrets.randbelow(delay_ms)) / 2_000)
    raise AssertionError("the last attempt returns or raises")


async def one_snapshot(tx: Transaction) -> None:
    """Let all that a transaction reads be one state of the database; it writes nothing.

    `tx` must be fresh: nothing may have been read in it before.
    """
    await tx.execute(text("set transaction isolation level repeatable read, read only"))


async def now_ms(tx: Transaction) -> int:
    """Tell the time by the database's clock at this moment, in milliseconds since 1970."""
    query = text("select (extract(epoch from clock_timestamp()) * 1000)::bigint")
    return int((await tx.execute(query)).scalar_one())


def engine_url(url: str, *, variable: str = "DATABASE_URL") -> URL:
    """Read a database address as people write it, for SQLAlchemy and asyncpg.

    Shape:  `postgres://`, `postgresql://` or `postgresql+asyncpg://`; libpq's `sslmode` is known.
            `variable` is the setting that it comes from.
    Errors: Fault if it is no such address; its password is not repeated.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise Fault(f"{variable} is not an address of the form postgresql://...") from None
    if parsed.drivername not in {"postgres", "postgresql", "postgresql+asyncpg"}:
        raise Fault(f"{variable} must begin with postgresql://, not {parsed.drivername}://")
    query = {("ssl" if key == "sslmode" else key): value for key, value in parsed.query.items()}
    return parsed.set(drivername="postgresql+asyncpg", query=query)


def sqlstate_of(error: BaseException) -> str | None:
    """Derive PostgreSQL's five-letter code of an error, None if it has none."""
    if isinstance(error, DBAPIError):
        error = error.orig or error
    state = getattr(error, "sqlstate", None)
    if state is None and error.__cause__ is not None:
        state = getattr(error.__cause__, "sqlstate", None)
    return state if isinstance(state, str) else None


def is_transient(error: BaseException) -> bool:
    """Tell whether the same work may succeed when it is done again."""
    return sqlstate_of(error) in CONFLICTS or _is_lost_connection(error)


_LOST: Final = (
    asyncpg.exceptions.InternalClientError,
    asyncpg.exceptions.ConnectionDoesNotExistError,
    asyncpg.exceptions.PostgresConnectionError,
    ConnectionError,
    TimeoutError,
)


def _is_lost_connection(error: BaseException) -> bool:
    if sqlstate_of(error) in LOST_CONNECTIONS:
        return True
    if isinstance(error, DBAPIError):
        cause = error.orig.__cause__ if error.orig is not None else None
        return error.connection_invalidated or isinstance(cause, _LOST)
    return isinstance(error, _LOST)


async def _give_up(connection: AsyncConnection, error: BaseException) -> None:
    """Leave nothing open: roll back, or drop the connection if its state isn't known."""
    if isinstance(error, Exception) and not _is_lost_connection(error):
        try:
            await connection.rollback()
        except Exception as second:
            await connection.invalidate(second)
    else:
        await connection.invalidate()


def _engine_of(url: URL, *, pool_size: int, role: str | None) -> AsyncEngine:
    settings = {
        "application_name": "pakka",
        "timezone": "UTC",
        "lock_timeout": str(LOCK_TIMEOUT_MS),
        "statement_timeout": str(STATEMENT_TIMEOUT_MS),
        "idle_in_transaction_session_timeout": str(IDLE_IN_TRANSACTION_TIMEOUT_MS),
    }
    if role is not None:
        settings["role"] = role
    return create_async_engine(
        url,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=POOL_WAIT_S,
        hide_parameters=True,
        connect_args={"server_settings": settings, "timeout": CONNECT_TIMEOUT_S},
    )
