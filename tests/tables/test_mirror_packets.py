"""What the owner publishes, as bytes: it comes back as it was, and anything else is refused."""

from dataclasses import replace
from uuid import UUID

import pytest
from pydantic import ValidationError

from server.database import TableId
from server.tables.facts import Dealt, LogPlace, Moved, Revealed
from server.tables.published import Published, decode, encode

TABLE = TableId(UUID(int=7))
PLACE = LogPlace(index=3, size=4, root=bytes(range(32)), entry=b"\x00\xff", path=(b"\x80",))
PUBLISHED = Published(
    table=TABLE,
    stream=2,
    first_seq=11,
    last_seq=19,
    at_ms=1_764_460_000_123,
    facts=(
        Revealed(seat=1, epoch=0, x=b"\xfe" * 32, sig=None, at_ms=5),
        Dealt(root=bytes(32), log=PLACE, at_ms=6),
        Moved(line="2 draw closed", at_ms=7),
    ),
)


@pytest.mark.parametrize("published", [PUBLISHED, replace(PUBLISHED, facts=())])
def test_what_is_published_comes_back_as_it_was(published: Published) -> None:
    assert decode(encode(published)) == published


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"moved"', b'"invented"'),
        (b'"at_ms":7', b'"at_ms":7,"card":"7H"'),
        (b'"stream":2', b'"stream":"two"'),
        (b'"stream":2,', b""),
        (b'"stream":2', b'"stream":2,"fence":3'),
        (b'"first_seq":11', b'"first_seq":0'),
        (b"{", b""),
    ],
)
def test_bytes_that_were_never_published_are_refused(old: bytes, new: bytes) -> None:
    body = encode(PUBLISHED)
    assert old in body
    with pytest.raises(ValidationError):
        decode(body.replace(old, new, 1))
