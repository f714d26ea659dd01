"""A real PostgreSQL for the whole session, and a fresh, migrated database for each test.

With pytest-xdist each worker runs a server of its own.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import asyncpg
import pytest
from fastapi import FastAPI
from hypothesis import settings
from sqlalchemy.engine import make_url

from server.database import Addresses, Database
from server.embedded import throwaway
from server.schema import prepare
from server.web.listening import Listener
from tests.tap import Tap, Tapped

T = TypeVar("T")

APPLICATION = "pakka_server"
"""The login of the application, and its password."""

_numbers = count(1)

settings.register_profile("any machine", settings.default, deadline=None)  # a busy one stalls
settings.load_profile("any machine")


def run_apart(work: Callable[[], Awaitable[T]]) -> T:
    """Run a coroutine to its end in a thread with a loop of its own, from wherever we are."""

    async def whole() -> T:
        return await work()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(whole())).result()


def execute(url: str, *statements: str) -> None:
    """Run statements as the owner of a database, each in a transaction of its own."""

    async def work() -> None:
        connection = await asyncpg.connect(url)
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    run_apart(work)


def url_of(url: str, name: str) -> str:
    """Derive the address of another database of the same server."""
    return make_url(url).set(database=name).render_as_string(hide_password=False)


def application_of(url: str) -> str:
    """Derive the address of the application of that of the owner, as the embedded server has it."""
    login = make_url(url).set(username=APPLICATION, password=APPLICATION)
    return login.render_as_string(hide_password=False)


@pytest.fixture(scope="session", autouse=True)
def tap() -> Iterator[Tap]:
    """Hear what every house of this process sends."""
    tap, start = Tap(), Listener.start

    async def tapped(app: FastAPI, sock: socket.socket, **settings: Any) -> Listener:
        return await start(Tapped(app, tap), sock, **settings)  # type: ignore[arg-type]  # any ASGI will do

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Listener, "start", tapped)
        yield tap


@pytest.fixture(autouse=True)
def everything_sent_is_documented(tap: Tap) -> Iterator[None]:
    """Hold what was sent during a test to OpenAPI and AsyncAPI."""
    yield
    assert tap.take() == []


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users may pass through: as root, servers run as one of them."""
    with TemporaryDirectory(prefix="pakka-test-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The address of a running PostgreSQL, as its owner; its database is empty.

    Without autovacuum: its transactions are of the whole server, and while one runs, what was
    written after it began is not sealed yet.
    """
    with throwaway() as server:
        execute(server.url, "alter system set autovacuum = off", "select pg_reload_conf()")
        yield server.url


@pytest.fixture(scope="session")
def migrated_url(postgres_url: str) -> str:
    """The address of a migrated database that nobody may change: it is what others copy."""
    execute(postgres_url, "create database pakka_template")
    url = url_of(postgres_url, "pakka_template")
    prepare(Addresses(owner=url, application=application_of(url)))
    return url


@pytest.fixture
def database_url(postgres_url: str, migrated_url: str) -> Iterator[str]:
    """The address, as its owner, of a migrated database of the test's own."""
    name = f"pakka_{next(_numbers)}"
    execute(postgres_url, f"create database {name} template {make_url(migrated_url).database}")
    yield url_of(postgres_url, name)
    execute(postgres_url, f"drop database {name} with (force)")


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A migrated database of the test's own, as the application sees it, by a login of its own."""
    database = Database(application_of(database_url))
    yield database
    await database.close()
