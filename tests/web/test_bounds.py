"""What is bounded before a request is looked at, and the one form of every refusal."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from server.database import Database
from server.games import GAMES
from server.main import House, running
from server.web.addresses import address_of
from tests.conftest import execute
from tests.web.conftest import MakeHouse, settings_of, stop_refilling
from tests.web.wire import API, refused

JSON = {"Content-Type": "application/json"}


async def test_the_front_page_says_what_house_tokens_are(http: httpx.AsyncClient) -> None:
    body = (await http.get("/")).json()
    assert "neither bought nor cashed in" in body["about"]
    for path in (body["docs"], body["openapi"]):
        assert (await http.get(path)).status_code == 200


async def test_openapi_names_every_route_and_the_form_of_a_refusal(
    http: httpx.AsyncClient,
) -> None:
    document = (await http.get("/openapi.json")).json()
    for path in ("/guests", "/me/statement", "/hands/{hand}/record", "/operator/tokens/issue"):
        assert API + path in document["paths"]
    assert set(document["components"]["schemas"]["RefusalBody"]["properties"]) == {
        "code",
        "text",
        "field",
    }


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nope", 404, "no_such_route"),
        ("GET", "/api/v1/nope", 404, "no_such_route"),
        ("GET", "/api/v2/tables", 404, "no_such_route"),
        ("GET", "/../../etc/passwd", 404, "no_such_route"),
        ("GET", "/%00", 404, "no_such_route"),
        ("GET", "/ws", 404, "no_such_route"),
        ("DELETE", "/api/v1/guests", 405, "method_not_allowed"),
        ("PUT", "/", 405, "method_not_allowed"),
    ],
)
async def test_an_unknown_address_is_refused_in_the_one_form(
    http: httpx.AsyncClient, method: str, path: str, status: int, code: str
) -> None:
    assert await refused(await http.request(method, path)) == (status, code, None)


async def test_a_body_over_its_limit_is_refused(http: httpx.AsyncClient) -> None:
    body = b'{"name":"' + b"x" * 16_384 + b'"}'
    answer = await http.post(f"{API}/guests", content=body, headers=JSON)
    assert await refused(answer) == (413, "too_large", None)


async def test_a_body_without_a_length_is_bounded_too(http: httpx.AsyncClient) -> None:
    async def parts() -> object:
        for _ in range(20):
            yield b"x" * 1_024

    answer = await http.post(f"{API}/guests", content=parts(), headers=JSON)  # type: ignore[arg-type]
    assert await refused(answer) == (413, "too_large", None)


async def test_an_address_that_asks_too_often_is_refused_and_others_are_not(
    house_with: MakeHouse,
) -> None:
    transport = httpx.AsyncHTTPTransport(local_address="127.0.0.2")
    async with (
        house_with(requests_burst=5, requests_per_second=1) as house,
        httpx.AsyncClient(base_url=house.url, transport=transport) as other,
    ):
        assert [(await other.get("/healthz")).status_code for _ in range(5)] == [200] * 5
        answers = [await other.get("/healthz") for _ in range(20)]
        late = next(answer for answer in answers if answer.status_code != 200)
        assert await refused(late) == (429, "slow_down", None)
        async with httpx.AsyncClient(base_url=house.url, trust_env=False) as here:
            assert (await here.get("/healthz")).status_code == 200


@pytest.mark.parametrize(
    ("client", "key"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::1", "::1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_all_addresses_of_one_subscriber_share_a_bucket(client: str, key: str) -> None:
    assert address_of({"client": (client, 1)}) == key


async def test_new_guests_of_an_address_are_few(house: House) -> None:
    transport = httpx.AsyncHTTPTransport(local_address="127.0.0.3")
    async with httpx.AsyncClient(base_url=house.url, transport=transport) as other:
        answers = [await other.post(f"{API}/guests", json={"name": "Anu"}) for _ in range(14)]
    statuses = [answer.status_code for answer in answers]
    assert statuses[:10] == [201] * 10
    assert 429 in statuses


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/tables?limit=0", "limit"),
        ("/tables?limit=101", "limit"),
        ("/tables?limit=x", "limit"),
        ("/tables?after=x", "after"),
        ("/tables/x", "table"),
        ("/hands/0", "hand"),
        ("/hands/-1", "hand"),
        ("/hands/x", "hand"),
        (f"/hands/{2**63}", "hand"),
        (f"/hands/{2**63}/record", "hand"),
        ("/log/inclusion", "index"),
        ("/log/inclusion?index=-1&size=1", "index"),
        ("/log/inclusion?index=0&size=0", "size"),
        (f"/log/inclusion?index=0&size={2**64}", "size"),
    ],
)
async def test_a_number_out_of_bounds_is_refused_by_its_field(
    http: httpx.AsyncClient, path: str, field: str
) -> None:
    answer = await http.get(API + path)
    status, code, named = await refused(answer)
    assert (status, named) == (422, field)
    assert code in {"bad_field", "missing_field"}


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/tables/6f2d7c1e-58a4-4a43-9f0b-0c4c5b1f7a11", "no_such_table"),
        (f"/hands/{2**62}", "no_such_hand"),
        (f"/hands/{2**62}/record", "no_such_hand"),
        ("/log/inclusion?index=5&size=5", "no_such_entry"),
        (f"/log/inclusion?index=0&size={2**52}", "no_such_entry"),
    ],
)
async def test_what_is_not_there_is_404(http: httpx.AsyncClient, path: str, code: str) -> None:
    status, named, _ = await refused(await http.get(API + path))
    assert (status, named) == (404, code)


async def test_tables_are_paged_by_their_id(house: House, http: httpx.AsyncClient) -> None:
    seen: list[str] = []
    after = ""
    while True:
        page = (await http.get(f"{API}/tables?limit=2{after}")).json()
        assert len(page["tables"]) <= 2
        seen += [table["id"] for table in page["tables"]]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert sorted(seen) == seen
    assert set(seen) == {str(table) for table in house.tables.values()}


async def test_games_are_listed_with_the_schemas_of_options_and_moves(
    http: httpx.AsyncClient,
) -> None:
    games = {game["name"]: game for game in (await http.get(f"{API}/games")).json()["games"]}
    assert games.keys() == GAMES.keys()
    rummy, seep = games["rummy"], games["seep"]
    assert (rummy["seats"], seep["seats"]) == ([4, 6, 8], [4])
    assert rummy["options"]["properties"]["rate"]["default"] == 1_000_000
    assert "rate" not in seep["options"]["properties"]
    assert moves_of(rummy) == {"draw", "discard", "declare", "drop"}
    assert moves_of(seep) == {"bid", "throw", "take", "build", "raise"}


def moves_of(game: dict[str, Any]) -> set[str]:
    return set(game["moves"]["discriminator"]["mapping"])


async def test_an_open_hand_has_no_record_and_the_log_proves_its_opening(
    house: House, http: httpx.AsyncClient
) -> None:
    head = (await http.get(f"{API}/log/head")).json()
    assert head["size"] == len(house.tables)
    for index in range(head["size"]):
        proof = await http.get(f"{API}/log/inclusion?index={index}&size={head['size']}")
        assert proof.json()["root"] == head["root"]
    hand = (await http.get(f"{API}/hands/1")).json()
    assert (hand["state"], hand["record"]) == ("open", None)
    answer = await http.get(f"{API}/hands/1/record")
    assert await refused(answer) == (409, "hand_not_over", "hand")


async def test_ready_means_database_messenger_and_leases(http: httpx.AsyncClient) -> None:
    assert (await http.get("/healthz")).json() == {"ok": True}
    answer = await http.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"database": True, "messenger": True, "leases": True}


async def test_metrics_count_and_name_nobody(http: httpx.AsyncClient) -> None:
    await http.get(f"{API}/tables/6f2d7c1e-58a4-4a43-9f0b-0c4c5b1f7a11")
    text = (await http.get("/metrics")).text
    assert 'pakka_refusals_total{code="no_such_table",process=' in text
    for figure in ("sockets", "outbox_frames", "tables", "holds", "seats_taken"):
        assert f"\npakka_{figure}{{process=" in text


async def test_a_fault_of_ours_shows_no_traceback(
    house: House, http: httpx.AsyncClient, module_url: str
) -> None:
    execute(module_url, "alter table fairness.log_head rename to hidden")
    try:
        answer = await http.get(f"{API}/log/head")
    finally:
        execute(module_url, "alter table fairness.hidden rename to log_head")
    assert answer.status_code == 500
    assert await refused(answer) == (500, "fault", None)
    assert isinstance(house.database, Database)
    assert (await http.get(f"{API}/log/head")).status_code == 200


@pytest.mark.parametrize(
    ("said", "believed"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("203.0.113.9, 198.51.100.7", "198.51.100.7"),  # what a client put before is no matter
        ("127.0.0.1, 198.51.100.7", "198.51.100.7"),
        ("198.51.100.7, 10.1.2.3", "198.51.100.7"),  # a second proxy of ours
    ],
)
async def test_a_trusted_proxy_says_who_asks(
    database_url: str, tmp_path: Path, said: str, believed: str
) -> None:
    settings = settings_of(
        tmp_path,
        database_url,
        trusted_proxies="127.0.0.1,10.0.0.0/8",
        requests_per_second=1,
        requests_burst=5,
    )
    async with (
        running(settings, catalogue=()) as house,
        httpx.AsyncClient(base_url=house.url, trust_env=False) as http,
    ):
        stop_refilling(house.parts.requests)
        headers = {"X-Forwarded-For": said}
        answers = [await http.get(f"{API}/tables", headers=headers) for _ in range(8)]
        assert 429 in [answer.status_code for answer in answers]
        assert list(house.parts.requests._of) == [believed]
        plain = [await http.get(f"{API}/tables") for _ in range(8)]
        assert {answer.status_code for answer in plain} == {200}  # this machine's own


async def test_a_proxy_that_is_not_trusted_says_nothing(house: House) -> None:
    async with httpx.AsyncClient(base_url=house.url, trust_env=False) as http:
        before = len(house.parts.requests._of)
        await http.get(f"{API}/tables", headers={"X-Forwarded-For": "198.51.100.7"})
        assert len(house.parts.requests._of) == before
