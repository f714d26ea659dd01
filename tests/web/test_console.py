"""What the operator's console reads, with a hand that was really played."""

import csv
import io

import httpx
import pytest

from server.ledger import audit
from server.main import House
from tests.acceptance.guests import NAMES
from tests.web.played import Played, house, manager, played, viewer
from tests.web.test_operator import OPERATOR
from tests.web.wire import API, bearer, guest, refused

__all__ = ["house", "manager", "played", "viewer"]

WHY = {"reason": "looked at it"}


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
    alone = (await http.get(f"{OPERATOR}/hands?hand={played.hand}", headers=viewer)).json()
    assert alone == {"hands": [one], "next": None}
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
