"""Complaints: made by a seat, once; answered by an operator, once; read by both."""

from typing import Any

import httpx
import pytest

from server.main import House
from server.tables.complaints import TEXT_MAX
from tests.web.played import Played, house, manager, played, viewer
from tests.web.test_operator import OPERATOR, acts_of
from tests.web.wire import API, bearer, guest, refused

__all__ = ["house", "manager", "played", "viewer"]

WHY = {"reason": "looked at it"}


async def own_complaint(http: httpx.AsyncClient, seat: dict[str, str]) -> Any:
    """Read what a seat sees of its complaint in the list of its hands."""
    (one,) = (await http.get(f"{API}/me/hands", headers=seat)).json()["hands"]
    return one["complaint"]


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
