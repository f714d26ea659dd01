"""The page's JavaScript, run by node: known answers, worked cases, and whatever Python answers."""

import base64
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.browser import answers, free_hands, trick_rules
from tests.browser.records import Case, cases

HERE = Path(__file__).parent
STATIC = HERE.parents[1] / "server" / "web" / "static"
NODE_S = 600


@pytest.fixture(scope="session")
def node() -> str:
    """Find node, 20 or later."""
    path = shutil.which("node")
    if path is None:
        pytest.skip("NODE IS MISSING: the page's JavaScript was not tested")
    return path


def run_node(node: str, *files: str, **variables: Path) -> None:
    """Run tests under node's own runner; what it says is the failure."""
    done = subprocess.run(
        [node, "--test", "--test-reporter=tap", *(str(HERE / file) for file in files)],
        capture_output=True,
        text=True,
        env={**os.environ, **{name: str(path) for name, path in variables.items()}},
        timeout=NODE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
    assert "\n# skipped 0\n" in done.stdout
    assert "\n# tests 0\n" not in done.stdout


def test_every_known_answer_comes_out_again(node: str) -> None:
    run_node(node, "fairdeal.test.mjs")


def test_every_string_is_there_in_english_and_in_hindi(node: str) -> None:
    run_node(node, "strings.test.mjs")


def test_a_name_from_right_to_left_stands_apart(node: str) -> None:
    run_node(node, "words.test.mjs")


def test_a_seat_is_followed_through_its_substitute_and_back(node: str) -> None:
    run_node(node, "seating.test.mjs")


def test_rummy_and_signatures_are_answered_as_python_answers(node: str, tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    asked = {
        "holdings": answers.holdings(),
        "hands": answers.whole_hands(),
        "signatures": answers.signatures(),
    }
    file.write_text(json.dumps(asked))
    run_node(node, "rummy.test.mjs", "signatures.test.mjs", PAKKA_ANSWERS=file)


def test_free_games_are_followed_as_python_follows_them(node: str, tmp_path: Path) -> None:
    file = tmp_path / "hands.json"
    file.write_text(json.dumps(free_hands.followed()))
    run_node(node, "free_hands.test.mjs", PAKKA_ANSWERS=file)


def test_the_rules_of_the_games_of_tricks_answer_as_pythons_do(node: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(trick_rules.asked()))
    run_node(node, "trick_rules.test.mjs", PAKKA_ANSWERS=file)


def test_every_record_gets_the_verdict_that_the_command_gives(node: str, tmp_path: Path) -> None:
    """Honest hands, each lie that the verifier's own tests know, flipped bytes, hostile input."""
    file = tmp_path / "cases.jsonl"
    with file.open("w") as lines:
        for case in cases():
            lines.write(json.dumps(_written(case)) + "\n")
    run_node(node, "verify.test.mjs", PAKKA_CASES=file)


def _written(case: Case) -> dict[str, Any]:
    key = case.log_key
    return {
        "name": case.name,
        "data": base64.b64encode(case.data).decode(),
        "serverKey": case.server_key and case.server_key.hex(),
        "logKey": key and {"name": key.name, "pub": key.public.hex(), "keyId": key.key_id.hex()},
        "wanted": json.loads(case.report.json()),
    }
