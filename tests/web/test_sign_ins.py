"""Sign-ins that are ended: a player's own by its number, an operator's by a command."""

import httpx

from server.identity import operators
from server.identity.operators import Role
from server.main import House
from server.web.closing import CLOSE_SIGNED_OUT
from tests.web.test_operator import operator
from tests.web.wire import API, bearer, guest, refused, signed_in

MINE = f"{API}/me/sessions"


async def account(http: httpx.AsyncClient, name: str) -> tuple[str, str]:
    """Sign somebody up and in once more: two tokens, the older first."""
    body = {"name": name, "password": "a long enough one"}
    first = await http.post(f"{API}/accounts", json=body)
    second = await http.post(f"{API}/sessions", json=body)
    return first.json()["token"], second.json()["token"]


async def test_a_lost_phone_is_signed_out_from_another_one(
    house: House, http: httpx.AsyncClient
) -> None:
    lost, kept = await account(http, "Loser")
    listed = (await http.get(MINE, headers=bearer(kept))).json()["sessions"]
    assert [one["current"] for one in listed] == [False, True]
    assert all(lost not in str(one) and kept not in str(one) for one in listed)
    async with signed_in(house, lost) as line:
        answer = await http.delete(f"{MINE}/{listed[0]['id']}", headers=bearer(kept))
        assert answer.status_code == 200
        assert await line.close_code() == CLOSE_SIGNED_OUT
    assert await refused(await http.get(MINE, headers=bearer(lost))) == (401, "not_signed_in", None)
    listed = (await http.get(MINE, headers=bearer(kept))).json()["sessions"]
    assert [one["current"] for one in listed] == [True]


async def test_the_end_of_another_sign_in_leaves_ones_own_socket_open(
    house: House, http: httpx.AsyncClient
) -> None:
    other, own = await account(http, "Keeper")
    listed = (await http.get(MINE, headers=bearer(own))).json()["sessions"]
    async with signed_in(house, own) as line:
        keyed = {**bearer(own), "Idempotency-Key": "the-end-of-one-sign-in"}
        for _ in range(2):
            answer = await http.delete(f"{MINE}/{listed[0]['id']}", headers=keyed)
            assert answer.status_code == 200
        assert (await line.ask("ping"))["t"] == "ok"
    assert (await http.get(MINE, headers=bearer(other))).status_code == 401


async def test_nobody_ends_a_strangers_sign_in(house: House, http: httpx.AsyncClient) -> None:
    hers, his = await guest(house), await guest(house)
    (session,) = (await http.get(MINE, headers=bearer(hers))).json()["sessions"]
    for number in (session["id"], "999999999"):
        answer = await http.delete(f"{MINE}/{number}", headers=bearer(his))
        assert await refused(answer) == (404, "unknown_session", None)
    assert (await http.get(MINE, headers=bearer(hers))).status_code == 200


async def test_an_operators_sign_ins_end_at_once_and_a_disabled_one_makes_no_other(
    house: House, http: httpx.AsyncClient
) -> None:
    name, me = "The operator", f"{API}/operator/me"
    token = bearer(await operator(house, Role.OPERATOR))
    assert (await http.get(me, headers=token)).status_code == 200
    async with house.database.transaction() as tx:
        who = await operators.get_operator(tx, name)
        assert await operators.end_operator_sessions(tx, who) >= 1
    assert await refused(await http.get(me, headers=token)) == (401, "not_signed_in", None)
    token = bearer(await operator(house, Role.OPERATOR))
    async with house.database.transaction() as tx:
        _, link = await operators.create_operator(tx, name=name, role=Role.OPERATOR)
        assert await operators.disable_operator(tx, who, disabled=True)
        assert not await operators.disable_operator(tx, who, disabled=True)
    assert (await http.get(me, headers=token)).status_code == 401
    for _ in ("while disabled", "and afterwards"):
        answer = await http.post(f"{API}/operator/session", json={"link": link})
        assert await refused(answer) == (401, "bad_link", None)
        async with house.database.transaction() as tx:
            await operators.disable_operator(tx, who, disabled=False)
    assert (await http.get(me, headers=token)).status_code == 401
    token = bearer(await operator(house, Role.OPERATOR))
    assert (await http.get(me, headers=token)).status_code == 200
