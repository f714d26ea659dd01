"""The record's form: one way to write it, and every other way refused by a stable code."""

import json
import time
from dataclasses import replace
from typing import Any

import pytest

from server.fairness import canonical, record
from server.fairness.canonical import RefusedRecord, decode, encode
from server.fairness.encoding import digest
from tests.verify.house import SERVER, House, signed

RECORD = House().play()
FILE = signed(RECORD)
SIGNATURE_BYTES = len(',"record_sig":""}') + 128


def resigned(value: dict[str, Any]) -> bytes:
    """Sign any JSON as if it were a record."""
    return resigned_bytes(encode(value))


def resigned_bytes(body: bytes) -> bytes:
    signature = SERVER.sign("record", digest("record", body)).hex()
    return body[:-1] + b',"record_sig":"' + signature.encode() + b'"}'


def value() -> dict[str, Any]:
    return record.build(RECORD)


def refusal(data: bytes) -> RefusedRecord:
    with pytest.raises(RefusedRecord) as caught:
        record.read_record(data)
    return caught.value


def test_9_a_record_comes_out_as_it_went_in() -> None:
    read = record.read_record(FILE)
    assert read.record == RECORD
    assert signed(read.record) == FILE


def test_9_the_form_is_sorted_without_spaces_and_signed_at_the_end() -> None:
    body = FILE[:-SIGNATURE_BYTES] + b"}"
    assert json.dumps(json.loads(body), sort_keys=True, separators=(",", ":")).encode() == body
    assert list(json.loads(FILE))[-1] == "record_sig"
    assert json.loads(FILE)["format"] == "fairdeal/1"
    assert json.loads(body).keys() == value().keys()


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("no_signature", b""),
        ("no_signature", b"{}"),
        ("no_signature", FILE + b"\n"),
        ("no_signature", b" " + FILE[:-1]),
        ("not_json", b" " + FILE[1:]),
        ("not_canonical", b"{ " + FILE[1:]),
        ("not_canonical", FILE.replace(b'"attempt":1', b'"attempt": 1')),
        ("not_canonical", FILE.replace(b'"format"', b'"\\u0066ormat"')),
        ("not_ascii", FILE.replace(b'"rummy"', '"rümmy"'.encode())),
        ("not_whole", FILE.replace(b'"attempt":1', b'"attempt":1.0')),
        ("not_whole", FILE.replace(b'"attempt":1', b'"attempt":1e0')),
        ("not_whole", FILE.replace(b'"attempt":1', b'"attempt":NaN')),
        ("not_whole", FILE.replace(b'"attempt":1', b'"attempt":-Infinity')),
        ("not_whole", FILE.replace(b'"attempt":1', b'"attempt":' + b"9" * 5_000)),
        ("not_canonical", FILE.replace(b'"memo":""', b'"memo":-0')),
        ("duplicate_key", FILE.replace(b'"memo":""', b'"memo":"","memo":""')),
        ("no_signature", FILE[:-10]),
        ("no_signature", FILE[:-3] + b'F"}'),
        ("not_json", FILE[: len(FILE) // 2] + FILE[-SIGNATURE_BYTES:]),
    ],
)
def test_9_any_other_form_is_refused(code: str, data: bytes) -> None:
    assert refusal(data).code == code


def test_9_a_signature_in_its_sorted_place_is_refused() -> None:
    whole = json.loads(FILE)
    assert refusal(encode(whole)).code == "no_signature"


SHAPES: list[tuple[str, Any]] = [
    ("attempt", True),
    ("attempt", 4),
    ("attempt", "1"),
    ("attempt", None),
    ("dealer", -1),
    ("dealer", 255),
    ("format", "fairdeal/2"),
    ("game", "rummy\n"),
    ("game", 7),
    ("options", []),
    ("options", {"Seats": 6}),
    ("options", {"seats": None}),
    ("options", {"seats": "6\n7"}),
    ("options", {"a=b": 1}),
    ("options", {"seats": [6]}),
    ("S", "Z" * 64),
    ("S", RECORD.S.hex().upper()),
    ("S", None),
    ("packs", 0),
    ("packs", 11),
    ("hand_no", -1),
    ("hand_no", 2**64),
    ("commits", []),
    ("unused", []),
    ("seats", []),
    ("seats", {}),
    ("heads", []),
    ("events", []),
    ("result", []),
    ("voids", []),
    ("log", []),
    ("checkpoint", 1),
    ("settlement", None),
    ("settlement", {}),
]


