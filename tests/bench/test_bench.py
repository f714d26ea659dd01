"""Every measurement runs to its end and says what it found; no test asks how fast anything is."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.bench.__main__ import BENCHES, document
from tests.bench.gin import deadwood
from tests.bench.rounds import Row, Skipped

ROOT = Path(__file__).parent.parent.parent
RUN_S = 300


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as people do."""
    command = [sys.executable, "-m", "tests.bench", *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=RUN_S, check=False
    )


def ran(*names: str) -> Sequence[dict[str, Any]]:
    """Run measurements at their smallest; the rows."""
    done = bench(*names, "--tiny", "--json")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", BENCHES)
def test_a_measurement_runs_to_its_end_and_its_rows_are_well_formed(name: str) -> None:
    rows = ran(name)
    assert rows
    for row in rows:
        if "skipped" in row:
            assert row["install"]
            continue
        assert row["ours"]
        assert row["against"]
        ratio = row["ratio"]
        assert 0 < ratio["min"] <= ratio["median"] <= ratio["max"]
        assert ratio["rounds"]


def test_a_measurement_that_is_none_is_refused_with_the_names_of_those_there_are() -> None:
    done = bench("speed")
    assert done.returncode == 2
    assert "there is no measurement 'speed'; there are melds, gin" in done.stderr


def test_what_is_not_installed_is_named_with_what_to_install() -> None:
    said = document(Skipped("gin rummy: X", "x", "-e '.[bench]'"))
    assert said == {"name": "gin rummy: X", "skipped": "x", "install": "-e '.[bench]'"}


def test_a_rows_spread_is_that_of_its_rounds() -> None:
    assert Row("a", "1", "2", [3.0, 1.0, 2.0]).spread == (1.0, 2.0, 3.0)


def test_gins_deadwood_needs_no_pure_run_and_no_second_sequence() -> None:
    assert deadwood(("5S", "5H", "5D", "9C", "9D", "9H", "KS", "QS", "JS", "2C")) == 2
    assert deadwood(("2S", "4S", "6H", "8H", "TD", "QD", "3C", "5C", "7S", "9S")) == 64
