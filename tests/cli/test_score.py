"""`pakka score`: every worked case, and a line number for every line that is wrong."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from server.cli import run
from tests.cli.conftest import COMMAND_S, Shell

CASES = json.loads((Path(__file__).parents[1] / "cases" / "rummy.json").read_text())["cases"]
SCORES = [case for case in CASES if case["type"] == "score"]
LINE = {
    "hand": ["4S", "5S", "6S", "8H", "JK", "TH", "KD", "KC", "KH", "2D", "7C", "QS", "AD"],
    "turned": "3D",
}


def line_of(**changes: Any) -> bytes:
    return json.dumps({**LINE, **changes}).encode() + b"\n"


def test_every_worked_case_is_counted(shell: Shell) -> None:
    lines = [{"hand": case["hand"], "turned": case["turned"]} for case in SCORES]
    given = dict.fromkeys((2, 3), b"")
    wanted: dict[int, list[int]] = {2: [], 3: []}
    for case, line in zip(SCORES, lines, strict=True):
        decks = case.get("decks", 2)
        given[decks] += json.dumps(line).encode() + b"\n"
        wanted[decks].append(case["expect"]["points"])
    for decks in (2, 3):
        said = shell.run("score", "--decks", str(decks), given=given[decks])
        assert (said.code, said.err) == (0, "")
        assert [document["points"] for document in said.documents] == wanted[decks]
    assert len(SCORES) == len(wanted[2]) + len(wanted[3]) > 10
    said = shell.run("score", given=b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    assert [document["points"] for document in said.documents] == [
        case["expect"]["points"] for case in SCORES
    ]


def test_the_answer_has_the_fields_of_the_page(shell: Shell) -> None:
    said = shell.run("score", "--json", given=line_of())
    document = said.document
    assert document["points"] == 29
    assert document["case"] == "two_sequences"
    assert document["can_declare"] is False
    placed = [card for group in document["groups"] for card in group] + document["loose"]
    assert sorted(placed) == sorted(LINE["hand"])


WRONG = [
    (b"{", "not JSON"),
    (b"[]", "must be"),
    (b'"x"', "must be"),
    (b"\xff\xfe", "not UTF-8"),
    (b"[" * 4000, "not JSON"),
    (b" " * 5000 + b"x", "longer than"),
    (line_of(hand=LINE["hand"][:12]), "13 cards"),
    (line_of(hand="4S5S"), "13 cards"),
    (line_of(hand=[*LINE["hand"][:12], 7]), "7 is not a card"),
    (line_of(hand=[*LINE["hand"][:12], "1S"]), "hand: not a card: '1S'"),
    (line_of(hand=[*LINE["hand"][:12], "7H#2"]), "not in 2 packs"),
    (line_of(hand=[*LINE["hand"][:10], "9C", "9C", "9C"]), "9C comes 3 times"),
    (line_of(hand=[*LINE["hand"][:11], "3D", "3D"]), "3D comes 3 times"),
    (line_of(turned=None), "turned: null is not a card"),
    (line_of(turned="XX"), "turned: not a card"),
    (line_of(more=1), "nothing else"),
    (b'{"hand": []}', "nothing else"),
]


@pytest.mark.parametrize(("line", "text"), WRONG, ids=[text for _, text in WRONG])
def test_a_wrong_line_ends_it_with_its_number(
    line: bytes,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    file = tmp_path / "lines"
    file.write_bytes(line_of() + b"\n" + line.strip(b"\n") + b"\n" + line_of())
    with file.open() as given:
        monkeypatch.setattr(sys, "stdin", given)
        assert run(["score", "--decks", "2"]) == 2
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 1
    assert said.err.startswith("pakka: line 3: ")
    assert text in said.err
    assert said.err.count("\n") == 1


def test_a_third_pack_is_there_when_it_is_asked_for(shell: Shell) -> None:
    given = line_of(hand=[*LINE["hand"][:10], "9C", "9C", "9C#2"])
    assert shell.run("score", "--decks", "3", given=given).code == 0


def test_nothing_in_is_nothing_out(shell: Shell) -> None:
    said = shell.run("score")
    assert (said.code, said.out, said.err) == (0, "", "")


def test_a_reader_that_goes_away_gets_no_traceback(shell: Shell) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "server.cli", "score"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=shell.environment(),
    )
    assert process.stdout is not None
    process.stdout.close()
    _, said = process.communicate(line_of() * 2_000, timeout=COMMAND_S)
    assert said == b""
    assert process.returncode == 141
