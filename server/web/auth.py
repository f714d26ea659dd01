"""Signing in: a browser by its cookie, every other client by a bearer token.

A cookie goes along with whatever a page of another site makes the browser send, so a request that
relies on one must come from an origin of ours; a bearer token needs no such check.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from fastapi import Depends, Response, WebSocket
from starlette.requests import HTTPConnection

from server.database import is_transient
from server.errors import Refusal
from server.identity import service as identity
from server.identity.operators import Operator, Role, operator_of_token
from server.identity.passwords import TOKEN_MAX
from server.tables import seat_tokens
from server.web.parts import Parts
from server.web.person import Person, person_of

SESSION_COOKIE: Final = "pakka_session"
OPERATOR_COOKIE: Final = "pakka_operator"
DAY_S: Final = 86_400
_BEARER: Final = "Bearer "
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def parts_of(connection: HTTPConnection) -> Parts:
    """Give the server's parts to a route."""
    parts: Parts = connection.app.state.parts
    return parts


TheParts = Annotated[Parts, Depends(parts_of)]


def bearer_of(connection: HTTPConnection) -> str | None:
    """Find the bearer token of a request."""
    header = connection.headers.get("authorization", "")
    return header.removeprefix(_BEARER).strip() if header.startswith(_BEARER) else None


def player_token(connection: HTTPConnection, parts: TheParts) -> str:
    """Find the token by which a player asks.

    Errors: Refusal `not_signed_in`, `bad_origin`.
    """
    return _token_of(connection, parts, SESSION_COOKIE)


def operator_token(connection: HTTPConnection, parts: TheParts) -> str:
    """Find the token by which an operator asks.

    Errors: Refusal `not_signed_in`, `bad_origin`.
    """
    return _token_of(connection, parts, OPERATOR_COOKIE)


PlayerToken = Annotated[str, Depends(player_token)]
OperatorToken = Annotated[str, Depends(operator_token)]


async def _caller(parts: TheParts, token: PlayerToken) -> Person:
    person = await _person_by(parts, token)
    if not parts.requests_of.take(person.player):
        raise Refusal("slow_down", "too many requests of this player")
    return person


Caller = Annotated[Person, Depends(_caller)]
"""The signed-in player; as a route's argument it makes the sign-in needed."""


async def operator_by(parts: Parts, token: str, least: Role) -> Operator:
    """Find the operator of a token whose role is at least `least`.

    Errors: Refusal `not_signed_in`, `not_allowed`.
    """
    async with parts.database.transaction() as tx:
        return await operator_of_token(tx, token, least=least)


async def _viewer(parts: TheParts, token: OperatorToken) -> Operator:
    return await operator_by(parts, token, Role.VIEWER)


async def _operator(parts: TheParts, token: OperatorToken) -> Operator:
    return await operator_by(parts, token, Role.OPERATOR)


async def _treasurer(parts: TheParts, token: OperatorToken) -> Operator:
    return await operator_by(parts, token, Role.TREASURER)


async def anybody() -> None:
    """Say that a route needs no sign-in: a route that says nothing is not described."""


async def perhaps_player() -> None:
    """Say that a route needs no sign-in, but does more for a player who has one."""


@dataclass(frozen=True, slots=True)
class Access:
    """Whom a route lets in: `who`, and of operators the least role."""

    who: Literal["anybody", "perhaps", "player", "operator"]
    least: Role | None = None


ACCESS: Final[Mapping[Callable[..., Any], Access]] = {
    anybody: Access("anybody"),
    perhaps_player: Access("perhaps"),
    _caller: Access("player"),
    _viewer: Access("operator", Role.VIEWER),
    _operator: Access("operator", Role.OPERATOR),
    _treasurer: Access("operator", Role.TREASURER),
}
"""By the dependency that lets in: the documents are made from the very thing that checks."""

Anybody = Depends(anybody)
PerhapsPlayer = Depends(perhaps_player)

ViewerRole = Annotated[Operator, Depends(_viewer)]
OperatorRole = Annotated[Operator, Depends(_operator)]
TreasurerRole = Annotated[Operator, Depends(_treasurer)]


async def person_of_socket(socket: WebSocket, parts: Parts, token: str | None) -> Person:
    """Find who says `hello`: by its token, or by the cookie of the upgrade request.

    A substitute's token opens the socket, for its seat, and nothing over HTTP.

    Errors: Refusal `not_signed_in`, `bad_origin`, `suspended`.
    """
    if token is None:
        token = _cookie_of(socket, SESSION_COOKIE)
        check_origin(socket, parts)
    return await _person_or_substitute(parts, token)


async def is_signed_in(connection: HTTPConnection, parts: Parts) -> Person | None:
    """Find who asks, where nobody need be signed in; None if the request names no sign-in.

    Errors: as for a signed-in request, if it names one.
    """
    if bearer_of(connection) is None and SESSION_COOKIE not in connection.cookies:
        return None
    return await _person_by(parts, _token_of(connection, parts, SESSION_COOKIE))


async def session_is_good(parts: Parts, person: Person) -> bool:
    """Tell whether a socket's sign-in still holds; a database that is away ends no sign-in."""
    try:
        await _person_or_substitute(parts, person.token)
    except Refusal:
        return False
    except Exception as error:
        if not is_transient(error):
            raise
    return True


def check_origin(connection: HTTPConnection, parts: Parts) -> None:
    """Refuse a request that a page of another site may have sent.

    Errors: Refusal `bad_origin`.
    """
    origin = connection.headers.get("origin", "")
    if parts.origins:
        is_ours = origin in parts.origins
    else:
        is_ours = bool(origin) and urlsplit(origin).netloc == connection.headers.get("host")
    if not is_ours:
        raise Refusal("bad_origin", "the request does not come from a page of this server")


def set_cookie(response: Response, parts: Parts, *, name: str, token: str, seconds: int) -> None:
    """Give a browser its token, where no script can read it."""
    response.set_cookie(
        name,
        token,
        max_age=seconds,
        httponly=True,
        samesite="lax",
        secure=parts.is_secure,
    )


def _token_of(connection: HTTPConnection, parts: Parts, cookie: str) -> str:
    token = bearer_of(connection)
    if token is None:
        token = _cookie_of(connection, cookie)
        if connection.scope["method"] not in _READING:
            check_origin(connection, parts)
    if not 1 <= len(token) <= TOKEN_MAX:
        raise Refusal("not_signed_in", "the token is unknown, over or revoked")
    return token


def _cookie_of(connection: HTTPConnection, name: str) -> str:
    token = connection.cookies.get(name)
    if not token:
        raise Refusal("not_signed_in", "neither a token nor a cookie")
    return token


async def _person_or_substitute(parts: Parts, token: str) -> Person:
    try:
        return await _person_by(parts, token)
    except Refusal as refusal:
        if refusal.code != "not_signed_in":
            raise
    async with parts.database.transaction() as tx:
        seat = await seat_tokens.pass_of(tx, token)
        if seat is None:
            raise Refusal("not_signed_in", "the token is unknown, over or revoked")
        return person_of(await identity.get_player(tx, seat.player), token, seat)


async def _person_by(parts: Parts, token: str) -> Person:
    async with parts.database.transaction() as tx:
        return person_of(await identity.player_of_token(tx, token), token)
