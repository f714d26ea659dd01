"""A new sealing key takes the operators' second steps along, in the rotation's own transaction."""

from pathlib import Path

import pyotp

from server.database import Database, now_ms
from server.fairness.entries import KeyRole
from server.fairness.seal import Sealer
from server.identity import two_step
from server.identity.operators import Role, create_operator
from server.identity.two_step import SecretBox
from server.tables.host import TableHost
from server.upkeep.rotation import rotate
from tests.tables.conftest import OpenTable
from tests.upkeep.rotation.conftest import ORIGIN


async def test_an_operators_code_is_good_after_the_old_sealing_key_is_gone(
    database: Database, home: Path, host: TableHost, open_table: OpenTable
) -> None:
    await open_table(seats=4)
    await host.stop()
    app = pyotp.TOTP(two_step.new_secret())
    async with database.transaction() as tx:
        operator, _ = await create_operator(tx, name="Meera", role=Role.ADMIN)
        now_s = await now_ms(tx) // 1_000
        box = SecretBox.of(Sealer.from_file(home))
        await two_step.enrol(tx, operator, app.secret, app.at(now_s), box=box, actor="cli:test")
    await rotate(database, home, KeyRole.SEALING, origin=ORIGIN)
    (old,) = home.glob("sealing.*.key")
    old.unlink()
    box = SecretBox.of(Sealer.from_file(home))
    async with database.transaction() as tx:
        # the code of the next step of time is good for a minute at least
        await two_step.demand_code(tx, operator, app.at(now_s + 30), box=box, of_all=False)
