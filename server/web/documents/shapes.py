"""Schemas of what is read by its annotations (`fairness/shape.py`): a record, a line's proof."""

from dataclasses import is_dataclass
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from server.fairness.record import Record
from server.fairness.shape import AtMost, Hexed, Plain, Text, Whole
from server.sealing.proofs import Proof
from server.web.documents.schemas import Schema, ref

SIGNED: Final = {"record_sig": {"type": "string", "pattern": "^[0-9a-f]{128}$"}}
"""What the signed file has besides, as its last member."""


def shape_schemas() -> dict[str, Schema]:
    """Describe the record, the proof, and the parts of both, by name."""
    records: dict[str, Schema] = {}
    _add(Record, records, "Hand")
    whole = records["HandRecord"]
    whole["properties"] |= SIGNED
    whole["required"] += list(SIGNED)
    proofs: dict[str, Schema] = {}
    _add(Proof, proofs, "Sealed")
    assert not records.keys() & proofs.keys(), "two shapes have one name"
    return records | proofs


def _add(kind: Any, schemas: dict[str, Schema], prefix: str) -> str:
    name = f"{prefix}{kind.__name__}"
    if name in schemas:
        return name
    schema = schemas[name] = {}
    fields = get_type_hints(kind, include_extras=True)
    schema |= {
        "type": "object",
        "description": kind.__doc__,
        "properties": {field: _schema_of(hint, schemas, prefix) for field, hint in fields.items()},
        "required": list(fields),
        "additionalProperties": False,
    }
    return name


def _schema_of(hint: Any, schemas: dict[str, Schema], prefix: str) -> Schema:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        inner = next(arg for arg in args if arg is not type(None))
        return {"anyOf": [_schema_of(inner, schemas, prefix), {"type": "null"}]}
    if origin is Annotated:
        return _ruled(args[0], args[1], schemas, prefix)
    if origin is tuple:
        return {"type": "array", "items": _schema_of(args[0], schemas, prefix)}
    assert is_dataclass(hint), f"no shape has {hint!r}"
    return ref(_add(hint, schemas, prefix))


def _ruled(base: Any, rule: object, schemas: dict[str, Schema], prefix: str) -> Schema:
    match rule:
        case Hexed(size=None, at_most=most):
            return {"type": "string", "pattern": "^([0-9a-f]{2})*$", "maxLength": 2 * most}
        case Hexed(size=size):
            return {"type": "string", "pattern": f"^[0-9a-f]{{{2 * (size or 0)}}}$"}
        case Whole(low, high):
            return {"type": "integer", "minimum": low, "maximum": high}
        case Text(at_most=most):
            return {"type": "string", "maxLength": most}
        case AtMost(count):
            return {**_schema_of(base, schemas, prefix), "maxItems": count}
        case Plain(count):
            return {
                "type": "object",
                "additionalProperties": {"type": ["integer", "boolean", "string"]},
                "maxProperties": count,
            }
    raise AssertionError(f"{rule} is no rule of a record")
