"""The measurement under load runs to its end; no test asks how fast anything is."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
RUN_S = 300


def test_two_tables_are_measured_beside_their_echo() -> None:
    command = [sys.executable, "-m", "tests.load", "--tables", "2", "--seats", "4"]
    more = ["--every", "0.5", "--minutes", "0.05", "--json"]
    done = subprocess.run(
        [*command, *more], cwd=ROOT, capture_output=True, text=True, timeout=RUN_S, check=False
    )
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)
    assert row["failures"] == []
    assert row["sockets"] == 8
    assert row["moves"] >= 2
    assert row["clock_moves"] == 0
    for pair in ("ok_ms", "all_ms", "echo_ms"):
        half, most = row[pair]
        assert 0 < half <= most
    assert row["frame_bytes"] > 100
