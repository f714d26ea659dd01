"""From a client's text to a frame, or to the refusal that names what is wrong with it.

Whatever the client writes, the answer is a frame or a `Refusal`; nothing else leaves this file, and
nothing of the client's own text is repeated but the name of a field, in plain ASCII.
"""

import hashlib
import json
from typing import Any, Final

from pydantic import ValidationError

from server.errors import Refusal
from server.web.messages import CLIENT_FRAME, ID_LENGTH_MAX, ClientFrame

FIELD_NAME_MAX: Final = 64
DEPTH_MAX: Final = 16


def read_json(text: str) -> dict[str, Any]:
    """Read one JSON object as the protocol allows it: no key twice, no NaN, not deeply nested.

    Errors: Refusal `bad_frame`.
    """
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refusal("bad_frame", "not a JSON object of this protocol") from None
    if not isinstance(value, dict):
        raise Refusal("bad_frame", "a frame is a JSON object")
    if _depth(value) > DEPTH_MAX:
        raise Refusal("bad_frame", "nested too deeply")
    return value


def read_frame(raw: dict[str, Any]) -> ClientFrame:
    """Read a frame out of what `read_json` gave.

    Errors: Refusal `unknown_type`, `unknown_field`, `missing_field` or `bad_field`, with the field.
    """
    try:
        return CLIENT_FRAME.validate_python(raw)
    except ValidationError as error:
        raise refusal_of(error, tags=1) from None


def id_of(raw: dict[str, Any]) -> str | None:
    """Find the id that a reply to this frame must name, even if the frame itself is refused."""
    text = raw.get("id")
    if isinstance(text, str) and 0 < len(text) <= ID_LENGTH_MAX and text.isascii():
        return text if all(" " < letter <= "~" for letter in text) else None
    return None


def digest_of(raw: dict[str, Any]) -> bytes:
    """Derive what tells a repeated command from another one under the same id: 32 bytes."""
    return hashlib.sha256(json.dumps(raw, sort_keys=True, separators=(",", ":")).encode()).digest()


def refusal_of(error: ValidationError, *, tags: int = 0) -> Refusal:
    """Make the refusal that names the first offending field.

    Shape: `tags` leading parts of the place are names of union members, not of fields.
    """
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    kind, place = first["type"], first["loc"]
    if kind in {"union_tag_invalid", "union_tag_not_found"}:
        return _tag_refusal(kind, (*place, "t") if tags else place)
    field = name_of(place[tags:])
    code = {"extra_forbidden": "unknown_field", "missing": "missing_field"}.get(kind, "bad_field")
    return Refusal(code, f"{field}: {_plain(kind)}", field or None)


def name_of(place: tuple[int | str, ...]) -> str:
    """Write a field's place as `d.groups.0.1`, in plain ASCII whatever the client called it."""
    parts = [str(part) for part in place if not (isinstance(part, str) and part.startswith("<"))]
    text = ".".join(parts).encode("ascii", "backslashreplace").decode("ascii")
    return text[:FIELD_NAME_MAX]


def _tag_refusal(kind: str, place: tuple[int | str, ...]) -> Refusal:
    field = name_of(place)
    if kind == "union_tag_not_found":
        return Refusal("missing_field", f"{field}: missing", field)
    return Refusal("unknown_type", f"{field}: no such type", field)


def _plain(kind: str) -> str:
    return kind.replace("_", " ")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen = dict(pairs)
    if len(seen) != len(pairs):
        raise ValueError("a key twice")
    return seen


def _no_constant(text: str) -> object:
    raise ValueError(text)


def _depth(value: dict[str, Any]) -> int:
    """Count the levels of nesting; json.loads has already bounded them."""
    depth = 0
    level: list[Any] = [value]
    while level and depth <= DEPTH_MAX:
        depth += 1
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
    return depth
