"""Frozen dataclasses to plain JSON values and back, strictly: no member more, none fewer.

A class says its form by annotations: `Annotated[bytes, Hexed(32)]`, `X | None`, `tuple[X, ...]`,
another dataclass. Byte strings are lower-case hex.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from server.fairness.canonical import RefusedRecord

LENGTHS_CHECK: Final = 19
"""The check of fairdeal/1 that demands exact lengths."""

_HEX = re.compile(r"(?:[0-9a-f]{2})*")
_KEY = re.compile(r"[a-z][a-z0-9_]*")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hexed:
    """Bytes as lower-case hex: exactly `size`, or at most `at_most`."""

    size: int | None = None
    at_most: int = 0


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Text:
    """Text of at most `at_most` letters; printable ASCII on one line unless `free`."""

    at_most: int
    free: bool = False


@dataclass(frozen=True, slots=True)
class AtMost:
    """A list with at most `count` members."""

    count: int


@dataclass(frozen=True, slots=True)
class Plain:
    """An object of texts, whole numbers and booleans with at most `count` members."""

    count: int


def plain(value: Any) -> Any:
    """Write a value of annotated dataclasses as plain JSON values."""
    if is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple):
        return [plain(member) for member in value]
    return value


def shaped(kind: type[T], value: Any, where: str = "") -> T:
    """Read plain JSON values as a `kind`.

    Errors: RefusedRecord `shape` that names the place; `length` for a byte string of a wrong
            length, which is fairdeal/1's check 19.
    """
    hints = _hints(kind)  # type: ignore[arg-type]  # every class is hashable
    if not isinstance(value, dict) or value.keys() != hints.keys():
        raise _refused(where or "the record", f"must have the members {', '.join(hints)}")
    prefix = f"{where}." if where else ""
    return kind(**{name: _read(hint, value[name], prefix + name) for name, hint in hints.items()})


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _read(hint: Any, value: Any, where: str) -> Any:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        inner = next(arg for arg in get_args(hint) if arg is not type(None))
        return None if value is None else _read(inner, value, where)
    if origin is Annotated:
        base, rule = get_args(hint)
        if isinstance(rule, AtMost):
            if isinstance(value, list) and len(value) > rule.count:
                raise _refused(where, f"has more than {rule.count} members")
            return _read(base, value, where)
        return _ruled(rule, value, where)
    if origin is tuple:
        if not isinstance(value, list):
            raise _refused(where, "must be a list")
        inner = get_args(hint)[0]
        return tuple(_read(inner, member, f"{where}[{i}]") for i, member in enumerate(value))
    return shaped(hint, value, where)


def _ruled(rule: object, value: Any, where: str) -> Any:
    match rule:
        case Hexed():
            return _bytes(rule, value, where)
        case Whole(low, high):
            if type(value) is not int or not low <= value <= high:
                raise _refused(where, f"must be a whole number from {low} to {high}")
            return value
        case Text(at_most, free):
            good = isinstance(value, str) and len(value) <= at_most
            if not good or not (free or (value.isascii() and value.isprintable())):
                raise _refused(where, f"must be text of at most {at_most} letters on one line")
            return value
        case Plain(count):
            return _options(count, value, where)
    raise AssertionError(f"{rule} is no rule")


def _bytes(rule: Hexed, value: Any, where: str) -> bytes:
    if not isinstance(value, str) or _HEX.fullmatch(value) is None:
        raise _refused(where, "must be lower-case hex")
    size = len(value) // 2
    if rule.size is not None and size != rule.size:
        text = f"{where} must be exactly {rule.size} bytes, not {size}"
        raise RefusedRecord("length", text, LENGTHS_CHECK)
    if rule.size is None and size > rule.at_most:
        raise _refused(where, f"must be at most {rule.at_most} bytes")
    return bytes.fromhex(value)


def _options(count: int, value: Any, where: str) -> dict[str, int | bool | str]:
    if not isinstance(value, dict) or len(value) > count:
        raise _refused(where, f"must be an object of at most {count} members")
    for key, member in value.items():
        if type(member) not in (int, bool, str) or _KEY.fullmatch(key) is None:
            raise _refused(where, "must hold texts, whole numbers and booleans by lower-case names")
        if not (str(member).isascii() and str(member).isprintable()):
            raise _refused(where, "must be ASCII, each on one line")
    return value


def _refused(where: str, text: str) -> RefusedRecord:
    return RefusedRecord("shape", f"{where} {text}")
