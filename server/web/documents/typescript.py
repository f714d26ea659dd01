"""Types of TypeScript, from the schemas of both documents: one declaration for each schema.

A closed object is an interface, a choice a union; `Routes` has the body and the answer of each
route, so that one typed function can ask them all.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from server.web.documents.schemas import PLACE, Schema

HEAD: Final = (
    "// Types of Pakka's HTTP and of its socket (pakka.v1), made from the server's own schemas.\n"
    "// House tokens (HT) can be neither bought nor cashed in.\n"
)
PLAIN: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
REFUSED: Final = "4"
JSON: Final = "application/json"
"""Statuses from here on answer a refusal."""


def typescript(openapi: Mapping[str, Any], asyncapi: Mapping[str, Any]) -> str:
    """Write the declarations of both documents as one module.

    Errors: AssertionError if they call two different things by one name.
    """
    schemas = dict(openapi["components"]["schemas"])
    for name, schema in asyncapi["components"]["schemas"].items():
        written = _declared(name, schema)
        assert _declared(name, schemas.get(name, schema)) == written, f"two schemas are {name}"
        schemas[name] = schema
    parts = [_declared(name, schemas[name]) for name in sorted(schemas)]
    return "\n".join([HEAD, *parts, _routes(openapi)])


def _declared(name: str, schema: Schema) -> str:
    about = _about(schema, "")
    if "properties" in schema and "allOf" not in schema:
        return f"{about}export interface {name} {_object(schema, '')}\n"
    return f"{about}export type {name} = {_type_of(schema, '')};\n"


def _about(schema: Mapping[str, Any], indent: str) -> str:
    text = str(schema.get("description", "")).strip().replace("*/", "* /")
    if not text:
        return ""
    lines = text.split("\n")
    if len(lines) == 1:
        return f"{indent}/** {text} */\n"
    body = "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines)
    return f"{indent}/**\n{body}{indent} */\n"


def _object(schema: Mapping[str, Any], indent: str) -> str:
    inner = indent + "  "
    needed = schema.get("required", ())
    fields = [
        f"{_about(one, inner)}{inner}{_key(name)}{'' if name in needed else '?'}: "
        f"{_type_of(one, inner)};\n"
        for name, one in schema["properties"].items()
    ]
    return "{\n" + "".join(fields) + indent + "}"


def _key(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def _type_of(schema: Mapping[str, Any], indent: str) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(PLACE)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for choice, sign in (("anyOf", " | "), ("oneOf", " | "), ("allOf", " & ")):
        if choice in schema:
            return sign.join(_type_of(one, indent) for one in schema[choice])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(PLAIN[one] for one in kind)
    if kind == "array":
        return _array(schema, indent)
    if kind == "object" or "properties" in schema:
        return _map(schema, indent)
    return PLAIN.get(str(kind), "unknown")


def _array(schema: Mapping[str, Any], indent: str) -> str:
    items = schema.get("prefixItems", schema.get("items", {}))
    if isinstance(items, list):
        return f"[{', '.join(_type_of(one, indent) for one in items)}]"
    return f"Array<{_type_of(items, indent)}>"


def _map(schema: Mapping[str, Any], indent: str) -> str:
    if "properties" in schema:
        return _object(schema, indent)
    values = schema.get("additionalProperties")
    inner = _type_of(values, indent) if isinstance(values, dict) else "unknown"
    return f"{{ [name: string]: {inner} }}"


def _routes(openapi: Mapping[str, Any]) -> str:
    lines = [
        f"  {json.dumps(f'{method.upper()} {path}')}: "
        f"{{ body: {_body_of(operation)}; answer: {_answer_of(operation)} }};\n"
        for path, methods in openapi["paths"].items()
        for method, operation in methods.items()
    ]
    about = "/** What each route takes and answers; in a path, `{name}` is to be filled. */\n"
    return f"{about}export interface Routes {{\n{''.join(lines)}}}\n"


def _body_of(operation: Schema) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    return "undefined" if not content else _type_of(content[JSON]["schema"], "  ")


def _answer_of(operation: Schema) -> str:
    return " | ".join(sorted(set(_answers(operation))))


def _answers(operation: Schema) -> Iterator[str]:
    """List what a program gets: where there is a page for people too, it gets the JSON."""
    for status, response in operation["responses"].items():
        content = response.get("content", {})
        if status < REFUSED and JSON in content:
            yield _type_of(content[JSON]["schema"], "  ")
        elif status < REFUSED and content:
            yield "string"