@pytest.mark.parametrize(("member", "changed"), SHAPES)
def test_9_a_member_of_another_shape_is_refused(member: str, changed: Any) -> None:
    found = refusal(resigned({**value(), member: changed}))
    assert found.code == "shape"
    assert found.check is None


@pytest.mark.parametrize("member", value().keys())
def test_9_a_member_that_is_missing_or_too_much_is_refused(member: str) -> None:
    less = value()
    del less[member]
    assert refusal(resigned(less)).code == "shape"
    assert refusal(resigned({**value(), f"{member}2": 1})).code == "shape"


def deep(member: str, at: int, **changes: Any) -> dict[str, Any]:
    changed = value()
    changed[member][at] |= changes
    return changed


@pytest.mark.parametrize(
    "changed",
    [
        deep("seats", 0, seat=5),
        deep("seats", 0, status=2),
        deep("seats", 0, x=[]),
        deep("seats", 4, x=[None, None]),
        deep("heads", 0, epoch=1),
        deep("heads", 0, discards=[1]),
        deep("heads", 0, call_sig="00" * 64),
        deep("heads", 1, discards=None),
        deep("heads", 1, discards=[]),
        deep("heads", 1, call_sig=None),
        deep("heads", 1, present=[1]),
        deep("heads", 1, present=[True] * 6),
        deep("heads", 1, again_sigs=[None]),
        deep("events", 0, line="0 drop"),
        deep("events", 1, line=None),
        deep("events", 1, k=2),
        deep("result", 0, seat=5),
        deep("voids", 0, attempt=1),
        deep("unused", 0, attempt=1),
        deep("log", 0, entry="00" * 5_000),
    ],
)
def test_9_lists_that_do_not_fit_each_other_are_refused(changed: dict[str, Any]) -> None:
    assert refusal(resigned(changed)).code == "shape"


@pytest.mark.parametrize("text", ["00" * 31, "00" * 33, ""])
@pytest.mark.parametrize("member", ["S", "C_S", "L", "spec", "server_pub", "table", "L_sig"])
def test_19_a_byte_string_of_another_length_is_refused_by_check_19(member: str, text: str) -> None:
    found = refusal(resigned({**value(), member: text}))
    assert (found.code, found.check) == ("length", 19)
    assert member in found.text


def test_a_record_beyond_its_limits_is_refused_in_a_moment() -> None:
    began = time.process_time()  # what others do on this machine is no matter
    huge = b"{" + b" " * 50_000_000 + FILE[1:]
    assert refusal(huge).code == "too_large"
    for bracket in (b"[", b'{"a":'):
        nested = b'{"a":' + bracket * 200_000 + FILE[-SIGNATURE_BYTES:]
        assert refusal(nested).code == "too_deep"
    assert time.process_time() - began < 5


def test_nesting_counts_brackets_outside_of_texts_alone() -> None:
    assert decode(encode({"a": "[" * 100 + '"' + "{" * 100})) == {"a": "[" * 100 + '"' + "{" * 100}
    inside: Any = []
    for _ in range(canonical.NESTING_MAX - 1):
        inside = [inside]
    assert decode(encode(inside)) == inside
    with pytest.raises(RefusedRecord, match="too_deep"):
        decode(encode([inside]))


def test_what_can_not_be_read_is_not_written() -> None:
    for wrong in (
        replace(RECORD, S=bytes(31)),
        replace(RECORD, events=()),
        replace(RECORD, memo="two\nlines"),
        replace(RECORD, options={"a": 1.5}),  # type: ignore[dict-item]
    ):
        with pytest.raises(RefusedRecord):
            signed(wrong)
