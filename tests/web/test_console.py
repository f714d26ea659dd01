"""What the operator's console reads, and complaints: with a hand that was really played."""

import csv
import io
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import httpx
import pytest

from server.catalogue import CatalogueTable
from server.identity.operators import Role
from server.ledger import audit
from server.main import House, running
from server.tables.complaints import TEXT_MAX
from tests.acceptance.guests import (
    NAMES,
    PATIENT_FIELDS,
    is_silent,
    play_dropped_hand,
    seated,
)
from tests.acceptance.served import new_guest
from tests.tap import Tap
from tests.web.conftest import settings_of
from tests.web.test_operator import OPERATOR, acts_of, operator
from tests.web.wire import API, bearer, guest, refused

WHY = {"reason": "looked at it"}
FOUR = {"seats": 4, "min_players": 4, "rate": 10_000, "turn_ms": 120_000}
TABLES = (
    CatalogueTable(key="first", name="First", options=FOUR),
    CatalogueTable(key="second", name="Second", options=FOUR),
)


class Played(NamedTuple):
    """A hand that is over, and the sign-in of one of its seats."""

    hand: str
    seat: str


@pytest.fixture(scope="module")
async def house(module_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """A house whose clocks wait for the slowest machine."""
    settings = settings_of(tmp_path_factory.mktemp("home"), module_url, **PATIENT_FIELDS)
    async with running(settings, catalogue=TABLES) as house:
        yield house


@pytest.fixture(scope="module")
async def played(house: House) -> Played:
    """A hand of four guests, of whom three dropped."""
    tokens = await play_dropped_hand(house.url, str(house.tables["first"]))
    async with httpx.AsyncClient(base_url=house.url, trust_env=False) as http:
        page = await http.get(f"{API}/me/hands", headers=bearer(tokens[0]))
    (one,) = page.json()["hands"]
    return Played(one["hand"], tokens[0])


async def own_complaint(http: httpx.AsyncClient, seat: dict[str, str]) -> Any:
    """Read what a seat sees of its complaint in the list of its hands."""
    (one,) = (await http.get(f"{API}/me/hands", headers=seat)).json()["hands"]
    return one["complaint"]


@pytest.fixture
async def viewer(house: House) -> dict[str, str]:
    return bearer(await operator(house, Role.VIEWER))


@pytest.fixture
async def manager(house: House) -> dict[str, str]:
    return bearer(await operator(house, Role.OPERATOR))


async def test_a_hand_that_is_over_is_listed_with_its_seats_and_its_record(
    house: House, http: httpx.AsyncClient, viewer: dict[str, str], played: Played
) -> None:
    table = house.tables["first"]
    page = (await http.get(f"{OPERATOR}/hands?table={table}", headers=viewer)).json()
    one = next(one for one in page["hands"] if one["hand"] == played.hand)
    assert one["closed"] is True
    assert [seat["name"].split("#")[0] for seat in one["seats"]] == list(NAMES)
    assert sum(int(seat["amount"]["micro"]) for seat in one["seats"]) < 0
    assert (await http.get(one["record"])).status_code == 200
    player = one["seats"][0]["player"]
    mine = (await http.get(f"{OPERATOR}/hands?player={player}&limit=1", headers=viewer)).json()
    assert len(mine["hands"]) == 1
    other = (await http.get(f"{OPERATOR}/hands?player={2**60}", headers=viewer)).json()
    assert other == {"hands": [], "next": None}


async def test_a_hand_s_transfers_are_found_by_each_filter_and_come_as_csv(
    house: House, http: httpx.AsyncClient, viewer: dict[str, str], played: Played
) -> None:
    path = f"{OPERATOR}/entries"
    (entry,) = (await http.get(f"{path}?hand={played.hand}", headers=viewer)).json()["entries"]
    assert (entry["kind"], entry["table"]) == ("settle", str(house.tables["first"]))
    assert sum(int(line["amount"]["micro"]) for line in entry["postings"]) == 0
    player = next(line["player"] for line in entry["postings"] if line["player"])
    for query in (
        f"player={player}&kind=settle",
        f"table={entry['table']}&hand={played.hand}",
        f"since={entry['at']}&kind=settle",
    ):
        found = (await http.get(f"{path}?{query}", headers=viewer)).json()["entries"]
        assert entry["entry"] in {one["entry"] for one in found}, query
    nothing = await http.get(f"{path}?until=2020-01-01T00:00:00Z", headers=viewer)
    assert nothing.json() == {"entries": [], "next": None}
    sheet = await http.get(f"{path}.csv?hand={played.hand}", headers=viewer)
    assert sheet.headers["content-type"].startswith("text/csv")
    assert "attachment" in sheet.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(sheet.text)))
    assert len(rows) == len(entry["postings"])
    assert {row["entry"] for row in rows} == {entry["entry"]}


