"""An operator's second step in Chromium: the link alone shows a field for the code."""

import asyncio

import pyotp
import pytest
from playwright.sync_api import expect
from sqlalchemy import text

from server.database import Database, Transaction, now_ms
from server.fairness.seal import Sealer
from server.identity.operators import Role, create_operator
from server.identity.two_step import SecretBox, enrol, new_secret
from tests.acceptance.served import Served
from tests.browser.pages.conftest import DESKTOP, PHONE, Open
from tests.browser.pages.desk import apart, served

__all__ = ["served"]

NEXT_S = 30
"""The code of the next step of time is good for a minute at least."""


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


@pytest.mark.parametrize(("lang", "size"), [("en", DESKTOP), ("hi", PHONE)])
def test_a_link_alone_asks_for_the_code_and_a_wrong_one_may_be_mended(
    served: Served, open_page: Open, lang: str, size: tuple[int, int]
) -> None:
    link, code, recovery = enrolled(served, f"Careful {lang}")
    page = open_page(lang, size, may_be_refused=True)
    page.goto(f"{served.url}/operator#link={link}")
    field = page.locator("input[name=code]")
    expect(field).to_be_visible()
    expect(page.locator("input[name=link]")).to_have_count(0)
    expect(page.locator(".failure")).to_have_count(0)
    assert link not in page.url
    field.fill("wrong")
    page.click("form .main")
    expect(page.locator(".failure")).to_be_visible()
    # on the phone the app is lost
    field.fill(code if lang == "en" else recovery[0])
    page.click("form .main")
    expect(page.locator(".who-is")).to_contain_text("Careful")
    page.reload()
    expect(page.locator(".who-is")).to_contain_text("Careful")


def test_a_link_that_is_pasted_asks_for_the_code_too(served: Served, open_page: Open) -> None:
    link, code, _ = enrolled(served, "Paster")
    page = open_page("en", DESKTOP, may_be_refused=True)
    page.goto(f"{served.url}/operator")
    page.fill("input[name=link]", f"{served.url}/operator#link={link}")
    page.click("form .main")
    page.fill("input[name=code]", code)
    page.click("form .main")
    expect(page.locator(".who-is")).to_contain_text("Paster")
