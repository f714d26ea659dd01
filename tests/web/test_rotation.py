"""Keys that changed while a house was down: what was sent before is still known afterwards."""

from pathlib import Path

from server.database import Database
from server.fairness.entries import KeyRole
from server.main import running
from server.upkeep.rotation import rotate
from tests.web.conftest import TABLES, settings_of
from tests.web.wire import guest, signed_in


async def test_a_command_that_is_sent_again_after_a_rotation_gets_its_answer(
    module_url: str, tmp_path: Path
) -> None:
    settings = settings_of(tmp_path, module_url)
    async with running(settings, catalogue=TABLES) as house:
        table, token = str(house.tables["open"]), await guest(house)
        sit = {"t": "table.sit", "id": "s1", "table": table, "d": {"seat": 1}}
        async with signed_in(house, token) as line:
            await line.say(sit)
            first = await line.reply_to("s1")
            assert first["t"] == "ok"
    database = Database(module_url, pool_size=1)
    for role in KeyRole:
        await rotate(database, tmp_path, role, origin=settings.log_name)
    await database.close()
    async with (
        running(settings, catalogue=TABLES) as house,
        signed_in(house, token) as line,
    ):
        await line.say(sit)
        assert await line.reply_to("s1") == first
        await line.say({**sit, "d": {"seat": 2}})
        assert (await line.reply_to("s1"))["code"] == "id_reused"
