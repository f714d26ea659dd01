"""Coming in, going out, being deleted; what a repeated request gets."""

from typing import Any

import httpx
import pytest
from sqlalchemy import text

from server.main import House
from tests.web.wire import API, bearer, guest, line_to, refused, signed_in

PASSWORD = "correct horse"
KEY = "0f8b6f0e-5b2e-4c39-9d4c-2a1f4a3f7a10"


async def test_a_guest_gets_a_token_and_the_welcome_grant(
    house: House, http: httpx.AsyncClient
) -> None:
    answer = await http.post(f"{API}/guests", json={"name": "अनु"})
    assert answer.status_code == 201
    body = answer.json()
    assert body["player"]["name"].startswith("अनु#")
    assert (body["player"]["kind"], body["player"]["guest"]) == ("human", True)
    me = (await http.get(f"{API}/me", headers=bearer(body["token"]))).json()
    assert me["player"] == body["player"]
    whole = {"micro": "10000000000", "ht": "10000"}
    assert me["balance"] == {
        "posted": whole,
        "held": {"micro": "0", "ht": "0"},
        "available": whole,
    }


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({}, "missing_field", "name"),
        ({"name": 1}, "bad_field", "name"),
        ({"name": None}, "bad_field", "name"),
        ({"name": ["Anu"]}, "bad_field", "name"),
        ({"name": ""}, "bad_field", "name"),
        ({"name": "x" * 65}, "bad_field", "name"),
        ({"name": "x" * 25}, "bad_name", "name"),
        ({"name": "a\u0000b"}, "bad_name", "name"),
        ({"name": "a\nb"}, "bad_name", "name"),
        ({"name": "\u202eanu"}, "bad_name", "name"),
        ({"name": "Anu", "extra": 1}, "unknown_field", "extra"),
        ({"name": "Anu", "kind": "operator"}, "bad_field", "kind"),
        ({"name": "Anu", "kind": True}, "bad_field", "kind"),
        ({"name": "Anu", "session": "both"}, "bad_field", "session"),
        ([], "bad_field", None),
        ("Anu", "bad_field", None),
        (None, "missing_field", None),
    ],
)
async def test_a_wrong_guest_is_refused_by_the_field(
    http: httpx.AsyncClient, body: Any, code: str, field: str | None
) -> None:
    answer = await http.post(f"{API}/guests", json=body)
    assert await refused(answer) == (422, code, field)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff", b'{"name":"\\ud800"}', b"[" * 9_000, b'{"a":' * 3_000, b'{"n":1e999}'],
    ids=range(7),
)
async def test_a_body_that_can_not_be_read_is_refused(
    http: httpx.AsyncClient, content: bytes
) -> None:
    headers = {"Content-Type": "application/json"}
    answer = await http.post(f"{API}/guests", content=content, headers=headers)
    status, code, _ = await refused(answer)
    assert (status, code) in {
        (400, "bad_body"),
        (422, "bad_body"),
        (422, "missing_field"),
        (422, "bad_field"),
        (422, "unknown_field"),
    }


async def test_a_bot_needs_the_houses_secret_and_is_marked_and_funded(
    house: House, http: httpx.AsyncClient
) -> None:
    body = {"name": "Robo", "kind": "bot"}
    for headers in ({}, bearer("wrong"), {"Authorization": "Bearer"}):
        answer = await http.post(f"{API}/guests", json=body, headers=headers)
        assert await refused(answer) == (403, "not_allowed", None)
    first = await http.post(f"{API}/guests", json=body, headers=bearer(house.bot_secret))
    again = await http.post(f"{API}/guests", json=body, headers=bearer(house.bot_secret))
    assert first.json()["player"] == again.json()["player"]
    assert first.json()["player"]["kind"] == "bot"
    assert first.json()["token"] != again.json()["token"]
    me = (await http.get(f"{API}/me", headers=bearer(again.json()["token"]))).json()
    assert me["balance"]["posted"]["ht"] == "100000"
    lines = await http.get(f"{API}/me/statement", headers=bearer(again.json()["token"]))
    assert [line["kind"] for line in lines.json()["lines"]] == ["grant"]


