"""A key that is not the open hands' own stops the start, before anybody's tokens are held."""

import secrets
from dataclasses import replace

import pytest

from server.database import Database
from server.errors import Fault
from server.fairness.seal import Sealer
from server.fairness.signing import LogSigner, SigningKey
from server.tables.host import TableHost
from server.tables.work import Parts
from tests.tables.conftest import OpenTable, make_host


async def test_another_key_or_another_name_of_the_log_stops_the_start(
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
    other_log = replace(parts, log_signer=LogSigner(bytes(32), parts.log_signer.key.name))
    with pytest.raises(Fault, match=r"log\.key"):
        await make_host(database, other_log).start()
    renamed = replace(parts, log_signer=LogSigner(bytes(32), "other.example/fairdeal-1"))
    with pytest.raises(Fault, match=r"named test\.example/fairdeal-1.*PAKKA_LOG_ORIGIN"):
        await make_host(database, renamed).start()
    same = make_host(database, parts, owner="two")
    await same.start()
    assert len(same.summaries()) == 1
    await same.stop()
