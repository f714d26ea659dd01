"""Proofs that others have published, good ones and every kind of bad one (check 19, section 4)."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from server.fairness import merkle

CASES = json.loads((Path(__file__).parent.parent / "vectors" / "merkle" / "cases.json").read_text())

STRICTER = {
    "sizes are equal (one) and proof is empty": "its roots are not 32 bytes",
    "sizes are equal (zero) and proof is empty": "size 0 is refused",
}
"""What is good there and refused here, and why."""


def raw(text: str | None) -> bytes:
    return base64.b64decode(text or "")


def proof_of(case: dict[str, Any]) -> list[bytes]:
    return [raw(node) for node in case["proof"] or ()]


def is_included(case: dict[str, Any]) -> bool:
    leaf, at, size = raw(case["leafHash"]), case["leafIdx"], case["treeSize"]
    try:
        found = merkle.root_from_path(leaf, at, size, proof_of(case))
    except ValueError:
        return False
    return found == raw(case["root"])


@pytest.mark.parametrize("case", CASES["inclusion"], ids=lambda case: case["path"])
def test_4_the_published_inclusion_proofs_are_judged_as_published(case: dict[str, Any]) -> None:
    assert is_included(case) == (not case["wantErr"])


@pytest.mark.parametrize("case", CASES["consistency"], ids=lambda case: case["path"])
def test_4_the_published_consistency_proofs_are_judged_as_published(case: dict[str, Any]) -> None:
    holds = merkle.is_consistent(
        old=case["size1"],
        old_root=raw(case["root1"]),
        new=case["size2"],
        new_root=raw(case["root2"]),
        proof=proof_of(case),
    )
    assert holds == (not case["wantErr"] and case["desc"] not in STRICTER)


def test_the_selection_has_good_and_bad_proofs_of_both_kinds() -> None:
    for kind, bad in (("inclusion", 17), ("consistency", 19)):
        assert [case["wantErr"] for case in CASES[kind]].count(True) == bad
        assert sum(not case["wantErr"] for case in CASES[kind]) >= 5
    assert {case["desc"] for case in CASES["consistency"]} >= set(STRICTER)
