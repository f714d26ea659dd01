"""Every refusal of HTTP: `{"code", "text", "field"}` and its status; never a traceback."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException

from server.cards.game import IllegalMove, InvalidOption
from server.database import is_transient
from server.errors import Refusal
from server.web.dispatch import body_of
from server.web.reading import name_of

STATUS_OF: Final[Mapping[str, HTTPStatus]] = {
    "bad_body": HTTPStatus.BAD_REQUEST,
    "not_signed_in": HTTPStatus.UNAUTHORIZED,
    "bad_credentials": HTTPStatus.UNAUTHORIZED,
    "bad_link": HTTPStatus.UNAUTHORIZED,
    "code_needed": HTTPStatus.UNAUTHORIZED,
    "bad_code": HTTPStatus.UNAUTHORIZED,
    "two_step_needed": HTTPStatus.FORBIDDEN,
    "suspended": HTTPStatus.FORBIDDEN,
    "not_allowed": HTTPStatus.FORBIDDEN,
    "bad_origin": HTTPStatus.FORBIDDEN,
    "method_not_allowed": HTTPStatus.METHOD_NOT_ALLOWED,
    "too_slow": HTTPStatus.REQUEST_TIMEOUT,
    "too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "missing_field": HTTPStatus.UNPROCESSABLE_ENTITY,
    "unknown_field": HTTPStatus.UNPROCESSABLE_ENTITY,
    "key_reused": HTTPStatus.UNPROCESSABLE_ENTITY,
    "slow_down": HTTPStatus.TOO_MANY_REQUESTS,
    "fault": HTTPStatus.INTERNAL_SERVER_ERROR,
    "server_fault": HTTPStatus.INTERNAL_SERVER_ERROR,
    "busy": HTTPStatus.SERVICE_UNAVAILABLE,
    "unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
}
STATUS_OF_KIND: Final[Mapping[str, HTTPStatus]] = {
    "no_such_": HTTPStatus.NOT_FOUND,
    "unknown_": HTTPStatus.NOT_FOUND,
    "bad_": HTTPStatus.UNPROCESSABLE_ENTITY,
}
"""By how a code begins, for those that aren't above. All others are 409, a conflict."""

log = structlog.get_logger("web.http")


class RefusalBody(BaseModel):
    """What every refused request answers; `text` is English and for logs."""

    code: str
    text: str
    field: str | None


def refuses(*codes: str) -> dict[str, Any]:
    """Declare, as a route's `openapi_extra`, which refusals are its own.

    Those of every route, of sign-ins, of fields and of keys are added by `documents/openapi.py`.
    """
    return {"x-refusals": list(codes)}


def status_of(code: str) -> HTTPStatus:
    """Derive the HTTP status of a refusal's code."""
    if code in STATUS_OF:
        return STATUS_OF[code]
    kinds = (status for kind, status in STATUS_OF_KIND.items() if code.startswith(kind))
    return next(kinds, HTTPStatus.CONFLICT)


def response_of(refusal: Refusal | IllegalMove) -> JSONResponse:
    """Write the response of a refusal."""
    status = status_of(refusal.code)
    headers = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else None
    return JSONResponse(body_of(refusal), status_code=status, headers=headers)


def install(app: FastAPI) -> None:
    """Make the app answer every refusal, and every mistake of ours, in the one form."""
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(IllegalMove, _refused)
    app.add_exception_handler(InvalidOption, _bad_option)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _fault)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal | IllegalMove)
    request.app.state.parts.metrics.refused(error.code)
    return response_of(error)


async def _bad_option(request: Request, error: Exception) -> Response:
    assert isinstance(error, InvalidOption)
    refusal = Refusal("bad_option", error.text, f"options.{error.field}")
    return await _refused(request, refusal)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    kind, place = first["type"], tuple(first["loc"])
    if kind == "json_invalid":
        return await _refused(request, Refusal("bad_body", "the body is not JSON"))
    code = {"extra_forbidden": "unknown_field", "missing": "missing_field"}.get(kind, "bad_field")
    field = name_of(place[1:])
    text = f"{field or place[0]}: {kind.replace('_', ' ')}"
    return await _refused(request, Refusal(code, text, field or None))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    match error.status_code:
        case HTTPStatus.NOT_FOUND:
            refusal = Refusal("no_such_route", "there is nothing at this address")
        case HTTPStatus.METHOD_NOT_ALLOWED:
            refusal = Refusal("method_not_allowed", "this address has other methods")
        case _:
            refusal = Refusal("bad_body", "the request can't be read")
    return await _refused(request, refusal)


async def _fault(request: Request, error: Exception) -> Response:
    if is_transient(error):
        return await _refused(request, Refusal("busy", "the database can't be reached just now"))
    if isinstance(error, ValidationError):
        log.error("reply_fault", path=request.url.path)
    return await _refused(request, Refusal("fault", "a mistake of ours; it was logged"))
