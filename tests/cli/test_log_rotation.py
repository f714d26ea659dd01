"""`pakka log check` over rotations: a key that was pinned is followed to those of today."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Call, Said, Shell
from tests.cli.fake_log import FakeLog, shown
from tests.cli.test_log import FORGER, Check, rules_of
from tests.verify.log_book import LOG_SIGNER, NEW_LOG_SIGNER, NEW_SERVER, Book, rotated


@pytest.fixture
def fake() -> Iterator[FakeLog]:
    with shown(rotated()) as log:
        yield log


@pytest.fixture
def check(fake: FakeLog, shell: Shell, call: Call, tmp_path: Path) -> Check:
    def run(*arguments: str) -> Said:
        state = str(tmp_path / "state.json")
        return call(shell, "log", "check", "--url", fake.url, "--state", state, *arguments)

    return run


def hand_over(fake: FakeLog) -> None:
    fake.book = rotated()
    fake.signer, fake.vkey = NEW_LOG_SIGNER, NEW_LOG_SIGNER.key.vkey
    fake.server_key = NEW_SERVER.public.hex()


def test_4_whoever_pinned_a_key_follows_it_over_a_rotation_and_may_go_on_pinning_it(
    fake: FakeLog, check: Check, tmp_path: Path
) -> None:
    fake.book = Book(rotated().entries[:3])
    assert check("--json", "--log-key", LOG_SIGNER.key.vkey).code == 0
    hand_over(fake)
    for _ in range(2):
        said = check("--json", "--log-key", LOG_SIGNER.key.vkey)
        assert said.code == 0, said.document
        assert said.document["vkey"] == NEW_LOG_SIGNER.key.vkey
    assert said.document["rotated"] == 4
    (tmp_path / "state.json").unlink()
    for pinned in ([], ["--log-key", LOG_SIGNER.key.vkey], ["--log-key", NEW_LOG_SIGNER.key.vkey]):
        assert check("--json", *pinned).code == 0
        (tmp_path / "state.json").unlink()
    assert rules_of(check("--json", "--log-key", FORGER.key.vkey)) == ["key"]


def test_a_list_of_rotations_that_can_not_be_read_is_told_in_one_line(
    fake: FakeLog, check: Check
) -> None:
    bad: tuple[Any, ...] = ({}, {"keys": 5}, {"keys": [{"entry": "zz"}]}, {"keys": [{}]})
    for rows in bad:
        fake.answers["/keys"] = (200, rows)
        said = check("--json")
        assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
