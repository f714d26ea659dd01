"""Bots with folders of their own meet a house whose keys were replaced one after another."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.bots.run import run_bots
from server.database import Database
from server.fairness.entries import KeyRole
from server.main import running
from server.upkeep.rotation import rotate
from tests.acceptance.served import held_port
from tests.web.conftest import TABLES, settings_of


@pytest.fixture
def kept_port() -> Iterator[int]:
    """A port that nobody else is given while the house that listens on it is down."""
    with held_port() as held:
        port: int = held.getsockname()[1]
        yield port


async def test_bots_play_on_over_rotations_and_hold_the_server_to_its_new_keys(
    module_url: str, tmp_path: Path, kept_port: int
) -> None:
    home, folder = tmp_path / "home", tmp_path / "bots"
    home.mkdir()
    settings = settings_of(home, module_url, port=kept_port, commit_ms=60_000, reveal_ms=60_000)
    pins = []
    for role in (None, *KeyRole):
        if role is not None:
            database = Database(module_url, pool_size=1)
            await rotate(database, home, role, origin=settings.log_name)
            await database.close()
        async with running(settings, catalogue=TABLES) as house:
            table = str(house.tables["practice"])
            overs = await run_bots(
                house.url, table, 2, secret=house.bot_secret, hands=1, seed=1, folder=folder
            )
            assert all("closed" in [over.end for over in seen] for seen in overs)
            pins.append((house.server_pub, house.url))
    assert len({server_pub for server_pub, _ in pins}) == 2
    assert len({url for _, url in pins}) == 1
