"""What the console has to be careful with: what runs just now, sheets, checks of the ledger."""

import asyncio
from datetime import datetime
from typing import Any

import httpx
import pytest

from server.main import House
from server.sealing.check import check_all
from server.web.auth import OPERATOR_COOKIE
from server.web.limits import Bounded, Bucket, Rate
from tests.acceptance.guests import NAMES, is_silent, seated
from tests.acceptance.served import new_guest
from tests.tap import Tap
from tests.web.played import Played, house, manager, played, viewer
from tests.web.test_operator import OPERATOR, acts_of
from tests.web.wire import API, bearer, refused

__all__ = ["house", "manager", "played", "viewer"]

WHY = {"reason": "looked at it"}


async def test_sheets_are_given_so_many_at_once_and_then_others(
    house: House, http: httpx.AsyncClient, viewer: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house.parts, "exports", Bounded(1))
    with house.parts.exports.begun():
        for path in ("entries.csv", "players/1/statement.csv"):
            answer = await http.get(f"{OPERATOR}/{path}", headers=viewer)
            assert await refused(answer) == (429, "slow_down", None)
    for _ in range(3):
        assert (await http.get(f"{OPERATOR}/entries.csv", headers=viewer)).status_code == 200


async def test_an_operator_has_the_ledger_checked_now_and_a_viewer_has_not(
    house: House,
    http: httpx.AsyncClient,
    viewer: dict[str, str],
    manager: dict[str, str],
    played: Played,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, parts = f"{OPERATOR}/ledger/check", house.parts
    monkeypatch.setattr(parts, "checking", Bounded(1, Bucket(Rate(1, 1), lambda: 0.0)))
    assert await refused(await http.post(path, headers=viewer)) == (403, "not_allowed", None)
    made = await http.post(path, headers=manager)
    assert made.status_code == 200
    async with house.database.transaction() as tx:
        found = await check_all(tx, parts.server_pubs)
    assert [one["name"] for one in made.json()["invariants"]] == [one.name for one in found]
    assert made.json()["holds"] is True
    body = (await http.get(f"{OPERATOR}/trial-balance", headers=viewer)).json()
    assert body["check"] == made.json()
    assert await refused(await http.post(path, headers=manager)) == (429, "slow_down", None)
    acts = await acts_of(http, viewer, "ledger")
    assert acts == [("ledger.check", "The operator", "asked for in the console")]


async def test_a_check_that_a_page_of_another_site_asks_for_is_refused(
    house: House, http: httpx.AsyncClient, manager: dict[str, str]
) -> None:
    token = manager["Authorization"].removeprefix("Bearer ")
    answer = await http.post(
        f"{OPERATOR}/ledger/check",
        headers={"Cookie": f"{OPERATOR_COOKIE}={token}", "Origin": "https://evil.example"},
    )
    assert await refused(answer) == (403, "bad_origin", None)


async def test_live_tables_show_what_everybody_sees(
    house: House, http: httpx.AsyncClient, viewer: dict[str, str]
) -> None:
    body = (await http.get(f"{OPERATOR}/live", headers=viewer)).json()
    lobby = (await http.get(f"{API}/tables")).json()["tables"]
    assert sorted(one["table"]["id"] for one in body["tables"]) == [one["id"] for one in lobby]


async def test_who_is_connected_is_told_with_its_seat_and_since_when(
    house: House, http: httpx.AsyncClient, viewer: dict[str, str]
) -> None:
    table = str(house.tables["third"])
    token = await new_guest(house.url, "Farid")
    began_ms = house.host.now_ms()

    async def seats() -> list[dict[str, Any]]:
        live = (await http.get(f"{OPERATOR}/live", headers=viewer)).json()
        (one,) = [one for one in live["tables"] if one["table"]["id"] == table]
        assert set(one) == {"table", "process", "hand_id", "seats", "watching"}
        assert one["process"] == live["process"] == live["processes"][0]["name"]
        found: list[dict[str, Any]] = one["seats"]
        return found

    assert await seats() == []
    async with seated(house.url, table, [token], is_silent) as client:
        await client.until(lambda: client.tables[table].seating.me is not None)
        (here,) = await seats()
    assert set(here) == {"seat", "player", "name", "kind", "connected", "since", "away"}
    assert (here["seat"], here["kind"], here["connected"]) == (0, "human", True)
    assert round(datetime.fromisoformat(here["since"]).timestamp() * 1000) >= began_ms
    while (gone := (await seats())[0])["connected"]:
        await asyncio.sleep(0.05)
    left = datetime.fromisoformat(gone["since"])  # as text, a whole second would be the later one
    assert left >= datetime.fromisoformat(here["since"])
    assert gone["name"].startswith("Farid")


async def test_nothing_of_a_hand_in_play_is_shown_but_that_it_is_played(
    house: House, http: httpx.AsyncClient, viewer: dict[str, str], manager: dict[str, str], tap: Tap
) -> None:
    table = house.tables["second"]
    tokens = [await new_guest(house.url, name) for name in NAMES]
    async with seated(house.url, str(table), tokens, is_silent) as client:
        watch = client.tables[str(table)]
        await client.until(lambda: watch.hand.deal is not None)
        opened = watch.hand.opened
        assert opened is not None
        live = (await http.get(f"{OPERATOR}/live", headers=viewer)).json()
        assert opened.hand_id in {one["hand_id"] for one in live["tables"]}
        hands = (await http.get(f"{OPERATOR}/hands", headers=viewer)).json()["hands"]
        assert opened.hand_id not in {one["hand"] for one in hands}
        path = f"{API}/hands/{opened.hand_id}/complaint"
        early = await http.post(path, json={"text": "x"}, headers=bearer(tokens[0]))
        assert await refused(early) == (409, "complain_later", "hand")
        void = f"{OPERATOR}/hands/{opened.hand_id}/void"
        assert (await http.post(void, json=WHY, headers=manager)).status_code == 200
    hands = (await http.get(f"{OPERATOR}/hands", headers=viewer)).json()["hands"]
    (one,) = [one for one in hands if one["hand"] == opened.hand_id]
    assert (one["closed"], one["record"], one["seats"]) == (False, None, [])
