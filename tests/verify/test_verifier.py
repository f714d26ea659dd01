"""The command: any changed byte is found, nothing needs to be installed, bad input is one line."""

import io
import json
import random
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from server.fairness.canonical import BYTES_MAX
from server.verify import verify_record
from server.verify.__main__ import main
from tests.verify.house import SERVER, STRANGER, House, signed

ROOT = Path(__file__).parents[2]
SHORT = signed(House(size=4, players=(0, 1, 3), absent=frozenset(), reshuffles=0).play())
LONG = signed(House().play())
FLIPS = 200
KEY = SERVER.public.hex()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("record") / "hand.json"
    path.write_bytes(LONG)
    return path


# --- one flipped byte


@pytest.mark.parametrize("pinned", [SERVER.public, None], ids=["pinned", "unpinned"])
def test_9_one_flipped_byte_anywhere_exits_1_and_is_named(pinned: bytes | None) -> None:
    chance = random.Random(9)
    for at in chance.sample(range(len(SHORT)), FLIPS):
        changed = bytearray(SHORT)
        while changed == SHORT:
            # half of them stay within the form: a digit of a hash, a number, a letter of a name
            near = chance.random() < 0.5
            changed[at] = chance.choice(b"0123456789abcdef") if near else chance.randrange(256)
        report = verify_record(bytes(changed), pinned)
        assert report.exit_code == 1, at
        assert report.refused or 1 in report.failed


def test_9_a_flipped_digit_is_named_by_its_own_check_too() -> None:
    """Where the form survives, the check whose value it is says so beside check 1."""
    chance = random.Random(10)
    digits = [at for at, byte in enumerate(LONG) if byte in b"0123456789"]
    named = 0
    for at in chance.sample(digits, 40):
        changed = LONG[:at] + (b"7" if LONG[at : at + 1] != b"7" else b"8") + LONG[at + 1 :]
        report = verify_record(changed, SERVER.public)
        assert report.exit_code == 1, at
        assert report.refused or report.failed[0] == 1
        named += len(report.failed) > 1
    assert named > 20


def test_9_a_record_cut_short_or_with_more_behind_is_refused() -> None:
    for data in (SHORT[:-1], SHORT[:1000], SHORT + b"\n", SHORT + SHORT, b"", b"\x00" * 50):
        assert verify_record(data).refused is not None


# --- hostile input


@pytest.mark.parametrize(
    "data",
    [b"[" * 50_000_000, b"{" + b" " * 50_000_000, b'{"a":' * 300_000 + SHORT[-146:]],
    ids=["50 MB of brackets", "50 MB of spaces", "nested 300000 deep"],
)
def test_a_huge_or_deep_record_is_refused_in_a_moment(data: bytes) -> None:
    began = time.process_time()  # what others do on this machine is no matter
    report = verify_record(data)
    assert time.process_time() - began < 3
    assert report.exit_code == 1
    assert "refused: too_" in report.text()


# --- the command


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def test_a_line_for_each_check_and_exit_0(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, str(file), "--server-key", KEY)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in lines[:19]] == [str(n) for n in range(1, 20)]
    assert {line.split()[1] for line in lines[:19]} == {"holds", "live-only"}
    assert lines[-1] == "holds: no check fails"


def test_json_is_one_document(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, str(file), "--json", "--server-key", STRANGER.public.hex())
    document = json.loads(out)
    assert code == 1
    assert document["ok"] is False
    assert document["refused"] is None
    assert [check["number"] for check in document["checks"]] == list(range(1, 20))
    assert [c["number"] for c in document["checks"] if c["verdict"] == "fails"] == [1]
    refused = json.loads(verify_record(b"").json())
    assert refused["refused"]["code"] == "no_signature"


def test_standard_input_is_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LONG)))
    assert run(capsys, "-")[0] == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["/nowhere/record.json"],
        ["/"],
        ["bad\x00name"],
        ["http://127.0.0.1:9/record"],
        ["{file}", "--server-key", "abc"],
        ["{file}", "--server-key", KEY[:-2]],
        ["{file}", "--server-key", " " + KEY[:-1]],
    ],
)
def test_what_can_not_be_read_exits_2_with_one_line(
    file: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    code, out, err = run(capsys, *(text.replace("{file}", str(file)) for text in arguments))
    assert (code, out) == (2, "")
    assert err.startswith("pakka verify: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["a", "--unknown"]])
def test_a_wrong_call_exits_2_with_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    err = capsys.readouterr().err
    assert caught.value.code == 2
    assert err.count("\n") == 1


class Records(BaseHTTPRequestHandler):
    """Serves the record, and beside it one without an end."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        if self.path == "/record":
            self.wfile.write(LONG)
        else:
            self.wfile.write(bytes(BYTES_MAX + 10))

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  its name there
        pass


def test_an_address_is_fetched_up_to_the_limit(capsys: pytest.CaptureFixture[str]) -> None:
    with HTTPServer(("127.0.0.1", 0), Records) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            base = f"http://127.0.0.1:{server.server_port}"
            assert run(capsys, f"{base}/record")[0] == 0
            code, out, _ = run(capsys, f"{base}/endless")
        finally:
            server.shutdown()
            thread.join()
    assert code == 1
    assert "too_large" in out


# --- the standard library alone


def bare(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program where nothing is installed: no site-packages, no environment."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); {program}"
    return subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", "-c", code, *arguments],
        capture_output=True, text=True, check=False, timeout=180, cwd="/", env={},
    )  # fmt: skip


VERIFY = "from server.verify.__main__ import main; sys.exit(main())"


def test_9_the_verifier_runs_where_nothing_is_installed(file: Path, tmp_path: Path) -> None:
    honest = bare(VERIFY, str(file), "--server-key", KEY)
    assert (honest.returncode, honest.stderr) == (0, "")
    assert honest.stdout.endswith("holds: no check fails\n")
    changed = tmp_path / "changed.json"
    changed.write_bytes(LONG.replace(b'"hand_no":7', b'"hand_no":8'))
    assert bare(VERIFY, str(changed)).returncode == 1
    assert bare(VERIFY, str(tmp_path / "nothing")).returncode == 2


def test_the_verifier_imports_the_standard_library_and_our_pure_floors_alone() -> None:
    program = (
        "import server.verify.__main__; "
        "print([name for name in sys.modules if name.split('.')[0] not in"
        " sys.stdlib_module_names | {'server', '__main__'}]); "
        "print(sorted({'.'.join(name.split('.')[:2]) for name in sys.modules"
        " if name.startswith('server.')}))"
    )
    done = bare(program)
    foreign, floors = done.stdout.splitlines()
    assert foreign == "[]"
    assert floors == str([f"server.{f}" for f in ("cards", "fairness", "games", "verify")])
