"""A fact survives the journal's JSON, byte for byte."""

import pytest
from pydantic import ValidationError

from server.tables.facts import Committed, HandClosed, LogPlace, Moved, from_json, to_json

PLACE = LogPlace(index=3, size=4, root=bytes(range(32)), entry=b"\x00\xff")


@pytest.mark.parametrize(
    "fact",
    [
        Moved(line="2 draw closed", at_ms=1_764_460_000_123),
        Committed(seat=1, status=1, pub=bytes(32), commit=b"\xfe" * 32, sig=None, at_ms=5),
        Committed(seat=1, status=1, pub=b"\x01" * 32, commit=b"\xfe" * 32, sig=b"s" * 64, at_ms=5),
        HandClosed(
            seeds=(bytes(32), b"\x80" * 32),
            result=((0, 0, 90), (3, 10, -100)),
            winner=0,
            gross=100,
            commission=10,
            journal=None,
            log=PLACE,
            shown_until_ms=9,
        ),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_a_fact_comes_back_as_it_was(fact: Moved | Committed | HandClosed) -> None:
    assert from_json(to_json(fact)) == fact


@pytest.mark.parametrize(
    "text",
    [
        '{"fact":"moved","line":"2 drop"}',
        '{"fact":"moved","line":"2 drop","at_ms":1,"card":"7H"}',
        '{"fact":"invented"}',
        "[]",
        "",
    ],
)
def test_a_text_that_is_no_fact_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        from_json(text)
