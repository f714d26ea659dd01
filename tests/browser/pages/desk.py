"""An operator's desk: a server in which a hand was played, and who signs in at its console."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import httpx
import pyotp
import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import text

from server.database import Database, Transaction, now_ms
from server.fairness.seal import Sealer
from server.identity.operators import Role, create_operator
from server.identity.two_step import SecretBox, enrol, new_secret
from server.ledger import audit
from tests.acceptance.guests import PATIENT, play_dropped_hand
from tests.acceptance.served import Served, home_folder, open_new_table
from tests.browser.pages.conftest import DESKTOP, Open

Come = Callable[..., Page]

NEXT_S = 30
"""The code of the next step of time is good for a minute at least."""


def apart(work: Callable[[], object]) -> object:
    """Run in another thread: in this one runs Playwright's own loop."""
    with ThreadPoolExecutor(1) as other_thread:
        return other_thread.submit(work).result()


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """A server whose clocks wait for the slowest machine."""
    with home_folder() as home:
        server = Served(home, {"PAKKA_PRACTICE_BOTS": "0", **PATIENT})
        try:
            server.start()
            yield server
        finally:
            server.stop()


@dataclass(frozen=True, slots=True)
class Played:
    """A hand that is over: its table and number, a player of it, another one's sign-in."""

    table: str
    hand: str
    player: str
    other: str


@pytest.fixture(scope="module")
def played(served: Served) -> Played:
    """A hand in which three of four guests dropped; one complained; the ledger was checked."""

    async def work() -> Played:
        options = {"seats": 4, "rate": 10_000, "min_players": 4, "turn_ms": 120_000}
        table = str(await open_new_table(served, "Walk.", **options))
        tokens = await play_dropped_hand(served.url, table)
        async with httpx.AsyncClient(base_url=served.url, trust_env=False) as http:
            mine = {"Authorization": f"Bearer {tokens[0]}"}
            hand = (await http.get("/api/v1/me/hands", headers=mine)).json()["hands"][0]["hand"]
            me = (await http.get("/api/v1/me", headers=mine)).json()["player"]["id"]
            said = {"text": "<b>He</b> looked."}
            await http.post(f"/api/v1/hands/{hand}/complaint", json=said, headers=mine)
        database = Database(served.database_url, pool_size=2)
        try:
            async with database.transaction() as tx:
                found = await audit.check(tx)
            await database.run(lambda tx: audit.keep(tx, found))
        finally:
            await database.close()
        return Played(table, hand, me, tokens[1])

    made = apart(lambda: asyncio.run(work()))
    assert isinstance(made, Played)
    return made


@pytest.fixture
def come(served: Served, open_page: Open, played: Played) -> Come:
    """Sign in by a fresh link, as an operator opens it."""

    def come_in(role: Role, lang: str = "en", size: tuple[int, int] = DESKTOP) -> Page:
        async def link() -> str:
            database = Database(served.database_url, pool_size=2)
            try:
                name = f"Op {role.name.title()}"
                _, token = await database.run(lambda tx: create_operator(tx, name=name, role=role))
                return token
            finally:
                await database.close()

        token = apart(lambda: asyncio.run(link()))
        page = open_page(lang, size)
        page.goto(f"{served.url}/operator#link={token}")
        expect(page.locator(".who-is")).to_contain_text("Op ")
        assert str(token) not in page.url
        return page

    return come_in


def go(page: Page, place: str) -> None:
    page.click(f'nav a[href="#/{place}"]')
    expect(page.locator(f'nav a[href="#/{place}"]')).to_have_attribute("aria-current", "page")
    expect(page.locator("main h1")).to_be_visible()
    expect(page.locator('main p[role="status"]')).to_have_count(0)


def enrolled(served: Served, name: str) -> tuple[str, str, list[str]]:
    """Make an operator who enrolled long ago: (link, code of the next step, recovery codes)."""

    async def work(tx: Transaction) -> tuple[str, str, list[str]]:
        operator, link = await create_operator(tx, name=name, role=Role.VIEWER)
        app, now_s = pyotp.TOTP(new_secret()), await now_ms(tx) // 1_000
        box = SecretBox.of(Sealer.from_file(served.home))
        codes = await enrol(tx, operator, app.secret, app.at(now_s), box=box, actor="cli:test")
        await tx.execute(text("update identity.second_step set last_step = 0"))
        return link, app.at(now_s + NEXT_S), codes

    async def whole() -> tuple[str, str, list[str]]:
        database = Database(served.database_url, pool_size=1)
        try:
            return await database.run(work)
        finally:
            await database.close()

    made = apart(lambda: asyncio.run(whole()))
    assert isinstance(made, tuple)
    return made
