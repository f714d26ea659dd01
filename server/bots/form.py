"""Reading what the server says: exact lengths, exact types, or check 19 has failed."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from server.bots.evidence import Cheated

FORM: Final = 19
"""The check of fairdeal/1 section 6 on lengths and form."""

HASH_BYTES: Final = 32
SIG_BYTES: Final = 64
NO_KEY: Final = bytes(32)
"""A seat's key that means "no key" (fairdeal/1 section 2)."""


def bytes_of(part: Mapping[str, Any], field: str, size: int = HASH_BYTES) -> bytes:
    """Read a byte string of exactly `size` bytes in lower-case hex.

    Errors: Cheated(19) if it is anything else.
    """
    return exact(part.get(field), field, size)


def exact(value: object, field: str, size: int = HASH_BYTES) -> bytes:
    """Read `value`, named `field` in the complaint, as exactly `size` bytes of lower-case hex."""
    if isinstance(value, str) and len(value) == 2 * size and value == value.lower():
        try:
            raw = bytes.fromhex(value)
        except ValueError:
            raw = b""
        if len(raw) == size:
            return raw
    raise Cheated(FORM, f"{field} is not {size} bytes of lower-case hex")


def find_bytes(part: Mapping[str, Any], field: str, size: int = HASH_BYTES) -> bytes | None:
    """Read a byte string that may be absent or null."""
    return None if part.get(field) is None else bytes_of(part, field, size)


def number_of(part: Mapping[str, Any], field: str) -> int:
    """Read a whole number that is not negative.

    Errors: Cheated(19) if it is anything else.
    """
    value = whole_of(part, field)
    if value < 0:
        raise Cheated(FORM, f"{field} is not a whole number")
    return value


def whole_of(part: Mapping[str, Any], field: str) -> int:
    """Read a whole number, such as points, which some games count below zero.

    Errors: Cheated(19) if it is anything else.
    """
    value = part.get(field)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Cheated(FORM, f"{field} is not a whole number")
    return value


def text_of(part: Mapping[str, Any], field: str) -> str:
    """Read a text. Errors: Cheated(19) if it is anything else."""
    value = part.get(field)
    if not isinstance(value, str):
        raise Cheated(FORM, f"{field} is not a text")
    return value


def parts_of(part: Mapping[str, Any], field: str) -> Sequence[Mapping[str, Any]]:
    """Read a list of objects. Errors: Cheated(19) if it is anything else."""
    value = part.get(field)
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise Cheated(FORM, f"{field} is not a list of objects")
    return value


def list_of(part: Mapping[str, Any], field: str) -> list[Any]:
    """Read a list. Errors: Cheated(19) if it is anything else."""
    value = part.get(field)
    if not isinstance(value, list):
        raise Cheated(FORM, f"{field} is not a list")
    return value


def part_of(part: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    """Read an object. Errors: Cheated(19) if it is anything else."""
    value = part.get(field)
    if not isinstance(value, dict):
        raise Cheated(FORM, f"{field} is not an object")
    return value
