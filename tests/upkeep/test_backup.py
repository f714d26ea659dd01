"""A house is backed up while it plays, dies, and goes on elsewhere."""

import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from server.embedded import EmbeddedPostgres
from server.fairness.keyring import public_keys
from server.tables import hands
from server.verify import verify_record
from tests.acceptance.served import Served, home_folder
from tests.cli.conftest import Call, Said, Shell
from tests.conftest import run_apart
from tests.upkeep.house import broken, ids, number, until

TABLE = "Of bots"
SLOW_TABLE = "Of thinkers"
OTHER = "Elsewhere"
SETTINGS = {
    "PAKKA_RESULT_MS": "50",
    "PAKKA_BOT_PACE_MS": "20",
    "PAKKA_SEAL_MS": "200",
    "PAKKA_PRACTICE_BOTS": "0",
    "PAKKA_LEASE_MS": "1000",
}
OPEN = "select hand_id from tables.hand where state < 4"

SLOW = """
import asyncio, sys
from pathlib import Path
from server.bots.run import run_bots
from server.secret_files import read_or_make_token

url, table, home = sys.argv[1:]
secret = read_or_make_token(Path(home), "bot.token")
asyncio.run(run_bots(url, table, 4, secret=secret, names=("Slow",), pace_ms=30_000))
"""
"""Bots whose hand, of two moves at least, takes half a minute at least: a backup begins in it."""


@pytest.fixture
def homes() -> Iterator[tuple[Path, Path]]:
    """A home with a house, and one for what is restored."""
    with home_folder() as one, home_folder() as two:
        yield one, two


def count_of(state: int) -> str:
    return f"select count(*) from tables.hand where state = {state}"


def in_state(state: int) -> str:
    return f"select hand_id from tables.hand where state = {state}"


def test_a_house_is_backed_up_while_hands_run_and_goes_on_elsewhere(
    homes: tuple[Path, Path], tmp_path: Path, call: Call
) -> None:
    home, other = homes
    file, seen = tmp_path / "house.backup", tmp_path / "log.json"
    original = Served(home, SETTINGS)
    original.start()
    try:
        url = original.database_url
        open_table(call, home, TABLE)
        slow = open_table(call, home, SLOW_TABLE, turn_ms=120_000)
        with bots(original, TABLE):
            until(url, count_of(hands.CLOSED), least=2)
            until(url, "select count(*) from ledger.seal", least=2)
            with slow_bots(original, slow):
                until(url, f"{count_of(hands.DEALT)} and table_id = '{slow}'", least=1)
                back_up(call, home, file)
            lost_from = until(url, count_of(hands.CLOSED), least=1)
            until(url, count_of(hands.CLOSED), least=lost_from + 1)
        assert follow(call, original, seen).code == 0
    finally:
        original.kill()
    shell = Shell({"PAKKA_HOME": str(other)})
    back = call(shell, "restore", str(file), "--json")
    assert (back.code, back.err) == (0, "")
    assert call(shell, "ledger", "check").code == 0
    again = call(shell, "restore", str(file))
    assert (again.code, again.out) == (2, "")
    assert again.err.count("\n") == 1
    assert "is there already" in again.err
    _goes_on(call, other, seen)


def back_up(call: Call, home: Path, file: Path) -> None:
    """Back up a house that runs; a second time there is no room for it."""
    said = call(Shell({"PAKKA_HOME": str(home)}), "backup", str(file), "--json")
    assert said.code == 0, said.err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    keys = ("signing.key", "sealing.key", "log.key", "bot.token")
    assert set(said.document["files"]) == {"database.dump", *(f"keys/{name}" for name in keys)}
    again = call(Shell({"PAKKA_HOME": str(home)}), "backup", str(file))
    assert (again.code, again.out) == (2, "")
    assert again.err == f"pakka: {file} is there already\n"


@contextmanager
def bots(served: Served, table: str) -> Iterator[None]:
    """Have four bots play at a table until the end; none may find a check that fails."""
    folder = served.home / "bots"
    command = ["-m", "server.cli", "bots", table, "-n", "4", "--url", served.url, "--pace", "20"]
    with _process(served, *command, "--folder", str(folder)):
        yield


