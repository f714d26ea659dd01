"""A house for the console's tests: a hand was played in it, and its clocks are patient."""

from collections.abc import AsyncIterator
from typing import NamedTuple

import httpx
import pytest

from server.catalogue import CatalogueTable
from server.identity.operators import Role
from server.main import House, running
from tests.acceptance.guests import PATIENT_FIELDS, play_dropped_hand
from tests.web.conftest import settings_of
from tests.web.test_operator import operator
from tests.web.wire import API, WAIT_S, bearer

FOUR = {"seats": 4, "min_players": 4, "rate": 10_000, "turn_ms": 120_000}
TABLES = (
    CatalogueTable(key="first", name="First", options=FOUR),
    CatalogueTable(key="second", name="Second", options=FOUR),
    CatalogueTable(key="third", name="Third", options=FOUR),
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
    """A hand of four guests at the first table, of whom three dropped."""
    tokens = await play_dropped_hand(house.url, str(house.tables["first"]))
    async with httpx.AsyncClient(base_url=house.url, timeout=WAIT_S, trust_env=False) as http:
        page = await http.get(f"{API}/me/hands", headers=bearer(tokens[0]))
    (one,) = page.json()["hands"]
    return Played(one["hand"], tokens[0])


@pytest.fixture
async def viewer(house: House) -> dict[str, str]:
    """Sign in as one who may only look."""
    return bearer(await operator(house, Role.VIEWER))


@pytest.fixture
async def manager(house: House) -> dict[str, str]:
    """Sign in as an operator."""
    return bearer(await operator(house, Role.OPERATOR))
