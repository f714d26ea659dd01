"""Records that a server signed with anything in them: the verifier answers, and never breaks."""

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from server.fairness.canonical import encode
from server.fairness.encoding import digest
from server.fairness.record import build
from server.verify import verify_record
from tests.verify.house import SERVER, House

RECORD = build(House().play())
TRIES = 120

Place = tuple[Any, Any]


def resigned(value: dict[str, Any]) -> bytes:
    body = encode(value)
    signature = SERVER.sign("record", digest("record", body)).hex()
    return body[:-1] + b',"record_sig":"' + signature.encode() + b'"}'


def places(value: Any) -> Iterator[Place]:
    """List every (container, key) of a JSON value."""
    keys = value.keys() if isinstance(value, dict) else range(len(value))
    for key in list(keys):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


def altered(value: Any, chance: random.Random) -> Any:
    """Another value of the same kind, near enough to pass the form now and then."""
    match value:
        case bool() | None:
            return chance.choice([True, None, 0])
        case int():
            return chance.choice([0, 1, -1, value + 1, value - 1, 255, 2**63 - 1])
        case str() if value and all(c in "0123456789abcdef" for c in value):
            return chance.choice(["0" * len(value), "f" * len(value), value[::-1]])
        case str():
            return chance.choice(["", "0 drop", "auto 1", "5 declare @0.1", "3 leave", value[:-1]])
        case list() if value:
            shuffled = chance.sample(value, len(value))
            return chance.choice([value[:-1], [*value, value[-1]], shuffled, value[:1]])
        case _:
            return None


@pytest.mark.parametrize("number", range(TRIES))
def test_a_record_signed_over_anything_ends_in_a_report(number: int) -> None:
    chance = random.Random(number)
    value = copy.deepcopy(RECORD)
    for container, key in chance.sample(list(places(value)), chance.choice([1, 1, 3])):
        container[key] = altered(container[key], chance)
    report = verify_record(resigned(value), SERVER.public)
    assert report.exit_code == (0 if proved(value) == proved(RECORD) else 1)


def proved(value: dict[str, Any]) -> dict[str, Any]:
    """Leave out what nothing but record_sig speaks for: the match's memo, the ledger's number."""
    settlement = value["settlement"]
    if isinstance(settlement, dict):
        settlement = {**settlement, "journal": None}
    return {**value, "memo": "", "settlement": settlement}