@pytest.mark.parametrize(
    "wrong", ["player=0", "hand=x", "table=1", "since=yesterday", "since=2020-01-01T00:00:00"]
)
@pytest.mark.parametrize("path", ["entries", "entries.csv"])
async def test_a_filter_that_cannot_be_is_refused_by_its_name(
    http: httpx.AsyncClient, viewer: dict[str, str], path: str, wrong: str
) -> None:
    answer = await http.get(f"{OPERATOR}/{path}?{wrong}", headers=viewer)
    assert await refused(answer) == (422, "bad_field", wrong.split("=")[0])


async def test_pages_of_entries_go_on_without_a_gap(
    http: httpx.AsyncClient, viewer: dict[str, str], played: Played
) -> None:
    whole = (await http.get(f"{OPERATOR}/entries", headers=viewer)).json()["entries"]
    seen, after = [], ""
    while after is not None:
        page = (await http.get(f"{OPERATOR}/entries?limit=2{after}", headers=viewer)).json()
        seen += page["entries"]
        after = None if page["next"] is None else f"&after={page['next']}"  # type: ignore[assignment]
    assert seen == whole


async def test_tables_are_found_by_how_their_name_begins(
    house: House, http: httpx.AsyncClient, viewer: dict[str, str]
) -> None:
    found = (await http.get(f"{OPERATOR}/tables?prefix=fi", headers=viewer)).json()["tables"]
    assert found == [{"table": str(house.tables["first"]), "name": "First", "closed": False}]
    for prefix in ("irst", "%25", "_irst"):
        answer = await http.get(f"{OPERATOR}/tables?prefix={prefix}", headers=viewer)
        assert answer.json() == {"tables": []}
    whole = await http.get(f"{OPERATOR}/tables?limit=1", headers=viewer)
    assert len(whole.json()["tables"]) == 1
    wrong = await http.get(f"{OPERATOR}/tables?prefix=%00", headers=viewer)
    assert await refused(wrong) == (422, "bad_field", "prefix")


async def test_a_player_s_statement_is_shown_and_given_as_csv(
    house: House, http: httpx.AsyncClient, viewer: dict[str, str]
) -> None:
    token = await guest(house, "Lila")
    me = (await http.get(f"{API}/me", headers=bearer(token))).json()["player"]["id"]
    page = (await http.get(f"{OPERATOR}/players/{me}/statement", headers=viewer)).json()
    assert page == (await http.get(f"{API}/me/statement", headers=bearer(token))).json()
    sheet = await http.get(f"{OPERATOR}/players/{me}/statement.csv", headers=viewer)
    assert len(list(csv.reader(io.StringIO(sheet.text)))) == 1 + len(page["lines"])
    nobody = await http.get(f"{OPERATOR}/players/{2**60}/statement.csv", headers=viewer)
    assert (await refused(nobody))[:2] == (404, "unknown_account")


async def test_the_trial_balance_is_0_and_tells_the_last_check(
    house: House, http: httpx.AsyncClient, viewer: dict[str, str], played: Played
) -> None:
    async with house.database.transaction() as tx:
        found = await audit.check(tx)
    await house.database.run(lambda tx: audit.keep(tx, found))
    body = (await http.get(f"{OPERATOR}/trial-balance", headers=viewer)).json()
    assert body["sum"]["micro"] == "0"
    assert body["check"]["holds"] is True
    assert len(body["check"]["invariants"]) == len(audit.invariants())
    accounts = (await http.get(f"{OPERATOR}/accounts", headers=viewer)).json()["accounts"]
    of_players = sum(int(one["posted"]["micro"]) for one in accounts if one["kind"] == "player")
    kinds = {one["kind"]: one for one in body["kinds"]}
    assert int(kinds["player"]["posted"]["micro"]) == of_players


async def test_commission_by_day_ends_today_and_by_table_has_the_same_sum(
    http: httpx.AsyncClient, viewer: dict[str, str], played: Played
) -> None:
    body = (await http.get(f"{OPERATOR}/commission?days=3", headers=viewer)).json()
    assert len(body["days"]) == 3
    by_day = sum(int(one["amount"]["micro"]) for one in body["days"])
    assert by_day == sum(int(one["amount"]["micro"]) for one in body["tables"])
    for days in (0, 367):
        answer = await http.get(f"{OPERATOR}/commission?days={days}", headers=viewer)
        assert await refused(answer) == (422, "bad_field", "days")


