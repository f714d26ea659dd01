"""A served house for the session, and commands run as a shell runs them."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from server.cli import run

OURS = ("PAKKA_", "DATABASE_URL", "REDIS_URL")
COMMAND_S = 240
STOP_S = 120

QUICK = {
    "PAKKA_COMMIT_MS": "20000",  # a hand whose time runs out is void, and tests read of one hand
    "PAKKA_REVEAL_MS": "20000",
    "PAKKA_RESULT_MS": "100",
    "PAKKA_BOT_PACE_MS": "0",
    "PAKKA_SEAL_MS": "200",
    "PAKKA_LOG_LEVEL": "error",
    "PAKKA_MOVES_PER_SECOND": "1000",
    "PAKKA_MOVES_BURST": "10000",
    "PAKKA_MESSAGES_PER_SECOND": "1000",
    "PAKKA_REQUESTS_PER_SECOND": "10000",
}


@dataclass(frozen=True)
class Said:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def documents(self) -> list[Any]:
        """Read standard output as JSON lines; anything else there is an error."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def document(self) -> Any:
        """Read standard output as one JSON document."""
        (document,) = self.documents
        return document


@dataclass(frozen=True)
class Shell:
    """Runs `pakka` in processes of their own, with these settings."""

    settings: Mapping[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        """Give the environment of a command: nothing of ours leaks into it."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(OURS)}
        return kept | dict(self.settings)

    def run(self, *arguments: str, given: bytes = b"") -> Said:
        """Run a command to its end."""
        done = subprocess.run(
            [sys.executable, "-m", "server.cli", *arguments],
            input=given,
            capture_output=True,
            env=self.environment(),
            timeout=COMMAND_S,
            check=False,
        )
        return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


@dataclass(frozen=True)
class Served(Shell):
    """A house that is being served."""

    url: str = ""


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A shell whose PAKKA_HOME does not exist."""
    return Shell({"PAKKA_HOME": str(tmp_path / "home")})


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """`pakka serve` on a fresh folder, with its own embedded PostgreSQL."""
    with TemporaryDirectory(prefix="pakka-test-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        settings = {**QUICK, "PAKKA_HOME": folder}
        with (Path(folder) / "serve.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "server.cli", "serve", "--port", "0", "--json"],
                stdout=subprocess.PIPE,
                stderr=log,
                env=Shell(settings).environment(),
            )
        out = process.stdout
        assert out is not None
        try:
            url = json.loads(out.readline())["url"]
            yield Served(settings, url)
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(STOP_S) == 0
            assert out.read() == b"", "serve --json writes its address and nothing else"
            out.close()


Call = Callable[..., Said]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run a command in this process, with the settings of a shell: quicker than one of its own."""

    def run_inside(shell: Shell, *arguments: str) -> Said:
        for name in [name for name in os.environ if name.startswith(OURS)]:
            monkeypatch.delenv(name)
        for name, value in shell.settings.items():
            monkeypatch.setenv(name, value)
        capsys.readouterr()
        code = run(arguments)
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return run_inside


@pytest.fixture(scope="session")
def hand(served: Served) -> dict[str, Any]:
    """A hand that four bots have played at a table of their own, checked live by each."""
    table = served.run(
        "table", "open", "rummy", "--name", "Of bots", "--json",
        "-o", "seats=4", "-o", "min_players=4", "-o", "practice=true", "-o", "rate=10000",
    )  # fmt: skip
    assert table.code == 0
    for _ in range(100):
        said = served.run(
            "bots", "Of bots", "-n", "4", "--url", served.url, "--pace", "0",
            "--hands", "1", "--bot-seed", "5", "--json",
        )  # fmt: skip
        if said.code != 2:
            break
    assert (said.code, said.err) == (0, "")
    closed: dict[str, Any] = said.document
    assert closed["end"] == "closed"
    assert sum(int(row["amount"]) for row in closed["result"]) < 0
    close_table(served, table.document["table"])
    return closed


def close_table(served: Served, table: str) -> None:
    """Close a table of bots and wait: before the last one got up a hand may have begun.

    It would hold tokens of bots that other tests count, and settle at any time.
    """
    assert served.run("table", "close", table).code == 0
    deadline = time.monotonic() + COMMAND_S
    while table in [row["table"] for row in served.run("table", "list", "--json").documents]:
        assert time.monotonic() < deadline, "the table does not close"
        time.sleep(0.1)
