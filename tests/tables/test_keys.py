"""A key that is not the open hands' own stops the start, before anybody's tokens are held."""

import secrets
from dataclasses import replace

import pytest

from server.database import Database
from server.errors import Fault
from server.fairness.seal import Sealer
from server.fairness.signing import SigningKey
from server.tables.host import TableHost
from server.tables.work import Parts
from tests.tables.conftest import OpenTable, make_host


async def test_another_sealing_or_signing_key_stops_the_start(
    host: TableHost, database: Database, open_table: OpenTable, parts: Parts
) -> None:
    await open_table(seats=4)
    await host.stop()
    other_seal = replace(parts, sealer=Sealer(secrets.token_bytes(32)))
    with pytest.raises(Fault, match=r"sealing\.key"):
        await make_host(database, other_seal).start()
    other_name = replace(parts, signer=SigningKey(secrets.token_bytes(32)))
    with pytest.raises(Fault, match=r"signing\.key"):
        await make_host(database, other_name).start()
    same = make_host(database, parts, owner="two")
    await same.start()
    assert len(same.summaries()) == 1
    await same.stop()
