"""A server whose own clock is an hour wrong does no harm: the database's clock judges."""

import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path

import httpx
import pytest

from tests.acceptance.served import Served, home_folder
from tests.cli.conftest import Shell

HOUR_S = 3_600
SLACK_S = 600
LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
TABLE = "By another clock"

pytestmark = pytest.mark.skipif(not LIBRARIES, reason="libfaketime is not installed")


@pytest.fixture(params=["+1h", "-1h"])
def served(request: pytest.FixtureRequest, database_url: str) -> Iterator[Served]:
    """A server that believes it is another hour than its database and its players do."""
    wrong = {
        "LD_PRELOAD": str(LIBRARIES[0]),
        "FAKETIME": request.param,
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "DONT_FAKE_MONOTONIC": "1",
    }
    settings = {
        "DATABASE_URL": database_url,
        "PAKKA_RESULT_MS": "200",
        "PAKKA_PRACTICE_BOTS": "0",
        "PAKKA_LOG_FORMAT": "json",
    }
    with home_folder() as home:
        served = Served(home, {**settings, **wrong})
        served.start()
        try:
            yield served
        finally:
            served.stop()


def demand_a_wrong_clock(served: Served) -> None:
    """Show that the server's own clock is an hour off, by the date it gives its answers."""
    date = httpx.get(f"{served.url}/healthz", trust_env=False).headers["date"]
    off_s = parsedate_to_datetime(date).timestamp() - time.time()
    assert HOUR_S - SLACK_S < abs(off_s) < HOUR_S + SLACK_S


def test_a_hand_is_played_on_time_and_its_record_and_ledger_hold(
    served: Served, database_url: str
) -> None:
    demand_a_wrong_clock(served)
    shell = Shell({"PAKKA_HOME": str(served.home), "DATABASE_URL": database_url})
    opened = shell.run(
        "table", "open", "rummy", "--name", TABLE, "--json",
        "-o", "seats=4", "-o", "min_players=4", "-o", "practice=true", "-o", "rate=10000",
    )  # fmt: skip
    assert opened.code == 0, opened.err
    for _ in range(100):
        said = shell.run(
            "bots", TABLE, "-n", "4", "--url", served.url, "--pace", "0", "--hands", "1", "--json"
        )
        if said.code != 2:
            break
    assert (said.code, said.err) == (0, "")
    hand = said.document["id"]
    record = f"{served.url}/api/v1/hands/{hand}/record"
    assert shell.run("verify", record).code == 0
    assert shell.run("ledger", "check").code == 0
    assert shell.run("log", "check", "--url", served.url).code == 0