async def test_the_same_key_brings_the_same_answer_and_one_player(
    house: House, http: httpx.AsyncClient
) -> None:
    headers = {"Idempotency-Key": KEY}
    first = await http.post(f"{API}/guests", json={"name": "Chandra"}, headers=headers)
    again = await http.post(f"{API}/guests", json={"name": "Chandra"}, headers=headers)
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    async with house.database.transaction() as tx:
        query = text("select count(*) from identity.player where name like 'Chandra#%'")
        assert (await tx.execute(query)).scalar_one() == 1
    other = await http.post(f"{API}/guests", json={"name": "Deepa"}, headers=headers)
    assert await refused(other) == (422, "key_reused", "Idempotency-Key")


async def test_nothing_that_is_stored_of_an_answer_can_be_read_without_its_key(
    house: House, http: httpx.AsyncClient
) -> None:
    key = "a-key-that-nobody-else-knows"
    answer = await http.post(
        f"{API}/guests", json={"name": "Esha Anandini"}, headers={"Idempotency-Key": key}
    )
    async with house.database.transaction() as tx:
        rows = (await tx.execute(text("select * from identity.answer"))).all()
    assert rows
    for secret in (key, answer.json()["token"], "Esha Anandini"):
        assert all(secret not in str(row) for row in rows)


@pytest.mark.parametrize("key", ["short", "x" * 201, "é" * 16, ""])
async def test_a_wrong_key_is_refused(http: httpx.AsyncClient, key: str) -> None:
    headers = [(b"Idempotency-Key", key.encode("latin-1")), (b"Content-Type", b"application/json")]
    answer = await http.post(f"{API}/guests", content=b'{"name":"Anu"}', headers=headers)
    assert await refused(answer) == (422, "bad_key", "Idempotency-Key")


async def test_a_refusal_is_not_stored_under_its_key(http: httpx.AsyncClient) -> None:
    headers = {"Idempotency-Key": "k" * 20}
    account = {"name": "Farah", "password": "short"}
    answer = await http.post(f"{API}/accounts", json=account, headers=headers)
    assert await refused(answer) == (422, "bad_password", "password")
    account["password"] = PASSWORD
    answer = await http.post(f"{API}/accounts", json=account, headers=headers)
    assert answer.status_code == 201


async def test_an_account_is_opened_signed_in_to_and_signed_out_of(
    http: httpx.AsyncClient,
) -> None:
    account = {"name": "Gopal", "password": PASSWORD}
    opened = await http.post(f"{API}/accounts", json=account)
    assert (opened.status_code, opened.json()["player"]["guest"]) == (201, False)
    taken = await http.post(f"{API}/accounts", json={**account, "name": "gopal"})
    assert await refused(taken) == (409, "name_taken", "name")
    for wrong in ({"password": "wrong horse"}, {"name": "Nobody"}):
        answer = await http.post(f"{API}/sessions", json={**account, **wrong})
        assert await refused(answer) == (401, "bad_credentials", None)
    token = (await http.post(f"{API}/sessions", json=account)).json()["token"]
    assert (await http.get(f"{API}/me", headers=bearer(token))).status_code == 200
    assert (await http.delete(f"{API}/sessions", headers=bearer(token))).json() == {"ok": True}
    again = await http.get(f"{API}/me", headers=bearer(token))
    assert await refused(again) == (401, "not_signed_in", None)
    assert again.headers["WWW-Authenticate"] == "Bearer"
    first = await http.get(f"{API}/me", headers=bearer(opened.json()["token"]))
    assert first.status_code == 200


async def test_guessing_a_password_is_slowed_down_by_the_name(http: httpx.AsyncClient) -> None:
    wrong = {"name": "Guessed", "password": "wrong horse"}
    answers: list[httpx.Response] = []
    while not answers or answers[-1].status_code != 429:
        answers.append(await http.post(f"{API}/sessions", json=wrong))
        assert len(answers) < 30
    assert [answer.status_code for answer in answers[:10]] == [401] * 10
    assert await refused(answers[-1]) == (429, "slow_down", None)


