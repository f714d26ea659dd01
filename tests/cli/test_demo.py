"""`pakka demo` for real: a server of its own, bots on sockets, records verified, ledger checked."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.fairness.merkle import path_length
from tests.acceptance.served import home_folder
from tests.cli.conftest import COMMAND_S, Shell


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder for temporary files that no other test's demo uses at the same time."""
    with home_folder() as folder:
        yield folder


@pytest.fixture
def shell(tmp_path: Path, place: Path) -> Shell:
    """A shell whose PAKKA_HOME does not exist, with a folder of its own for temporary files."""
    return Shell({"PAKKA_HOME": str(tmp_path / "home"), "TMPDIR": str(place)})


def test_a_demo_plays_verifies_and_leaves_nothing_behind(shell: Shell, place: Path) -> None:
    said = shell.run("demo", "--seats", "4", "--hands", "1", "--json")
    assert (said.code, said.err) == (0, "")
    hand, summary = said.documents
    assert (hand["end"], hand["verdict"], hand["failed"]) == ("closed", "holds", [])
    assert len(hand["points"]) == hand["seats"] == 4
    assert hand["points"][hand["winner"]] == 0
    assert hand["moves"] > 0
    assert sum(map(int, hand["amounts"])) == -int(hand["commission"])
    assert summary["ok"] is True
    assert (summary["hands"], summary["verified"], summary["ledger"]) == (1, 1, True)
    assert summary["logged"] == 1
    log = hand["log"]
    assert log["proved"] is True
    assert 0 < log["index"] < log["size"]
    assert len(log["path"]) == path_length(log["index"], log["size"])
    assert list(place.iterdir()) == []


def test_a_demo_of_matches_tells_their_standing_and_finds_them_kept(shell: Shell) -> None:
    said = shell.run("demo", "--game", "sevens", "--seats", "3", "--matches", "1", "--json")
    assert (said.code, said.err) == (0, "")
    *hands, match, summary = said.documents
    assert [hand["hand"] for hand in hands] == [1, 2, 3, 4, 5]
    assert {hand["verdict"] for hand in hands} == {"holds"}
    assert all(set(hand["amounts"]) == {"0"} for hand in hands)
    sums = [0, 0, 0]
    for hand in hands:
        sums = [total + points for total, points in zip(sums, hand["points"], strict=True)]
        assert (hand["match"], hand["standing"]) == (1, sums)
    winners = [seat for seat, points in enumerate(sums) if points == max(sums)]
    assert match == {"match": 1, "hands": 5, "points": sums, "winners": winners}
    assert (summary["ok"], summary["matches"], summary["kept"]) == (True, 1, True)
    assert (summary["hands"], summary["verified"], summary["logged"]) == (5, 5, 5)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_demo_that_is_interrupted_ends_its_server_too(
    shell: Shell, place: Path, number: signal.Signals
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "server.cli", "demo", "--seats", "6", "--hands", "50", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=shell.environment(),
        start_new_session=True,
    )
    assert process.stdout is not None
    assert b'"verdict": "holds"' in process.stdout.readline()
    os.kill(process.pid, number)
    _, error = process.communicate(timeout=COMMAND_S)
    assert process.returncode == 130
    assert b"Traceback" not in error
    deadline = time.monotonic() + COMMAND_S
    while _group_lives(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not _group_lives(process.pid)
    assert list(place.iterdir()) == []


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
