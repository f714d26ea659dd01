"""The operator's door: each role, each act with its reason and its line in the audit."""

import asyncio
from typing import Any

import httpx
import pytest

from server.bots.run import run_bots
from server.identity.operators import Role, create_operator
from server.main import House
from tests.web.wire import API, WAIT_S, bearer, guest, refused, signed_in

OPERATOR = f"{API}/operator"
WHY = {"reason": "a test"}


async def operator(house: House, role: Role) -> str:
    """Make an operator of that role, signed in; its token."""
    async with house.database.transaction() as tx:
        _, link = await create_operator(tx, name=f"The {role.name.lower()}", role=role)
    async with httpx.AsyncClient(base_url=house.url, timeout=WAIT_S, trust_env=False) as http:
        answer = await http.post(f"{OPERATOR}/session", json={"link": link})
        assert answer.status_code == 201, answer.text
        assert answer.json()["operator"]["role"] == role.name.lower()
        return str(answer.json()["token"])


@pytest.fixture
async def viewer(house: House) -> dict[str, str]:
    return bearer(await operator(house, Role.VIEWER))


@pytest.fixture
async def manager(house: House) -> dict[str, str]:
    return bearer(await operator(house, Role.OPERATOR))


@pytest.fixture
async def treasurer(house: House) -> dict[str, str]:
    return bearer(await operator(house, Role.TREASURER))


@pytest.fixture
async def player(house: House, http: httpx.AsyncClient) -> tuple[str, str]:
    token = await guest(house, "Ravi")
    me = (await http.get(f"{API}/me", headers=bearer(token))).json()
    return me["player"]["id"], token


async def acts_of(http: httpx.AsyncClient, who: dict[str, str], subject: str) -> list[Any]:
    answer = await http.get(f"{OPERATOR}/audit?subject={subject}", headers=who)
    return [(act["act"], act["operator"], act["reason"]) for act in answer.json()["acts"]]


async def test_a_link_signs_in_once(house: House, http: httpx.AsyncClient) -> None:
    async with house.database.transaction() as tx:
        _, link = await create_operator(tx, name="Once", role=Role.VIEWER)
    first = await http.post(f"{OPERATOR}/session", json={"link": link})
    assert first.status_code == 201
    for wrong in (link, "x", "\u0000"):
        answer = await http.post(f"{OPERATOR}/session", json={"link": wrong})
        assert await refused(answer) == (401, "bad_link", None)
    mine = bearer(first.json()["token"])
    assert (await http.get(f"{OPERATOR}/me", headers=mine)).json()["name"] == "Once"
    assert (await http.delete(f"{OPERATOR}/session", headers=mine)).status_code == 200
    again = await http.get(f"{OPERATOR}/me", headers=mine)
    assert await refused(again) == (401, "not_signed_in", None)


async def test_a_link_may_go_into_a_cookie_from_our_own_pages(
    house: House, http: httpx.AsyncClient
) -> None:
    async with house.database.transaction() as tx:
        _, link = await create_operator(tx, name="Baker", role=Role.OPERATOR)
    body = {"link": link, "session": "cookie"}
    answer = await http.post(f"{OPERATOR}/session", json=body)
    assert await refused(answer) == (403, "bad_origin", None)
    own = {"Origin": house.url}
    answer = await http.post(f"{OPERATOR}/session", json=body, headers=own)
    assert answer.json()["token"] is None
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    close = f"{OPERATOR}/tables/{house.tables['open']}/close"
    assert (await refused(await http.post(close, json=WHY)))[1] == "bad_origin"
    assert (await http.get(f"{OPERATOR}/me")).json()["name"] == "Baker"


@pytest.mark.parametrize(
    ("path", "body", "least"),
    [
        ("/players/1/suspension", {"suspended": True}, Role.OPERATOR),
        ("/tables", {"game": "rummy", "name": "New"}, Role.OPERATOR),
        ("/tables/6f2d7c1e-58a4-4a43-9f0b-0c4c5b1f7a11/close", {}, Role.OPERATOR),
        ("/hands/1/void", {}, Role.OPERATOR),
        ("/tokens/issue", {"player": "1", "amount": "1"}, Role.TREASURER),
        ("/tokens/withdraw", {"player": "1", "amount": "1"}, Role.TREASURER),
        ("/entries/1/reversal", {}, Role.TREASURER),
    ],
)
async def test_each_act_needs_its_role_and_a_reason(
    house: House, http: httpx.AsyncClient, path: str, body: dict[str, Any], least: Role
) -> None:
    below = bearer(await operator(house, Role(least - 1)))
    answer = await http.post(OPERATOR + path, json={**body, **WHY}, headers=below)
    assert await refused(answer) == (403, "not_allowed", None)
    enough = bearer(await operator(house, least))
    answer = await http.post(OPERATOR + path, json=body, headers=enough)
    assert await refused(answer) == (422, "missing_field", "reason")
    for reason in ("", " ", "x" * 501, 1):
        answer = await http.post(OPERATOR + path, json={**body, "reason": reason}, headers=enough)
        assert await refused(answer) == (422, "bad_field", "reason")
    answer = await http.post(OPERATOR + path, json={**body, **WHY, "extra": 1}, headers=enough)
    assert await refused(answer) == (422, "unknown_field", "extra")


