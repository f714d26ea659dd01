"""The fairness page's figures over HTTP."""

from datetime import datetime, timedelta

import httpx

from server.main import House
from tests.web.test_public_log import get as log_at
from tests.web.wire import API, refused

NOTHING = {
    "closed": 0,
    "server_only": 0,
    "cancelled": {
        "attempts_used_up": 0,
        "too_few_seats": 0,
        "table_closed": 0,
        "after_void": 0,
    },
    "voided": {"not_revealed": 0, "server": 0, "operator": 0, "reshuffle_cap": 0},
    "absent": {"by_choice": 0, "no_commit": 0, "no_reveal": 0, "reshuffle": 0},
}


async def test_the_house_shows_what_was_opened_and_the_logs_head(
    house: House, http: httpx.AsyncClient
) -> None:
    answer = await http.get(f"{API}/fairness")
    assert answer.status_code == 200
    said = answer.json()
    tables = len(house.tables)
    assert said["figures"] == {"opened": tables, "open": tables, **NOTHING}
    assert said["log"] == await log_at(http, "/head")


async def test_each_table_has_figures_of_its_own_page_by_page(
    house: House, http: httpx.AsyncClient
) -> None:
    seen = []
    after = ""
    while True:
        page = (await http.get(f"{API}/fairness/tables?limit=1{after}")).json()
        seen += page["tables"]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert {row["name"] for row in seen} == {"Open", "Other", "Dear", "Practice"}
    assert [row["practice"] for row in seen if row["name"] == "Practice"] == [True]
    assert all(row["figures"] == {"opened": 1, "open": 1, **NOTHING} for row in seen)
    assert all(datetime.fromisoformat(row["since"]).utcoffset() == timedelta(0) for row in seen)


async def test_a_page_that_can_not_be_is_refused(http: httpx.AsyncClient) -> None:
    for query in ("limit=0", "limit=101", "after=x"):
        answer = await http.get(f"{API}/fairness/tables?{query}")
        assert (await refused(answer))[:2] == (422, "bad_field")
