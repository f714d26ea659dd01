"""A server whose own clock is hours wrong, and jumps, does no harm: the database's clock judges.

Deadlines, leases, sign-ins, their ends and all times that are written are the database's. The
library that lies to the server reads how much from a file, so that the clock jumps in mid-hand.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from email.utils import parsedate_to_datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pyotp
import pytest
from sqlalchemy import text

from server.database import SCHEMAS, Database, TableId, now_ms
from server.fairness.seal import Sealer
from server.identity.operators import Role, create_operator, get_operator
from server.identity.two_step import SecretBox, enrol, new_secret
from server.tables.service import open_table
from tests.acceptance.guests import is_silent, seated
from tests.acceptance.served import HTTP_S, Served, home_folder, new_guest, wait_for_table
from tests.cli.conftest import Call, Shell
from tests.cli.conftest import call as call
from tests.conftest import execute

HOUR_S = 3_600
SLACK_S = 600
"""Far less than an hour, and more than any machine is slow."""

TURN_MS = 5_000
PLAY_S = 300
LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
OPTIONS = {
    "seats": 4,
    "min_players": 4,
    "rate": 10_000,
    "turn_ms": TURN_MS,
    "miss_limit": 1,
}
API = "/api/v1"

pytestmark = pytest.mark.skipif(not LIBRARIES, reason="libfaketime is not installed")


class Wrong:
    """A server whose clock says what it is told to."""

    def __init__(self, served: Served, file: Path) -> None:
        self.served = served
        self._file = file

    async def is_off(self, hours: int) -> None:
        """Move its clock, and wait until the date it gives its answers shows that."""
        fresh = self._file.with_name("clock.new")
        fresh.write_text(f"{hours:+d}h")
        fresh.replace(self._file)  # the library never reads half a word
        async with asyncio.timeout(PLAY_S):
            while abs(await self._off_s() - hours * HOUR_S) > SLACK_S:
                await asyncio.sleep(0.2)

    async def _off_s(self) -> float:
        date = (await self.get("/healthz")).headers["date"]
        return parsedate_to_datetime(date).timestamp() - time.time()

    def client(self) -> httpx.AsyncClient:
        """Make what asks it over HTTP."""
        return httpx.AsyncClient(base_url=self.served.url, timeout=HTTP_S, trust_env=False)

    async def get(self, path: str, token: str = "") -> httpx.Response:
        """Ask for something."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with self.client() as http:
            return await http.get(path, headers=headers)

    async def sign_in(self, link: str, **more: str) -> int:
        """Use an operator's link, with a code if there is one; the answer's status."""
        async with self.client() as http:
            answer = await http.post(
                f"{API}/operator/session",
                json={"link": link, **more},
                headers={"Idempotency-Key": f"by {link}"},
            )
            return answer.status_code