async def test_tokens_are_issued_and_withdrawn_once_a_key_with_an_act_each(
    http: httpx.AsyncClient, treasurer: dict[str, str], player: tuple[str, str]
) -> None:
    number, token = player
    body = {"player": number, "amount": "1050000", "reason": "a prize"}
    keyed = {**treasurer, "Idempotency-Key": "a-prize-for-ravi-1"}
    first = await http.post(f"{OPERATOR}/tokens/issue", json=body, headers=keyed)
    again = await http.post(f"{OPERATOR}/tokens/issue", json=body, headers=keyed)
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    me = (await http.get(f"{API}/me", headers=bearer(token))).json()
    assert me["balance"]["available"] == {"micro": "10001050000", "ht": "10001.05"}
    other = await http.post(f"{OPERATOR}/tokens/issue", json={**body, "amount": "2"}, headers=keyed)
    assert await refused(other) == (422, "key_reused", "Idempotency-Key")
    body = {**body, "reason": "a mistake"}
    answer = await http.post(f"{OPERATOR}/tokens/withdraw", json=body, headers=treasurer)
    assert answer.status_code == 201
    too_much = {**body, "amount": "10000000001"}
    answer = await http.post(f"{OPERATOR}/tokens/withdraw", json=too_much, headers=treasurer)
    assert await refused(answer) == (409, "not_covered", None)
    undone = await http.post(
        f"{OPERATOR}/entries/{first.json()['entry']}/reversal", json=WHY, headers=treasurer
    )
    assert undone.status_code == 201
    acts = await acts_of(http, treasurer, f"player:{number}")
    assert acts == [
        ("tokens.withdraw", "The treasurer", "a mistake"),
        ("tokens.issue", "The treasurer", "a prize"),
    ]
    entries = (await http.get(f"{OPERATOR}/entries?kind=withdraw", headers=treasurer)).json()
    assert entries["entries"][0]["moved"]["ht"] == "1.05"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"amount": 5}, "amount"),
        ({"amount": "5.0"}, "amount"),
        ({"amount": "-5"}, "amount"),
        ({"amount": "0"}, "amount"),
        ({"amount": "05"}, "amount"),
        ({"amount": "1e3"}, "amount"),
        ({"amount": "9" * 17}, "amount"),
        ({"player": 5}, "player"),
        ({"player": "0"}, "player"),
        ({"player": "x"}, "player"),
        ({"player": "9" * 19}, "player"),
    ],
)
async def test_a_wrong_amount_or_player_is_refused_by_its_field(
    http: httpx.AsyncClient, treasurer: dict[str, str], body: dict[str, Any], field: str
) -> None:
    whole = {"player": "1", "amount": "5", **WHY, **body}
    answer = await http.post(f"{OPERATOR}/tokens/issue", json=whole, headers=treasurer)
    assert await refused(answer) == (422, "bad_field", field)


async def test_tokens_for_nobody_are_refused_and_leave_no_act(
    http: httpx.AsyncClient, treasurer: dict[str, str]
) -> None:
    body = {"player": str(2**59), "amount": "5", **WHY}
    answer = await http.post(f"{OPERATOR}/tokens/issue", json=body, headers=treasurer)
    assert (await refused(answer))[:2] == (404, "unknown_account")
    assert await acts_of(http, treasurer, f"player:{2**59}") == []


async def test_a_suspended_player_is_put_out_with_4403_and_stays_out(
    house: House,
    http: httpx.AsyncClient,
    manager: dict[str, str],
    player: tuple[str, str],
) -> None:
    number, token = player
    path = f"{OPERATOR}/players/{number}/suspension"
    async with signed_in(house, token) as line:
        body = {"suspended": True, "reason": "cheating"}
        assert (await http.post(path, json=body, headers=manager)).status_code == 200
        assert await line.close_code() == 4403
    answer = await http.get(f"{API}/me", headers=bearer(token))
    assert answer.status_code == 401
    about = (await http.get(f"{OPERATOR}/players/{number}", headers=manager)).json()
    assert about["player"]["suspended"] is True
    assert about["balance"]["available"]["ht"] == "10000"
    body = {"suspended": False, "reason": "a mistake"}
    assert (await http.post(path, json=body, headers=manager)).status_code == 200
    acts = await acts_of(http, manager, f"player:{number}")
    assert [act for act, _, _ in acts] == ["player.restore", "player.suspend"]