async def test_a_guest_becomes_an_account_and_keeps_tokens_and_socket(
    house: House, http: httpx.AsyncClient
) -> None:
    token = await guest(house, "Hema")
    table = str(house.tables["open"])
    async with signed_in(house, token) as line:
        account = {"name": "Hema", "password": PASSWORD}
        answer = await http.post(f"{API}/accounts", json=account, headers=bearer(token))
        assert answer.status_code == 201
        assert (await line.ask("table.sit", table=table))["t"] == "ok"
        snapshot = await line.until("snapshot")
        assert "Hema" in [seat["name"] for seat in snapshot["d"]["seats"] if seat]
        assert (await line.ask("table.leave", table=table))["t"] == "ok"
    again = await http.post(f"{API}/accounts", json=account, headers=bearer(token))
    assert (await refused(again))[1] == "not_a_guest"
    me = (await http.get(f"{API}/me", headers=bearer(token))).json()
    assert (me["player"]["name"], me["balance"]["posted"]["ht"]) == ("Hema", "10000")
    lines = (await http.get(f"{API}/me/statement", headers=bearer(token))).json()["lines"]
    assert [line["reason"] for line in lines] == ["welcome"]


async def test_a_cookie_is_out_of_a_scripts_reach_and_counts_from_our_own_pages_alone(
    house: House, http: httpx.AsyncClient
) -> None:
    body = {"name": "Indu", "session": "cookie"}
    for headers in ({}, {"Origin": "https://evil.example"}, {"Origin": "null"}):
        answer = await http.post(f"{API}/guests", json=body, headers=headers)
        assert await refused(answer) == (403, "bad_origin", None)
    own = {"Origin": house.url}
    answer = await http.post(f"{API}/guests", json=body, headers=own)
    assert answer.json()["token"] is None
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert (await http.get(f"{API}/me")).status_code == 200
    for headers in ({}, {"Origin": "https://evil.example"}):
        answer = await http.delete(f"{API}/sessions", headers=headers)
        assert await refused(answer) == (403, "bad_origin", None)
    assert (await http.delete(f"{API}/sessions", headers=own)).status_code == 200
    assert (await http.get(f"{API}/me")).status_code == 401


async def test_a_cookie_opens_a_socket_from_our_own_pages_alone(
    house: House, http: httpx.AsyncClient
) -> None:
    body = {"name": "Jaya", "session": "cookie"}
    await http.post(f"{API}/guests", json=body, headers={"Origin": house.url})
    cookie = f"pakka_session={http.cookies['pakka_session']}"
    for origin in ("https://evil.example", None):
        async with line_to(house, origin=origin, cookie=cookie) as line:
            await line.say({"t": "hello", "id": "h"})
            assert (await line.hear())["code"] == "bad_origin"
            assert await line.close_code() == 4401
    async with line_to(house, origin=house.url, cookie=cookie) as line:
        await line.say({"t": "hello", "id": "h"})
        assert (await line.hear())["player"]["name"].startswith("Jaya#")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/me"),
        ("DELETE", "/me"),
        ("DELETE", "/sessions"),
        ("GET", "/me/statement"),
        ("GET", "/me/hands"),
        ("GET", "/operator/me"),
        ("GET", "/operator/players"),
        ("GET", "/operator/audit"),
        ("GET", "/operator/entries"),
        ("POST", "/operator/tables"),
        ("POST", "/operator/hands/1/void"),
        ("POST", "/operator/tokens/issue"),
    ],
)
@pytest.mark.parametrize(
    "token", [None, "Bearer", "Bearer wrong", f"Bearer {'x' * 129}", "Bearer \u00e9", "Basic eDp5"]
)
async def test_a_door_with_a_lock_opens_for_no_strangers_token(
    http: httpx.AsyncClient, method: str, path: str, token: str | None
) -> None:
    headers = [] if token is None else [(b"Authorization", token.encode("latin-1"))]
    answer = await http.request(method, API + path, headers=headers)
    assert await refused(answer) == (401, "not_signed_in", None)


async def test_a_players_token_is_no_operators(house: House, http: httpx.AsyncClient) -> None:
    answer = await http.get(f"{API}/operator/players", headers=bearer(await guest(house)))
    assert await refused(answer) == (401, "not_signed_in", None)
