"""Commands as the tests of the commands run them, and databases without anything in them."""

from collections.abc import Iterator

import pytest
from sqlalchemy.engine import make_url

from tests.cli.conftest import call
from tests.conftest import execute, url_of

__all__ = ["call"]


@pytest.fixture
def empty_url(postgres_url: str) -> Iterator[str]:
    """An empty database."""
    execute(postgres_url, "create database pakka_empty")
    yield url_of(postgres_url, "pakka_empty")
    execute(postgres_url, "drop database pakka_empty with (force)")


@pytest.fixture
def stranger_url(postgres_url: str, migrated_url: str) -> Iterator[str]:
    """An empty database of another owner, who may play the application and is no superuser."""
    execute(
        postgres_url,
        "create role stranger login password 'x'",
        "grant pakka_app to stranger",
        "create database pakka_strange owner stranger",
    )
    address = make_url(url_of(postgres_url, "pakka_strange"))
    yield address.set(username="stranger", password="x").render_as_string(hide_password=False)
    execute(postgres_url, "drop database pakka_strange with (force)", "drop role stranger")
