"""JSON in its one form: sorted keys, no spaces, ASCII, whole numbers (fairdeal/1 section 9)."""

import json
import re
from typing import Any, Final, NoReturn

BYTES_MAX: Final = 2 * 1024 * 1024
"""Bytes of a record; the longest hand of rummy at a table of eight takes about half."""

NESTING_MAX: Final = 6
"""Objects and lists inside each other; a record needs five."""

DIGITS_MAX: Final = 20
"""Digits of a number, its sign included."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
_NO_BRACKET = bytes(byte for byte in range(256) if byte not in b"[]{}")


class RefusedRecord(Exception):
    """A file that is no record in its one form; the code is stable.

    Shape: `check` is the number of fairdeal/1's check that says so, None for the form as such.
    """

    def __init__(self, code: str, text: str, check: int | None = None) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text
        self.check = check


def encode(value: Any) -> bytes:
    """Write a value of objects, lists, texts, whole numbers, booleans and nulls."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def decode(data: bytes) -> Any:
    """Read a value, if its bytes are those that `encode` would write.

    Errors: RefusedRecord: `too_large`, `not_ascii`, `too_deep`, `not_json`, `duplicate_key`,
            `not_whole`, `not_canonical`.
    """
    if len(data) > BYTES_MAX:
        raise RefusedRecord("too_large", f"more than {BYTES_MAX} bytes")
    if not data.isascii():
        raise RefusedRecord("not_ascii", "a byte above 127")
    _refuse_nesting(data)
    try:
        value = json.loads(
            data,
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_float=_refuse_number,
            parse_constant=_refuse_number,
        )
    except (ValueError, RecursionError) as error:
        raise RefusedRecord("not_json", str(error)) from None
    if encode(value) != data:
        raise RefusedRecord("not_canonical", "not sorted, spaced or escaped as it must be")
    return value


def _refuse_nesting(data: bytes) -> None:
    depth = 0
    for bracket in _STRING.sub(b"", data).translate(None, _NO_BRACKET):
        depth += 1 if bracket in b"[{" else -1
        if depth > NESTING_MAX:
            raise RefusedRecord("too_deep", f"nested more than {NESTING_MAX} deep")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise RefusedRecord("duplicate_key", "an object names a key twice")
    return found


def _whole(digits: str) -> int:
    if len(digits) > DIGITS_MAX:
        raise RefusedRecord("not_whole", f"a number of more than {DIGITS_MAX} digits")
    return int(digits)


def _refuse_number(text: str) -> NoReturn:
    raise RefusedRecord("not_whole", f"{text[:DIGITS_MAX]} is no whole number")
