"""OpenAPI of the HTTP routes: FastAPI's, completed by who may ask and by what may be refused.

Who may ask is read from the dependency that checks it, so the document can't say otherwise.
"""

import inspect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter, FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from server.refusal_texts import REFUSALS
from server.web.auth import ACCESS, OPERATOR_COOKIE, SESSION_COOKIE, Access
from server.web.documents.schemas import Schema, ref, refusal_schema
from server.web.documents.shapes import shape_schemas
from server.web.errors import status_of

OF_EVERY_ROUTE: Final = ("slow_down", "too_large", "too_slow", "busy", "fault")
OF_A_FIELD: Final = ("bad_field", "missing_field")
OF_A_BODY: Final = ("bad_body", "unknown_field")
OF_A_KEY: Final = ("bad_key", "key_reused")
OF_A_SIGN_IN: Final = {
    "player": ("not_signed_in", "suspended"),
    "perhaps": ("not_signed_in", "suspended", "bad_origin"),
    "operator": ("not_signed_in", "not_allowed"),
    "anybody": (),
}
KEY: Final = "Idempotency-Key"
SCHEMES: Final = {
    "player_token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The `token` of a guest, an account or a sign-in.",
    },
    "player_cookie": {"type": "apiKey", "in": "cookie", "name": SESSION_COOKIE},
    "operator_token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The `token` of `POST /api/v1/operator/session`; `x-role`: the least role.",
    },
    "operator_cookie": {"type": "apiKey", "in": "cookie", "name": OPERATOR_COOKIE},
}


Routers = Sequence[tuple[str, APIRouter]]
"""The routers of an app, each with the prefix under which it is included."""


def install(app: FastAPI, routers: Routers) -> None:
    """Make the app answer `/openapi.json` with the complete document, made at the first call."""
    plain = app.openapi
    made: list[Schema] = []

    def whole() -> Schema:
        if not made:
            made.append(_completed(plain(), routers))
        return made[0]

    app.openapi = whole  # type: ignore[method-assign]  # as FastAPI's own pages say


def routes_of(routers: Routers) -> Iterator[tuple[str, APIRoute]]:
    """List the routes that the document describes, each with its whole path."""
    for prefix, router in routers:
        for route in router.routes:
            if isinstance(route, APIRoute) and route.include_in_schema:
                yield f"{prefix}{route.path_format}", route


def access_of(route: APIRoute) -> Access | None:
    """Find whom a route lets in; None if it doesn't say."""
    found = [ACCESS[call] for call in _calls(route.dependant) if call in ACCESS]
    return found[0] if found else None


def _calls(dependant: Dependant) -> Iterator[Any]:
    for part in dependant.dependencies:
        yield part.call
        yield from _calls(part)


def _completed(document: Schema, routers: Routers) -> Schema:
    schemas = document["components"]["schemas"]
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas |= shape_schemas() | {"RefusalCode": refusal_schema()}
    schemas["RefusalBody"]["properties"]["code"] = ref("RefusalCode")
    for schema in schemas.values():
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    document["components"]["securitySchemes"] = SCHEMES
    document["x-refusals"] = schemas["RefusalCode"]["x-refusals"]
    for path, route in routes_of(routers):
        for method in route.methods or ():
            _complete(document["paths"][path][method.lower()], route, method)
    return document


def _complete(operation: Schema, route: APIRoute, method: str) -> None:
    access = access_of(route)
    assert access is not None, f"{route.path} does not say whom it lets in"
    if route.summary is None:
        about = inspect.getdoc(route.endpoint) or route.name
        operation["summary"] = about.split("\n")[0].rstrip(".")
    _secure(operation, access)
    own = operation.pop("x-refusals", [])
    codes = sorted({*own, *_common(operation, access, method)})
    for status in ("4XX", "5XX", "422"):
        operation["responses"].pop(status, None)
    operation["responses"] |= _refusals(codes)


def _secure(operation: Schema, access: Access) -> None:
    match access.who:
        case "anybody":
            operation["security"] = []
        case "perhaps":
            operation["security"] = [{}, {"player_token": []}, {"player_cookie": []}]
        case who:
            operation["security"] = [{f"{who}_token": []}, {f"{who}_cookie": []}]
    if access.least is not None:
        operation["x-role"] = access.least.name.lower()


def _common(operation: Schema, access: Access, method: str) -> Iterable[str]:
    """List what a route may refuse by its form: its sign-in, its fields, its body, its key."""
    yield from OF_EVERY_ROUTE
    yield from OF_A_SIGN_IN[access.who]
    parameters = [one["name"] for one in operation.get("parameters", ())]
    if access.who in {"player", "operator"} and method != "GET":
        yield "bad_origin"
    if "requestBody" in operation:
        yield from (*OF_A_BODY, *OF_A_FIELD)
    if any(name != KEY for name in parameters):
        yield from OF_A_FIELD
    if KEY in parameters:
        yield from OF_A_KEY


def _refusals(codes: Iterable[str]) -> dict[str, Schema]:
    """Write the refused answers by status, each with its codes and what people are told."""
    by_status: dict[HTTPStatus, list[str]] = defaultdict(list)
    for code in codes:
        by_status[status_of(code)].append(code)
    return {
        str(status.value): {
            "description": f"{status.phrase}: {', '.join(codes)}",
            "content": {
                "application/json": {
                    "schema": {
                        "allOf": [ref("RefusalBody")],
                        "properties": {"code": {"enum": codes}},
                    }
                }
            },
            "x-refusals": {
                code: {"en": REFUSALS[code].en, "hi": REFUSALS[code].hi} for code in codes
            },
        }
        for status, codes in sorted(by_status.items())
    }