async def test_live_tables_show_what_everybody_sees(
    house: House, http: httpx.AsyncClient, viewer: dict[str, str]
) -> None:
    body = (await http.get(f"{OPERATOR}/live", headers=viewer)).json()
    lobby = (await http.get(f"{API}/tables")).json()["tables"]
    assert sorted(one["table"]["id"] for one in body["tables"]) == [one["id"] for one in lobby]


async def test_a_seat_reports_a_hand_once_and_an_operator_answers_once(
    house: House,
    http: httpx.AsyncClient,
    viewer: dict[str, str],
    manager: dict[str, str],
    played: Played,
) -> None:
    seat = bearer(played.seat)
    path, said = f"{API}/hands/{played.hand}/complaint", {"text": "  He looked \n at my  cards. "}
    assert await own_complaint(http, seat) is None
    first = await http.post(path, json=said, headers=seat)
    assert first.status_code == 201
    again = await http.post(path, json={"text": "He looked\nat my cards."}, headers=seat)
    assert again.json() == first.json()
    other = await http.post(path, json={"text": "Something else."}, headers=seat)
    assert await refused(other) == (409, "complained_already", "text")
    number = first.json()["complaint"]
    mine = await own_complaint(http, seat)
    assert (mine["text"], mine["answer"]) == ("He looked\nat my cards.", None)
    queue = (await http.get(f"{OPERATOR}/complaints?answered=false", headers=viewer)).json()
    (one,) = queue["complaints"]
    assert (one["complaint"], one["text"]) == (number, "He looked\nat my cards.")
    assert (await http.get(one["record"])).status_code == 200
    answer = f"{OPERATOR}/complaints/{number}/answer"
    assert (await refused(await http.post(answer, json=WHY, headers=viewer)))[0] == 403
    done = await http.post(answer, json=WHY, headers=manager)
    assert done.status_code == 200
    mine = await own_complaint(http, seat)
    assert set(mine) == {"text", "at", "answer", "answered_at"}
    assert mine["answer"] == "looked at it"
    twice = await http.post(answer, json=WHY, headers=manager)
    assert await refused(twice) == (409, "answered_already", "complaint")
    nothing = await http.post(f"{OPERATOR}/complaints/999/answer", json=WHY, headers=manager)
    assert await refused(nothing) == (404, "no_such_complaint", "complaint")
    left = (await http.get(f"{OPERATOR}/complaints?answered=false", headers=viewer)).json()
    assert left == {"complaints": [], "next": None}
    whole = (await http.get(f"{OPERATOR}/complaints", headers=viewer)).json()["complaints"]
    assert (whole[0]["answer"], whole[0]["answered_by"]) == ("looked at it", "The operator")
    acts = await acts_of(http, viewer, f"complaint:{number}")
    assert acts == [("complaint.answer", "The operator", "looked at it")]


async def test_who_was_not_in_a_hand_may_not_report_it_nor_a_hand_that_is_not(
    house: House, http: httpx.AsyncClient, played: Played
) -> None:
    me, said = bearer(await guest(house)), {"text": "x"}
    answer = await http.post(f"{API}/hands/{played.hand}/complaint", json=said, headers=me)
    assert await refused(answer) == (409, "not_in_hand", "hand")
    nobody = await http.post(f"{API}/hands/{2**60}/complaint", json=said, headers=me)
    assert await refused(nobody) == (404, "no_such_hand", "hand")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"text": ""}, "bad_field"),
        ({"text": " \n "}, "bad_field"),
        ({"text": "x" * (TEXT_MAX + 1)}, "bad_field"),
        ({"text": "a\u0000b"}, "bad_text"),
        ({"text": 1}, "bad_field"),
        ({}, "missing_field"),
        ({"text": "x", "more": 1}, "unknown_field"),
    ],
)
async def test_a_complaint_without_readable_words_is_refused(
    house: House,
    http: httpx.AsyncClient,
    viewer: dict[str, str],
    played: Played,
    body: dict[str, Any],
    code: str,
) -> None:
    seat = bearer(played.seat)
    answer = await http.post(f"{API}/hands/{played.hand}/complaint", json=body, headers=seat)
    assert (await refused(answer))[1] == code


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
