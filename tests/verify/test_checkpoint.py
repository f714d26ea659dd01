"""Check 10 of a record's checkpoint: whose it is, of which log, and what is said without a key."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from server.fairness.encoding import digest
from server.fairness.signing import LogSigner
from server.verify import Report, verify_record
from server.verify.__main__ import main
from tests.verify.house import SERVER, House, signed
from tests.verify.promises import LOG_SIGNER, OTHER

RECORD = House(size=4, players=(0, 1, 3), absent=frozenset(), reshuffles=0).play()
CLOSE = RECORD.log[-1]
KEY = LOG_SIGNER.key
FORGER = LogSigner(digest("test", b"forger"), KEY.name)
OTHER_LOG = LogSigner(digest("test", b"log"), "other.example/fairdeal-1")


def report_of(note: str | None, *, with_key: bool = True) -> Report:
    """Verify the record with another checkpoint, signed again by the server."""
    changed = signed(replace(RECORD, checkpoint=note))
    return verify_record(changed, SERVER.public, log_key=KEY if with_key else None)


def test_10_a_checkpoint_that_the_pinned_key_signed_is_accepted() -> None:
    report = report_of(RECORD.checkpoint)
    assert report.exit_code == 0
    assert not any("checkpoint" in note for note in report.notes)


LIES = {
    "another size": (LOG_SIGNER.checkpoint(size=CLOSE.size + 1, root=CLOSE.root), "not of the log"),
    "another root": (LOG_SIGNER.checkpoint(size=CLOSE.size, root=OTHER), "not of the log"),
    "no note": ("no note", "is refused"),
    "an empty one": ("", "is refused"),
    "size 0": (str(RECORD.checkpoint).replace(f"\n{CLOSE.size}\n", "\n0\n"), "is refused"),
    "a changed size": (
        str(RECORD.checkpoint).replace(f"\n{CLOSE.size}\n", f"\n{CLOSE.size + 1}\n"),
        "not of the log",
    ),
}


@pytest.mark.parametrize("name", LIES)
@pytest.mark.parametrize("with_key", [True, False])
def test_10_a_checkpoint_of_another_log_or_form_fails_with_and_without_the_key(
    name: str, with_key: bool
) -> None:
    note, text = LIES[name]
    report = report_of(note, with_key=with_key)
    assert report.failed == (10,)
    assert text in report.text()


FORGERIES = {
    "another key": FORGER.checkpoint(size=CLOSE.size, root=CLOSE.root),
    "another origin": OTHER_LOG.checkpoint(size=CLOSE.size, root=CLOSE.root),
    "none": None,
}


@pytest.mark.parametrize("name", FORGERIES)
def test_10_a_checkpoint_that_the_logs_key_has_not_signed_fails_where_the_key_is_known(
    name: str,
) -> None:
    assert report_of(FORGERIES[name]).failed == (10,)
    without = report_of(FORGERIES[name], with_key=False)
    assert without.failed == ()
    assert any("checkpoint" in note for note in without.notes)


def test_10_the_command_takes_the_logs_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hand.json"
    path.write_bytes(signed(RECORD))
    assert main([str(path), "--log-key", KEY.vkey, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"]
    assert main([str(path), "--log-key", FORGER.key.vkey]) == 1
    assert "the pinned key has not signed this" in capsys.readouterr().out
    assert main([str(path), "--log-key", "nonsense"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