async def test_players_are_found_by_how_their_name_begins(
    house: House, http: httpx.AsyncClient, viewer: dict[str, str]
) -> None:
    for name in ("Zara", "Zarina", "Zubin"):
        await guest(house, name)
    page = await http.get(f"{OPERATOR}/players?prefix=zar&limit=1", headers=viewer)
    body = page.json()
    assert body["players"][0]["name"].startswith("Zara#")
    page = await http.get(f"{OPERATOR}/players?prefix=zar&after={body['next']}", headers=viewer)
    assert [row["name"][:6] for row in page.json()["players"]] == ["Zarina"]
    for wrong in ("%00", "x" * 65):
        answer = await http.get(f"{OPERATOR}/players?prefix={wrong}", headers=viewer)
        assert await refused(answer) == (422, "bad_field", "prefix")


async def test_a_table_is_opened_taken_up_and_drained_with_an_act_each(
    house: House, http: httpx.AsyncClient, manager: dict[str, str]
) -> None:
    body = {"game": "rummy", "name": "Fresh", "options": {"seats": 4, "rate": 10_000}, **WHY}
    opened = await http.post(f"{OPERATOR}/tables", json=body, headers=manager)
    table = opened.json()["table"]
    await _until(http, f"{API}/tables/{table}", 200)
    answer = await http.post(f"{OPERATOR}/tables/{table}/close", json=WHY, headers=manager)
    assert answer.status_code == 200
    await _until(http, f"{API}/tables/{table}", 404)
    acts = await acts_of(http, manager, f"table:{table}")
    assert [act for act, _, _ in acts] == ["table.drain", "table.open"]
    again = await http.post(f"{OPERATOR}/tables/{table}/close", json=WHY, headers=manager)
    assert (await refused(again))[:2] == (404, "no_such_table")


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({"game": "poker"}, "no_such_game", "game"),
        ({"options": {"seats": 5}}, "bad_option", "seats"),
        ({"options": {"rate": "1"}}, "bad_option", "rate"),
        ({"options": {"rate": 10**30}}, "bad_option", "rate"),
        ({"options": {"stakes": 1}}, "bad_option", "stakes"),
        ({"options": []}, "bad_field", "options"),
        ({"options": {"rate": 1.5}}, "bad_field", None),
        ({"name": "x" * 41}, "bad_field", "name"),
        ({"name": "a\u0000"}, "bad_name", "name"),
    ],
)
async def test_a_wrong_table_is_refused_by_its_field(
    http: httpx.AsyncClient,
    manager: dict[str, str],
    body: dict[str, Any],
    code: str,
    field: str | None,
) -> None:
    whole = {"game": "rummy", "name": "Fresh", "options": {}, **WHY, **body}
    answer = await http.post(f"{OPERATOR}/tables", json=whole, headers=manager)
    _, named, place = await refused(answer)
    assert named == code
    assert field is None or place == field


async def test_a_hand_in_play_is_voided_and_another_is_not(
    house: House, http: httpx.AsyncClient, manager: dict[str, str]
) -> None:
    table = str(house.tables["practice"])
    idle = await http.post(f"{OPERATOR}/hands/1/void", json=WHY, headers=manager)
    assert (await refused(idle))[1] == "no_hand"
    nobody = await http.post(f"{OPERATOR}/hands/{2**60}/void", json=WHY, headers=manager)
    assert (await refused(nobody))[:2] == (404, "no_such_hand")
    bots = asyncio.create_task(
        run_bots(house.url, table, 2, secret=house.bot_secret, pace_ms=20_000)
    )
    async with signed_in(house, await guest(house)) as line:
        await line.ask("table.watch", table=table)
        await line.until("event", "turn")
        hand = house.host.state_of(house.tables["practice"]).opened
        assert hand is not None
        answer = await http.post(f"{OPERATOR}/hands/{hand.hand_id}/void", json=WHY, headers=manager)
        assert answer.status_code == 200
        voided = await line.until("event", "hand.voided")
        assert voided["d"]["reason"] == 2
    bots.cancel()
    await asyncio.gather(bots, return_exceptions=True)
    record = await http.get(f"{API}/hands/{hand.hand_id}/record")
    assert (await refused(record))[:2] == (409, "hand_has_no_record")
    acts = await acts_of(http, manager, f"hand:{hand.hand_id}")
    assert [act for act, _, _ in acts] == ["hand.void"]


async def _until(http: httpx.AsyncClient, path: str, status: int) -> None:
    async with asyncio.timeout(2 * WAIT_S):
        while (await http.get(path)).status_code != status:
            await asyncio.sleep(0.1)
