"""A house's folder with its three keys, and a host that plays by them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.database import Database
from server.fairness.keyring import Keyring, old_log_signers
from server.fairness.seal import Sealer
from server.fairness.signing import LogSigner
from server.tables.work import Parts
from tests.tables.conftest import QUICK, host, new_player, open_table

__all__ = ["host", "new_player", "open_table"]

ORIGIN = "test.example/fairdeal-1"


def parts_of(home: Path) -> Parts:
    """Load a house's keys as `serve` does."""
    keys = Keyring.from_folder(home)
    return Parts(
        signer=keys.current,
        old_signers=tuple(keys.old.values()),
        log_signer=LogSigner.from_file(home, ORIGIN),
        old_log_signers=old_log_signers(home, ORIGIN),
        sealer=Sealer.from_file(home),
        clocks=QUICK,
    )


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """The database as its owner, who alone may seal a seed anew, in the application's role."""
    database = Database(database_url)
    yield database
    await database.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def parts(home: Path) -> Parts:
    return parts_of(home)
