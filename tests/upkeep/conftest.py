"""Commands as the tests of the commands run them, and databases without anything in them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from server.secret_files import read_or_make_key, read_or_make_token
from server.upkeep.backup import back_up
from tests.cli.conftest import call
from tests.conftest import execute, url_of
from tests.upkeep.house import KEYS, at

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


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A home with keys, replaced ones too."""
    home = tmp_path / "kept"
    home.mkdir()
    for name in KEYS:
        read_or_make_key(home, name)
    read_or_make_token(home, "bot.token")
    (home / "postgres.password").write_text("of this cluster alone")
    return home


@pytest.fixture
def file(kept: Path, database_url: str, tmp_path: Path) -> Path:
    """A backup."""
    back_up(at(database_url), kept, tmp_path / "file")
    return tmp_path / "file"


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """A home that isn't there yet."""
    return tmp_path / "new"
