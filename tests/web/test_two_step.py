"""An operator's second step over HTTP: asked, tried five times, and demanded of all."""

from collections.abc import AsyncIterator

import httpx
import pyotp
import pytest
from sqlalchemy import text

from server.database import now_ms
from server.identity import two_step
from server.identity.operators import TRIES_MAX, Role, create_operator
from server.main import House, running
from tests.web.conftest import TABLES, settings_of
from tests.web.wire import API, WAIT_S, refused

SESSION = f"{API}/operator/session"
STEP_S = 30


async def new_link(house: House, name: str = "Careful") -> str:
    async with house.database.transaction() as tx:
        return (await create_operator(tx, name=name, role=Role.VIEWER))[1]


async def code_of(house: House, secret: str, *, steps: int = 0) -> str:
    async with house.database.transaction() as tx:
        return pyotp.TOTP(secret).at(await now_ms(tx) // 1_000 + steps * STEP_S)


async def enrol(house: House, name: str) -> tuple[str, list[str]]:
    """Have an operator who enrolled long ago: (secret, recovery codes)."""
    secret = two_step.new_secret()
    code = await code_of(house, secret)
    async with house.database.transaction() as tx:
        operator, _ = await create_operator(tx, name=name, role=Role.VIEWER)
        codes = await two_step.enrol(
            tx, operator, secret, code, box=house.parts.secret_box, actor="cli:test"
        )
        await tx.execute(text("update identity.second_step set last_step = 0"))
    return secret, codes


async def test_a_link_that_is_refused_for_its_code_is_good_for_the_next_one(
    house: House, http: httpx.AsyncClient
) -> None:
    secret, codes = await enrol(house, "Careful")
    asked = {"link": await new_link(house)}
    answer = await http.post(SESSION, json=asked)
    assert await refused(answer) == (401, "code_needed", "code")
    answer = await http.post(SESSION, json={**asked, "code": "wrong"})
    assert await refused(answer) == (401, "bad_code", "code")
    code = await code_of(house, secret, steps=1)
    keyed = {"Idempotency-Key": "one-sign-in-that-is-repeated"}
    answers = [
        await http.post(SESSION, json={**asked, "code": code}, headers=keyed) for _ in range(2)
    ]
    assert [one.status_code for one in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    again = {"link": await new_link(house), "code": code}
    assert await refused(await http.post(SESSION, json=again)) == (401, "bad_code", "code")
    answer = await http.post(SESSION, json={**again, "code": codes[0]})
    assert answer.status_code == 201


async def test_five_wrong_codes_end_a_link_and_a_right_one_comes_too_late(
    house: House, http: httpx.AsyncClient
) -> None:
    secret, codes = await enrol(house, "Guessed")
    link = await new_link(house, "Guessed")
    for number in range(TRIES_MAX):
        answer = await http.post(SESSION, json={"link": link, "code": f"wrong {number}"})
        assert await refused(answer) == (401, "bad_code", "code")
    for code in (codes[0], await code_of(house, secret)):
        answer = await http.post(SESSION, json={"link": link, "code": code})
        assert await refused(answer) == (401, "bad_link", None)
    link = await new_link(house, "Guessed")
    answer = await http.post(SESSION, json={"link": link, "code": codes[0]})
    assert answer.status_code == 201


@pytest.mark.parametrize("code", ["", "x" * 41, 123456])
async def test_a_code_of_no_form_is_a_bad_field(
    house: House, http: httpx.AsyncClient, code: object
) -> None:
    answer = await http.post(SESSION, json={"link": await new_link(house), "code": code})
    assert await refused(answer) == (422, "bad_field", "code")


@pytest.fixture
async def strict(
    database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[House]:
    """A house that lets no operator in without a second step."""
    settings = settings_of(tmp_path_factory.mktemp("home"), database_url, two_step="all")
    async with running(settings, catalogue=TABLES[:1]) as house:
        yield house


async def test_a_house_may_demand_it_of_all(strict: House) -> None:
    async with httpx.AsyncClient(base_url=strict.url, timeout=WAIT_S, trust_env=False) as http:
        answer = await http.post(SESSION, json={"link": await new_link(strict)})
        assert await refused(answer) == (403, "two_step_needed", None)
        secret, _ = await enrol(strict, "Careful")
        asked = {"link": await new_link(strict), "code": await code_of(strict, secret)}
        assert (await http.post(SESSION, json=asked)).status_code == 201
