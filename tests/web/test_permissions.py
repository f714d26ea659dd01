"""Each route of the document lets in whom it says, by token and by cookie, and nobody else."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx
import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute

from server.identity.operators import Role
from server.main import House
from server.web.app import ROUTERS
from server.web.auth import OPERATOR_COOKIE, SESSION_COOKIE
from server.web.documents import openapi
from tests.web.test_operator import operator
from tests.web.wire import API, bearer, guest

NOBODY_S_TABLE = "00000000-0000-4000-8000-000000000000"
UNDESCRIBED = {
    "/docs", "/docs/pakka.d.ts", "/docs/documents.css", "/docs/client.ts", "/docs/fairdeal.ts",
    "/docs/seat.ts", "/docs/play.ts", "/verify", "/operator", "/favicon.ico", "/ws",
    "/static/{build}/{path}",
}  # fmt: skip
"""What no document of HTTP describes: pages and their files for anybody, and the socket."""

FOREIGN: Final[tuple[dict[str, str], ...]] = (
    {},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
)
ENDING = {("DELETE", f"{API}/sessions"), ("DELETE", f"{API}/me"),
          ("DELETE", f"{API}/operator/session")}  # fmt: skip
"""What ends the sign-in that asks: each gets one of its own."""

Kind = str


@dataclass(frozen=True, slots=True)
class Operation:
    """A route of the document, and whom it says that it lets in."""

    method: str
    path: str
    who: str
    least: Role | None

    @property
    def is_ending(self) -> bool:
        return (self.method, self.path) in ENDING

    @property
    def url(self) -> str:
        return re.sub(
            r"\{(\w+)\}", lambda m: NOBODY_S_TABLE if m[1] == "table" else "999999", self.path
        )

    def refusal_of(self, kind: Kind) -> str | None:
        """Say what somebody must be refused with, by what the document says; None: let in."""
        if self.who in {"anybody", "perhaps"}:
            return None
        if self.who == "player":
            return None if kind == "guest" else "not_signed_in"
        assert self.least is not None
        if kind not in Role.__members__:
            return "not_signed_in"
        return None if Role[kind] >= self.least else "not_allowed"


def read(document: Mapping[str, Any]) -> list[Operation]:
    """Read the document alone, as a client would. A route that names nobody is an error."""
    found = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            security = operation["security"]
            schemes = {name for one in security for name in one}
            match sorted(schemes):
                case []:
                    who = "anybody"
                case ["player_cookie", "player_token"]:
                    who = "perhaps" if {} in security else "player"
                case ["operator_cookie", "operator_token"]:
                    who = "operator"
                case other:
                    raise AssertionError(f"{method} {path} lets in {other}")
            least = Role[operation["x-role"].upper()] if who == "operator" else None
            found.append(Operation(method.upper(), path, who, least))
    return found


@pytest.fixture
async def operations(http: httpx.AsyncClient) -> list[Operation]:
    return read((await http.get("/openapi.json")).json())


async def token_of(house: House, kind: Kind) -> str:
    return await (guest(house) if kind == "guest" else operator(house, Role[kind]))


class People:
    """Tokens by kind of person; the sign-in of who asks for its own end is a fresh one."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._tokens: dict[Kind, str] = {}

    async def token(self, kind: Kind, operation: Operation) -> str:
        if operation.is_ending:
            return await token_of(self._house, kind)
        if kind not in self._tokens:
            self._tokens[kind] = await token_of(self._house, kind)
        return self._tokens[kind]


@pytest.fixture
def people(house: House) -> People:
    return People(house)


async def answer_of(
    http: httpx.AsyncClient, operation: Operation, headers: Mapping[str, str]
) -> httpx.Response:
    http.cookies.clear()
    return await http.request(operation.method, operation.url, headers=dict(headers))


def code_of(answer: httpx.Response) -> str | None:
    """Tell who was refused for what he is; what he asked for may be refused otherwise."""
    is_about_who = answer.status_code in {401, 403}
    return str(answer.json()["code"]) if is_about_who else None


def test_every_route_is_described_or_known_to_be_anybodys() -> None:
    described = {path for path, _ in openapi.routes_of(ROUTERS)}
    paths = set()
    for prefix, router in ROUTERS:
        for route in router.routes:
            assert isinstance(route, APIRoute | APIWebSocketRoute), route
            paths.add(f"{prefix}{route.path_format}")
    assert paths - described == UNDESCRIBED