@contextmanager
def slow_bots(served: Served, table_id: str) -> Iterator[None]:
    """Have four other bots think long at another table."""
    with _process(served, "-c", SLOW, served.url, table_id, str(served.home)):
        yield


@contextmanager
def _process(served: Served, *arguments: str) -> Iterator[None]:
    """Run Python until the end; it may neither end before nor complain."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        env=Shell({"PAKKA_HOME": str(served.home)}).environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        yield
        assert process.poll() is None
    finally:
        process.kill()
        _, said = process.communicate()
        assert said == b""


def open_table(call: Call, home: Path, name: str, turn_ms: int = 10_000) -> str:
    """Open a practice table as an operator does; its id."""
    said = call(
        Shell({"PAKKA_HOME": str(home)}), "table", "open", "rummy", "--name", name, "--json",
        "-o", "seats=4", "-o", "min_players=2", "-o", "practice=true", "-o", "rate=10000",
        "-o", f"turn_ms={turn_ms}",
    )  # fmt: skip
    assert said.code == 0, said.err
    return str(said.document["table"])


def follow(call: Call, served: Served, state: Path) -> Said:
    """Follow the public log from outside, as anybody does who keeps what was seen before."""
    shell = Shell({"PAKKA_HOME": str(state.parent / "nobody")})
    return call(shell, "log", "check", "--url", served.url, "--state", str(state))


def _goes_on(call: Call, home: Path, seen: Path) -> None:
    """Every open hand of the backup is given up, the next ones are played, all records verify."""
    with EmbeddedPostgres.start(home) as postgres:
        before = number(postgres.url, "select max(hand_id) from tables.hand")
        base = number(postgres.url, "select base from ledger.xid_base")
        seals = number(postgres.url, "select max(seq) from ledger.seal")
        was_open = ids(postgres.url, OPEN)
        was_dealt = ids(postgres.url, in_state(hands.DEALT))
    assert was_dealt
    assert base > 0, "the new cluster has used fewer transactions than the old one had"
    served = Served(home, SETTINGS)
    served.start()
    try:
        url = served.database_url
        open_table(call, home, OTHER)
        with bots(served, OTHER):
            until(url, f"{count_of(hands.CLOSED)} and hand_id > {before}", least=2)
            until(url, f"select count(*) from ledger.seal where seq > {seals}", least=2)
        assert set(was_open) <= set(ids(url, in_state(hands.CANCELLED)))
        voided = ids(url, "select hand_id from ledger.hold_resolution where outcome = 2")
        assert set(was_dealt) <= set(voided)
        _all_records_verify(served)
        gone_back = follow(call, served, seen)
        assert gone_back.code == 1
        assert "grows" in gone_back.out
        assert follow(call, served, seen.with_name("fresh.json")).code == 0
    finally:
        served.stop()
    assert list(home.glob("bots/**/evidence-*.json")) == []
    with EmbeddedPostgres.start(home) as postgres:
        assert run_apart(lambda: broken(postgres.url, home)) == []


def _all_records_verify(served: Served) -> None:
    closed = ids(served.database_url, in_state(hands.CLOSED))
    (key,) = public_keys(served.home)
    assert len(closed) >= 4
    for hand in closed:
        body = httpx.get(f"{served.url}/api/v1/hands/{hand}/record", trust_env=False).content
        assert verify_record(body, key).exit_code == 0


def test_a_wrong_call_is_one_line_and_leaves_nothing(tmp_path: Path, call: Call) -> None:
    home = tmp_path / "home"
    shell = Shell({"PAKKA_HOME": str(home)})
    (tmp_path / "foreign").write_bytes(b"no backup")
    for arguments in (
        ("backup", str(tmp_path / "file")),
        ("restore", str(tmp_path / "foreign")),
        ("restore", str(tmp_path / "nothing")),
    ):
        said = call(shell, *arguments)
        assert (said.code, said.out) == (2, "")
        assert said.err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["foreign"]
