"""Bots with folders of their own meet a house whose keys were replaced one after another."""

from pathlib import Path
from urllib.parse import urlsplit

from server.bots.run import run_bots
from server.database import Database
from server.fairness.entries import KeyRole
from server.main import running
from server.upkeep.rotation import rotate
from tests.web.conftest import TABLES, settings_of


async def test_bots_play_on_over_rotations_and_hold_the_server_to_its_new_keys(
    module_url: str, tmp_path: Path
) -> None:
    home, folder = tmp_path / "home", tmp_path / "bots"
    home.mkdir()
    settings = settings_of(home, module_url)
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
            port = urlsplit(house.url).port
        settings = settings.model_copy(update={"port": port})
    assert len({server_pub for server_pub, _ in pins}) == 2
    assert len({url for _, url in pins}) == 1
