"""OpenAPI: valid, whole, true about who may ask, and what answers are really held to."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from openapi_spec_validator import validate

from server.identity.operators import Role
from server.main import House
from server.refusal_texts import REFUSALS
from server.web.app import ROUTERS
from server.web.documents import openapi
from server.web.errors import RefusalBody
from tests.tap import Answer, Tap, unlike_answer
from tests.web.test_operator import operator
from tests.web.wire import API, bearer, guest

NOBODY_S_TABLE = "00000000-0000-4000-8000-000000000000"
ROLES = {
    ("GET", "/operator/me"): "viewer",
    ("DELETE", "/operator/session"): "viewer",
    ("GET", "/operator/players"): "viewer",
    ("GET", "/operator/players/{player}"): "viewer",
    ("GET", "/operator/audit"): "viewer",
    ("GET", "/operator/entries"): "viewer",
    ("GET", "/operator/entries.csv"): "viewer",
    ("GET", "/operator/house"): "viewer",
    ("GET", "/operator/players/{player}/statement"): "viewer",
    ("GET", "/operator/players/{player}/statement.csv"): "viewer",
    ("GET", "/operator/accounts"): "viewer",
    ("GET", "/operator/trial-balance"): "viewer",
    ("GET", "/operator/commission"): "viewer",
    ("GET", "/operator/live"): "viewer",
    ("GET", "/operator/tables"): "viewer",
    ("GET", "/operator/hands"): "viewer",
    ("GET", "/operator/complaints"): "viewer",
    ("POST", "/operator/complaints/{complaint}/answer"): "operator",
    ("POST", "/operator/players/{player}/suspension"): "operator",
    ("POST", "/operator/tables"): "operator",
    ("POST", "/operator/tables/{table}/close"): "operator",
    ("POST", "/operator/hands/{hand}/void"): "operator",
    ("POST", "/operator/ledger/check"): "operator",
    ("POST", "/operator/tokens/issue"): "treasurer",
    ("POST", "/operator/tokens/withdraw"): "treasurer",
    ("POST", "/operator/entries/{entry}/reversal"): "treasurer",
}
"""The least role of each of the operator's routes: a new one is added here."""


@pytest.fixture
async def document(http: httpx.AsyncClient) -> dict[str, Any]:
    whole: dict[str, Any] = (await http.get("/openapi.json")).json()
    return whole


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def test_every_route_says_whom_it_lets_in() -> None:
    silent = [path for path, route in openapi.routes_of(ROUTERS) if not openapi.access_of(route)]
    assert silent == []


def test_a_route_that_does_not_say_it_is_objected_to() -> None:
    app, router = FastAPI(responses={"4XX": {"model": RefusalBody}}), APIRouter()

    @router.get("/secret")
    async def secret() -> dict[str, str]:
        return {}

    app.include_router(router)
    openapi.install(app, [("", router)])
    with pytest.raises(AssertionError, match="/secret does not say whom it lets in"):
        app.openapi()


async def test_the_document_is_valid_and_says_what_house_tokens_are(
    document: dict[str, Any],
) -> None:
    validate(document)
    assert "neither bought nor cashed in" in document["info"]["description"]


async def test_every_route_has_a_summary_a_tag_and_the_form_of_its_answer(
    document: dict[str, Any],
) -> None:
    described = {(method, path) for method, path, _ in operations(document)}
    routed = {
        (method, path)
        for path, route in openapi.routes_of(ROUTERS)
        for method in route.methods or ()
    }
    assert described == routed
    for method, path, operation in operations(document):
        where = f"{method} {path}"
        assert operation["summary"], where
        assert operation["tags"], where
        done = [one for status, one in operation["responses"].items() if status < "3"]
        assert len(done) == 1, where
        for content in done[0]["content"].values():
            assert content["schema"], where
        refused = {status for status in operation["responses"] if status >= "4"}
        assert {"429", "500", "503"} <= refused, where


async def test_each_operator_s_route_names_its_least_role(document: dict[str, Any]) -> None:
    named = {
        (method, path.removeprefix(API)): operation["x-role"]
        for method, path, operation in operations(document)
        if "x-role" in operation
    }
    assert named == ROLES


async def test_the_document_is_right_about_who_may_ask(
    document: dict[str, Any], house: House, http: httpx.AsyncClient
) -> None:
    player = bearer(await guest(house))
    by_role = {role: bearer(await operator(house, role)) for role in Role if role < Role.ADMIN}
    for method, path, operation in operations(document):
        where, url = f"{method} {path}", _filled(path)
        is_open = operation["security"] in ([], [{}, {"player_token": []}, {"player_cookie": []}])
        status = (await http.request(method, url)).status_code
        assert (status == 401) == (not is_open), where
        if "x-role" not in operation or path.endswith("/session"):
            continue
        assert (await http.request(method, url, headers=player)).status_code == 401, where
        for role, who in by_role.items():
            status = (await http.request(method, url, headers=who)).status_code
            assert (status == 403) == (role < Role[operation["x-role"].upper()]), where


async def test_every_route_that_reads_gives_what_the_document_says(
    document: dict[str, Any], house: House, http: httpx.AsyncClient, tap: Tap
) -> None:
    who = {
        "player_token": bearer(await guest(house)),
        "operator_token": bearer(await operator(house, Role.VIEWER)),
    }
    asked = 0
    for method, path, operation in operations(document):
        if method != "GET" or "{" in path or "required" in str(operation.get("parameters")):
            continue
        scheme = next(iter(operation["security"][0])) if operation["security"] else ""
        answer = await http.get(path, headers=who.get(scheme, {}))
        asked += answer.status_code == 200
    assert asked > 10
    assert tap.take() == []


async def test_every_refusal_is_listed_in_both_languages(
    document: dict[str, Any], http: httpx.AsyncClient
) -> None:
    listed = (await http.get(f"{API}/refusals")).json()["refusals"]
    assert listed == [{"code": code, "en": t.en, "hi": t.hi} for code, t in REFUSALS.items()]
    assert document["x-refusals"] == {one.pop("code"): one for one in listed}
    for method, path, operation in operations(document):
        for status, one in operation["responses"].items():
            if status >= "4" and path != "/readyz":
                assert one["x-refusals"].items() <= document["x-refusals"].items(), (method, path)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b'{"tables":[],"next":null,"secret":1}'),
        (200, b'{"tables":[]}'),
        (418, b'{"code":"fault","text":"","field":null}'),
        (429, b'{"code":"no_such_table","text":"","field":null}'),
        (429, b'{"code":"slow_down","text":""}'),
    ],
)
async def test_the_check_objects_to_an_answer_that_is_not_described(
    document: dict[str, Any], status: int, body: bytes
) -> None:
    good = Answer("GET", f"{API}/tables", 200, "application/json", b'{"tables":[],"next":null}')
    assert unlike_answer(document, good) is None
    assert unlike_answer(document, good._replace(status=status, body=body)) is not None


def _filled(path: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda m: NOBODY_S_TABLE if m[1] == "table" else "999", path)