@pytest.fixture
async def wrong(database_url: str) -> AsyncIterator[Wrong]:
    """A server that believes it is an hour later than it is for its database and its players."""
    with home_folder() as home:
        file = home / "clock"
        file.write_text("+1h")
        settings = {
            "DATABASE_URL": database_url,
            "PAKKA_COMMIT_MS": "60000",
            "PAKKA_REVEAL_MS": "60000",
            "PAKKA_RESULT_MS": "120000",
            "PAKKA_SEAL_MS": "500",
            "PAKKA_LEASE_MS": "20000",
            "PAKKA_PRACTICE_BOTS": "0",
            "PAKKA_LOG_FORMAT": "json",
            "LD_PRELOAD": str(LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }
        served = Served(home, settings)
        try:
            await asyncio.to_thread(served.start)
            yield Wrong(served, file)
        finally:
            await asyncio.to_thread(served.stop)


async def _open(database: Database, served: Served) -> TableId:
    async with database.transaction() as tx:
        table = await open_table(tx, game="rummy", options=OPTIONS, name="By another clock")
    await wait_for_table(served, str(table))
    return table


async def _link(database: Database, name: str) -> str:
    async with database.transaction() as tx:
        return (await create_operator(tx, name=name, role=Role.VIEWER))[1]


async def _until(database: Database, query: str, least: int) -> None:
    async with asyncio.timeout(PLAY_S):
        while (await database.run(lambda tx: tx.execute(text(query)))).scalar_one() < least:
            await asyncio.sleep(0.1)


async def _rows(database: Database, query: str) -> list[Any]:
    return list(await database.run(lambda tx: tx.execute(text(query))))


async def test_a_clock_that_jumps_by_hours_harms_no_deadline_no_lease_and_no_sign_in(
    wrong: Wrong, database: Database, database_url: str, call: Call
) -> None:
    await wrong.is_off(+1)
    table = await _open(database, wrong.served)
    tokens = [
        await new_guest(wrong.served.url, name) for name in ("Asha", "Bimal", "Chitra", "Dev")
    ]
    await _signs_in_by_the_databases_clock_when_ahead(wrong, database, database_url, tokens[0])
    moved = "select count(*) from tables.journal where fact->>'fact' = 'moved'"
    async with seated(wrong.served.url, str(table), tokens, is_silent) as client:
        await _until(database, moved, least=1)
        await wrong.is_off(-1)
        watch = client.tables[str(table)]
        async with asyncio.timeout(PLAY_S):
            await client.until(lambda: bool(watch.hand.overs))
    over = watch.hand.overs[0]
    assert over.end == "closed"
    await _signs_in_by_the_databases_clock_when_behind(wrong, database, database_url, tokens[0])
    await _turns_ended_when_they_were_due(database)
    await _until(database, "select count(*) from ledger.seal", least=2)
    await _all_that_was_written_is_in_order(database)
    leases = await _rows(database, "select fence from tables.lease where fence <> 1")
    assert leases == [], "a table was lost to the clock"
    shell = Shell({"PAKKA_HOME": str(wrong.served.home), "DATABASE_URL": database_url})
    (hand,) = await _rows(database, "select hand_id from tables.hand where state = 4")
    record = f"{wrong.served.url}{API}/hands/{hand.hand_id}/record"
    for command in (("verify", record), ("ledger", "check"),
                    ("log", "check", "--url", wrong.served.url)):  # fmt: skip
        said = await asyncio.to_thread(call, shell, *command)
        assert said.code == 0, said


async def _signs_in_by_the_databases_clock_when_ahead(
    wrong: Wrong, database: Database, url: str, token: str
) -> None:
    """What has ten more minutes is good, whatever the server's clock says."""
    link = await _link(database, "early")
    later = "expires_at = now() + interval '10 minutes'"
    execute(
        url, f"update identity.session set {later}", f"update identity.sign_in_link set {later}"
    )
    assert (await wrong.get(f"{API}/me", token)).status_code == 200
    assert await wrong.sign_in(link) == 201
    await _codes_are_of_the_databases_time(wrong, database)


async def _codes_are_of_the_databases_time(wrong: Wrong, database: Database) -> None:
    """An operator's code is good by the database's clock, and the one of the server's is not."""
    link = await _link(database, "careful")
    async with database.transaction() as tx:
        operator, now_s = await get_operator(tx, "careful"), await now_ms(tx) // 1_000
        app = _app_of_other_codes_in_an_hour(now_s)
        box = SecretBox.of(Sealer.from_file(wrong.served.home))
        await enrol(tx, operator, app.secret, app.at(now_s), box=box, actor="cli:test")
    assert await wrong.sign_in(link, code=app.at(now_s + HOUR_S)) == 401
    # the one of the next step is good for a minute at least
    assert await wrong.sign_in(link, code=app.at(now_s + 30)) == 201


def _app_of_other_codes_in_an_hour(now_s: int) -> pyotp.TOTP:
    """Make an app whose code in an hour is by no chance one of those that are good by then."""
    while True:
        app = pyotp.TOTP(new_secret())
        if app.at(now_s + HOUR_S) not in {app.at(now_s + 30 * step) for step in range(-1, 20)}:
            return app


async def _signs_in_by_the_databases_clock_when_behind(
    wrong: Wrong, database: Database, url: str, token: str
) -> None:
    """What ended ten minutes ago has ended."""
    assert (await wrong.get(f"{API}/me", token)).status_code == 200
    link = await _link(database, "late")
    earlier = "expires_at = now() - interval '10 minutes'"
    execute(
        url, f"update identity.session set {earlier}", f"update identity.sign_in_link set {earlier}"
    )
    assert (await wrong.get(f"{API}/me", token)).status_code == 401
    assert await wrong.sign_in(link) in (401, 403)


async def _turns_ended_when_they_were_due(database: Database) -> None:
    """Each turn that the clock ended had its whole time, and not an hour more or less."""
    rows = await _rows(
        database,
        "select fact->>'fact' as fact, (fact->>'at_ms')::bigint as at_ms from tables.journal"
        " where fact->>'fact' in ('dealt', 'moved') order by seq",
    )
    assert [row.fact for row in rows] == ["dealt", *["moved"] * 3]
    took_ms = [after.at_ms - before.at_ms for before, after in pairwise(rows)]
    assert min(took_ms) >= TURN_MS
    assert max(took_ms) < TURN_MS + SLACK_S * 1_000


async def _all_that_was_written_is_in_order(database: Database) -> None:
    """No time is the server's: none comes after now, none an hour from what was written beside."""
    columns = await _rows(
        database,
        "select table_schema || '.' || table_name as name, column_name as column"
        " from information_schema.columns where data_type = 'timestamp with time zone'"
        f" and column_name <> 'expires_at' and table_schema in {SCHEMAS}",
    )
    assert len(columns) > 15
    for one in columns:
        query = f'select count(*) as wrong from {one.name} where "{one.column}" > clock_timestamp()'
        assert (await _rows(database, query))[0].wrong == 0, (one.name, one.column)
    for name, at, by in (
        ("tables.journal", "at", "seq"),
        ("ledger.seal", "created_at", "seq"),
        ("ledger.journal", "created_at", "id"),
        ("fairness.log_entry", "at", "index"),
    ):
        rows = await _rows(database, f"select {at} as at from {name} order by {by}")
        assert len(rows) > 1, f"nothing was written to {name}"
        for before, after in pairwise(rows):
            assert abs(after.at - before.at) < timedelta(seconds=SLACK_S), name
    await _facts_are_in_time(database)


async def _facts_are_in_time(database: Database) -> None:
    now_ms = await database.now_ms()
    rows = await _rows(database, "select fact::text as fact from tables.journal order by seq")
    times = [time_ms for row in rows for time_ms in _times_in(json.loads(row.fact))]
    assert len(times) > 10
    for time_ms in times:
        assert abs(time_ms - now_ms) < SLACK_S * 1_000


def _times_in(value: Any, key: str = "") -> Iterator[int]:
    """Find the absolute times of a fact: milliseconds since 1970."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _times_in(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _times_in(inner, key)
    elif key.endswith("_ms") and isinstance(value, int) and value > 10**12:
        yield value
