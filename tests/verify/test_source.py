"""What can't be read is told by both commands in one line with exit 2, and never as a verdict."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from server.cli import run
from server.verify.__main__ import main
from tests.verify.broken_server import BROKEN, broken_server

NO_ADDRESS = [
    "http://127.0.0.1:9/a b",
    "http://127.0.0.1:abc/",
    "http://127.0.0.1:99999999999999999999/",
    "http://127.0.0.1:-1/",
    "http://127.0.0.1:9/\x01\x1f",
    "http://127.0.0.1:9/two\nlines",
    "http://127.0.0.1:9/नमस्ते",
    "http://[/",
    "http://",
    "http:///x",
    "http://" + "a" * 70 + ".example/",
    "http://..../",
    "two\nlines \x1b[31m",
    "a" * 10_000,
]
COMMANDS = ["pakka", "module"]


@pytest.fixture(scope="module")
def broken() -> Iterator[str]:
    with broken_server() as url:
        yield url


def demand_one_line(command: str, source: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["verify", source]) if command == "pakka" else main([source])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("pakka")
    assert err.endswith("\n")
    assert err[:-1].isprintable()
    assert "read" in err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("path", BROKEN)
def test_a_server_that_breaks_http_is_told_in_one_line(
    broken: str, path: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    demand_one_line(command, f"{broken}/{path}", capsys)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("source", NO_ADDRESS)
def test_an_address_that_can_be_none_is_told_in_one_line(
    source: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    demand_one_line(command, source, capsys)


@pytest.mark.parametrize("module", ["server.cli", "server.verify"])
def test_a_closed_standard_input_is_told_in_one_line(module: str) -> None:
    verify = ["verify"] if module == "server.cli" else []
    command = [sys.executable, "-m", module, *verify, "-"]
    closed = ["sh", "-c", '"$@" <&-', "sh", *command]
    done = subprocess.run(closed, capture_output=True, text=True, check=False, timeout=180)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "standard input is closed" in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["--server-key", "--log-key"])
def test_a_pinned_key_that_is_empty_is_refused(
    option: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """As an unset variable of a shell is: nothing must seem pinned that isn't."""
    arguments = ["/nowhere", option, ""]
    code = run(["verify", *arguments]) if command == "pakka" else main(arguments)
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert option in err
    assert err.count("\n") == 1
