"""A fact survives the journal's JSON, byte for byte."""

from dataclasses import replace

import pytest
from pydantic import ValidationError

from server.tables.facts import Committed, Dealt, HandClosed, LogPlace, Moved, from_json, to_json

PLACE = LogPlace(index=3, size=4, root=bytes(range(32)), entry=b"\x00\xff")
PROVED = LogPlace(
    index=3,
    size=4,
    root=bytes(range(32)),
    entry=b"\x00\xff",
    path=(b"\x01" * 32, bytes(32)),
    checkpoint="log.example/fairdeal-1\n4\n\n\u2014 log.example/fairdeal-1 AA==\n",
)


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
        Dealt(root=bytes(32), log=PROVED, at_ms=5),
        Dealt(root=bytes(32), log=replace(PROVED, index=0, size=1, path=()), at_ms=5),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_a_fact_comes_back_as_it_was(fact: Moved | Committed | HandClosed | Dealt) -> None:
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


def test_a_fact_of_0_1_has_neither_proof_nor_checkpoint_and_is_read() -> None:
    old = (
        '{"fact":"dealt","root":"00","log":{"index":3,"size":4,"root":"01","entry":"02"},"at_ms":5}'
    )
    fact = from_json(old)
    assert isinstance(fact, Dealt)
    assert (fact.log.path, fact.log.checkpoint) == (None, None)
