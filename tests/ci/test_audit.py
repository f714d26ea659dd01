"""The audit of dependencies, with the real pip-audit and an advisory database of the test's own."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.acceptance.served import held_port

ROOT = Path(__file__).parents[2]
AUDIT = ROOT / ".ci" / "audit.py"
RUN_S = 240
HOLE = {
    "id": "PYSEC-0000-1",
    "summary": "A hole",
    "affected": [
        {
            "package": {"name": "sqlalchemy", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "999.1"}]}],
        }
    ],
}


@contextmanager
def advisories(*, status: int = 200, holes: bool = False) -> Iterator[tuple[str, set[str]]]:
    """Answer as OSV does: its address, and the packages that it was asked about."""
    asked: set[str] = set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            name = query["package"]["name"].lower()
            asked.add(name)
            found = {"vulns": [HOLE]} if holes and name == "sqlalchemy" else {}
            body = json.dumps(found).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1/query", asked
        finally:
            server.shutdown()


def audit(url: str) -> tuple[int, list[str]]:
    done = subprocess.run(
        [sys.executable, AUDIT],
        env={**os.environ, "OSV_URL": url, "NO_PROXY": "127.0.0.1"},
        capture_output=True,
        text=True,
        timeout=RUN_S,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_a_known_hole_fails_the_run_and_is_named() -> None:
    with advisories(holes=True) as (url, asked):
        code, lines = audit(url)
    assert code == 1
    assert lines[0].startswith("sqlalchemy ")
    assert lines[0].endswith(": PYSEC-0000-1; mended in: 999.1")
    assert lines[1].endswith(", 1 known holes")
    assert {"sqlalchemy", "fastapi", "cryptography", "asyncpg"} < asked


def test_no_known_hole_is_said_with_how_many_were_asked_for() -> None:
    with advisories() as (url, asked):
        code, lines = audit(url)
    assert (code, lines) == (0, [f"Dependency audit: {len(asked)} packages, 0 known holes"])


def test_a_database_that_can_not_be_asked_is_told_in_one_line_and_fails_nothing() -> None:
    for code, lines in (_of_a_closed_one(), _of_a_broken_one()):
        assert code == 0
        assert len(lines) == 1
        assert lines[0].startswith("Dependency audit NOT DONE, the advisory database can't be")


def _of_a_closed_one() -> tuple[int, list[str]]:
    """Keep the port that nobody listens on, or another test's database might take it."""
    with held_port() as held:
        return audit(f"http://127.0.0.1:{held.getsockname()[1]}/v1/query")


def _of_a_broken_one() -> tuple[int, list[str]]:
    with advisories(status=503) as (url, _):
        return audit(url)


def test_ci_runs_it() -> None:
    assert ".venv/bin/python .ci/audit.py" in (ROOT / ".ci" / "run").read_text()