async def test_each_route_lets_in_whom_the_document_names_and_nobody_else(
    operations: list[Operation], http: httpx.AsyncClient, people: People
) -> None:
    assert {one.who for one in operations} == {"anybody", "perhaps", "player", "operator"}
    kinds = ["nobody", "guest", *Role.__members__]
    wrong = []
    for operation in operations:
        for kind in kinds:
            by = {} if kind == "nobody" else bearer(await people.token(kind, operation))
            answer = await answer_of(http, operation, by)
            if code_of(answer) != operation.refusal_of(kind):
                wrong.append((operation.method, operation.path, kind, code_of(answer)))
    assert wrong == []


async def test_who_need_not_sign_in_must_not_do_so_as_somebody_else(
    operations: list[Operation], http: httpx.AsyncClient, people: People
) -> None:
    (perhaps,) = [one for one in operations if one.who == "perhaps"]
    body = {"name": "Anu Two", "password": "a long enough one"}
    for by in (bearer(await people.token("ADMIN", perhaps)), bearer("nobody's")):
        answer = await http.request(perhaps.method, perhaps.url, json=body, headers=by)
        assert code_of(answer) == "not_signed_in"


@pytest.mark.parametrize("kind", ["guest", "ADMIN"])
async def test_a_sign_in_that_was_ended_opens_no_route_any_more(
    operations: list[Operation], house: House, http: httpx.AsyncClient, kind: Kind
) -> None:
    token, who = await token_of(house, kind), "player" if kind == "guest" else "operator"
    end = f"{API}/sessions" if kind == "guest" else f"{API}/operator/session"
    assert (await http.delete(end, headers=bearer(token))).status_code == 200
    cookie = f"{SESSION_COOKIE if kind == 'guest' else OPERATOR_COOKIE}={token}"
    for operation in operations:
        if operation.who == who:
            for by in (bearer(token), {"Cookie": cookie, "Origin": house.url}):
                answer = await answer_of(http, operation, by)
                assert code_of(answer) == "not_signed_in", operation


@pytest.mark.parametrize("kind", ["guest", "ADMIN"])
async def test_what_changes_something_by_a_cookie_is_refused_to_a_page_of_another_site(
    operations: list[Operation], house: House, http: httpx.AsyncClient, people: People, kind: Kind
) -> None:
    who, name = ("player", SESSION_COOKIE) if kind == "guest" else ("operator", OPERATOR_COOKIE)
    writing = [one for one in operations if one.who == who and one.method not in {"GET", "HEAD"}]
    assert len(writing) > 2
    for operation in writing:
        cookie = {"Cookie": f"{name}={await people.token(kind, operation)}"}
        for origin in FOREIGN:
            answer = await answer_of(http, operation, {**cookie, **origin})
            assert code_of(answer) == "bad_origin", (operation, origin)
        answer = await answer_of(http, operation, {**cookie, "Origin": house.url})
        assert code_of(answer) is None, operation


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/guests", {"name": "Anu"}),
        ("/accounts", {"name": "Anu One", "password": "a long enough one"}),
        ("/sessions", {"name": "Anu One", "password": "a long enough one"}),
        ("/operator/session", {"link": "x"}),
    ],
)
async def test_a_cookie_is_given_to_no_page_of_another_site(
    http: httpx.AsyncClient, path: str, body: dict[str, str]
) -> None:
    for origin in FOREIGN:
        answer = await http.post(API + path, json={**body, "session": "cookie"}, headers=origin)
        assert code_of(answer) == "bad_origin"
        assert "Set-Cookie" not in answer.headers


async def test_every_answer_says_how_a_browser_is_to_treat_it_and_no_other_site_may_read_it(
    operations: list[Operation], http: httpx.AsyncClient, people: People
) -> None:
    for operation in operations:
        kind = "guest" if operation.who in {"player", "perhaps"} else "VIEWER"
        by = bearer(await people.token(kind, operation)) if operation.who != "anybody" else {}
        answer = await answer_of(http, operation, {**by, **FOREIGN[1]})
        headers = answer.headers
        assert headers["X-Content-Type-Options"] == "nosniff", operation
        assert headers["Referrer-Policy"] in {"no-referrer", "same-origin"}, operation
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"], operation
        assert not [name for name in headers if name.startswith("access-control-")], operation
        if operation.path.startswith(f"{API}/me") or operation.who == "operator":
            assert headers["Cache-Control"] == "no-store", operation
