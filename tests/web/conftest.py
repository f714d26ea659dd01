"""A whole house on a real socket with a real database, one for each file of tests."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.engine import make_url

from server.catalogue import CatalogueTable
from server.main import House, running
from server.settings import Settings
from server.web.limits import Buckets
from tests.conftest import application_of, execute, url_of
from tests.web.wire import WAIT_S

_numbers = count(1)

QUICK = {
    "host": "127.0.0.1",
    "port": 0,
    "commit_ms": 2_000,
    "reveal_ms": 2_000,
    "result_ms": 300,
    "lease_ms": 5_000,
    "seal_ms": 600_000,
    "drain_ms": 2_000,
    "lag_ms": 60_000,
    "practice_bots": 0,
    "pool_size": 6,
    "moves_per_second": 500,
    "moves_burst": 1_000,
    "messages_per_second": 500,
    "messages_burst": 1_000,
    "requests_per_second": 500,
    "requests_burst": 1_000,
}
"""Short clocks and wide rates, for tests that are about something else."""

LOW = {"seats": 4, "rate": 10_000}
TABLES = (
    CatalogueTable(key="open", name="Open", options={**LOW, "turn_ms": 60_000}),
    CatalogueTable(key="other", name="Other", options=LOW),
    CatalogueTable(key="dear", name="Dear", options={"seats": 4, "rate": 1_000_000_000}),
    CatalogueTable(
        key="practice", name="Practice", options={**LOW, "min_players": 2, "practice": True}
    ),
)


def settings_of(home: Path, database_url: str, **changes: object) -> Settings:
    """Make the settings of a test's house, which knows nothing of the database's owner."""
    values = {**QUICK, "home": home, "DATABASE_URL": application_of(database_url), **changes}
    return Settings(**values)  # type: ignore[arg-type]  # as the environment would say them


@pytest.fixture(scope="module")
def module_url(postgres_url: str, migrated_url: str) -> Iterator[str]:
    """A migrated database for all tests of a file."""
    name = f"pakka_web_{next(_numbers)}"
    execute(postgres_url, f"create database {name} template {make_url(migrated_url).database}")
    yield url_of(postgres_url, name)
    execute(postgres_url, f"drop database {name} with (force)")


@pytest.fixture(scope="module")
async def house(module_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """A running house."""
    home = tmp_path_factory.mktemp("home")
    async with running(settings_of(home, module_url), catalogue=TABLES) as house:
        yield house


@pytest.fixture
async def http(house: House) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client without any sign-in."""
    async with httpx.AsyncClient(base_url=house.url, timeout=WAIT_S, trust_env=False) as client:
        yield client


def stop_refilling(buckets: Buckets[Any]) -> None:
    """Stop the clock of buckets: on a slow machine a second may pass between two commands."""
    buckets._clock = lambda: 0.0


MakeHouse = Callable[..., AbstractAsyncContextManager[House]]


@pytest.fixture
def house_with(database_url: str, tmp_path: Path) -> MakeHouse:
    """Start a house with settings of the test's own."""

    @asynccontextmanager
    async def make(
        catalogue: Sequence[CatalogueTable] = TABLES, **changes: Any
    ) -> AsyncIterator[House]:
        settings = settings_of(tmp_path, database_url, **changes)
        async with running(settings, catalogue=catalogue) as house:
            yield house

    return make
