"""The page follows a key that handed over to another one, and believes no other."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from server.fairness.entries import HANDOVER_ROLE, KeyRole, handover, log_key
from server.fairness.signing import SigningKey
from tests.browser.twin import NODE

pytestmark = pytest.mark.skipif(NODE is None, reason="NO NODE HERE: rotations were not followed")

FIRST, SECOND, THIRD, THIEF = (SigningKey(bytes([number]) * 32) for number in (1, 2, 3, 9))


def rotation(old: SigningKey, new: SigningKey, signer: SigningKey, role: KeyRole) -> str:
    digest = handover(role=role, old=old.public, new=new.public)
    sig = signer.sign(HANDOVER_ROLE, digest)
    return log_key(role=role, old=old.public, new=new.public, signature=sig).hex()


def page_says(rows: list[tuple[int, str]], last: SigningKey) -> dict[str, Any]:
    assert NODE is not None
    asked = {"rows": rows, "first": FIRST.public.hex(), "last": last.public.hex()}
    script = str(Path(__file__).parent / "rotations.mjs")
    ran = subprocess.run(
        [NODE, script], input=json.dumps(asked), capture_output=True, text=True, timeout=180
    )
    said: dict[str, Any] = json.loads(ran.stdout)
    return said


def test_two_rotations_lead_to_the_third_key_and_each_was_in_force_in_its_time() -> None:
    rows = [
        (3, rotation(FIRST, SECOND, FIRST, KeyRole.SIGNING)),
        (7, rotation(SECOND, THIRD, SECOND, KeyRole.SIGNING)),
    ]
    said = page_says(rows, THIRD)
    assert said["leads"]
    keys = [FIRST] * 3 + [SECOND] * 4 + [THIRD] * 3
    assert said["at"] == [key.public.hex() for key in keys]


@pytest.mark.parametrize(
    "entry",
    [
        rotation(FIRST, THIEF, THIEF, KeyRole.SIGNING),
        rotation(FIRST, THIEF, FIRST, KeyRole.LOG),
        rotation(SECOND, THIEF, SECOND, KeyRole.SIGNING),
    ],
    ids=["signed by the thief", "of another role", "of another key"],
)
def test_a_key_that_was_not_handed_over_to_is_not_followed(entry: str) -> None:
    assert page_says([(3, entry)], THIEF)["leads"] is False


def test_an_entry_that_is_not_one_to_the_byte_is_refused() -> None:
    good = rotation(FIRST, SECOND, FIRST, KeyRole.SIGNING)
    for bad in (good[:-2], good + "00", good.upper(), "", "01" + good[2:]):
        assert page_says([(3, bad)], SECOND) == {"check": 19}
