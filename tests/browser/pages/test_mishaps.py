"""What befalls a browser: nonsense in its storage or none left, servers that stutter, odd names."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.acceptance.served import Served
from tests.browser.pages.conftest import PATIENT, PHONE, Open, table_of
from tests.browser.pages.seats import come_in, sit_down

NONSENSE = ["{", "null"]
KEPT = ["pakka.lang", "pakka.settings", "pakka.seeds", "pakka.pins", "pakka.acts.{}"]
OF_A_VISIT = ["pakka.layout.{}", "pakka.names.{}", "pakka.seen.{}", "pakka.sit"]

FILL = """() => {
  for (let text = "x".repeat(1 << 20), at = 0; text; at += 1) {
    try { localStorage.setItem(`fill ${at}`, text); }
    catch { text = text.slice(text.length / 2 + 1); }
  }
}"""


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_nonsense_in_the_storage_stops_no_page(
    open_page: Open, served: Served, table: str, nonsense: str
) -> None:
    page = open_page()
    come_in(page, "Garbled")
    page.locator(".table-card").filter(has_text=table).locator("a").click()
    page.wait_for_selector(".seat .take")
    place = page.url.rsplit("/", 1)[1]
    for store, keys in (("localStorage", KEPT), ("sessionStorage", OF_A_VISIT)):
        for key in keys:
            write = f"([key, value]) => {store}.setItem(key, value)"
            page.evaluate(write, [key.format(place), nonsense])
    page.goto(served.url)
    page.wait_for_selector(".table-card")
    sit_down(page, table)
    page.reload()
    page.wait_for_selector(".shield.good")
    expect(page.locator(".banner")).to_have_count(0)


def test_a_full_storage_is_called_that_and_no_broken_promise(
    open_page: Open, served: Served
) -> None:
    table = table_of(served, practice=False, **PATIENT)
    page = open_page()
    come_in(page, "Crammed")
    page.evaluate(FILL)
    page.click(".purse button")
    page.locator(".settings input").first.check()
    page.keyboard.press("Escape")
    page.locator(".table-card").filter(has_text=table).locator("a").click()
    banner = page.locator(".banner.bad")
    expect(banner).to_contain_text("storage is full")
    expect(page.locator(".shield.failed")).to_have_count(0)
    page.evaluate("() => localStorage.clear()")
    banner.locator("button").click()
    page.wait_for_selector(".seat .take")
    expect(page.locator(".banner")).to_have_count(0)


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_stutters_signs_nobody_out(
    open_page: Open, served: Served, status: int
) -> None:
    page = open_page(may_be_refused=True)
    come_in(page, "Loyal")
    name = page.locator(".purse .name").inner_text()
    asked: list[str] = []

    def stutter(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 1:
            route.continue_()
            return
        code = "slow_down" if status == 429 else "unavailable"
        route.fulfill(status=status, json={"code": code, "text": "", "field": None})

    page.route(f"{served.url}/api/v1/me", stutter)
    page.reload()
    expect(page.locator(".purse .name")).to_have_text(name)
    assert len(asked) > 1


def test_a_browser_that_says_it_is_offline_shows_it_at_once_and_comes_back(
    open_page: Open, served: Served
) -> None:
    page = open_page(may_lose_line=True)
    come_in(page, "Tunnel")
    table = table_of(served, practice=False)
    page.locator(".table-card").filter(has_text=table).locator("a").click()
    page.wait_for_selector(".seat .take")
    page.context.set_offline(True)  # Chromium leaves a socket that is open as it is
    expect(page.locator(".banner.bad")).to_contain_text("line is lost")
    page.context.set_offline(False)
    expect(page.locator(".banner")).to_have_count(0)


def test_a_name_without_a_gap_makes_no_page_wider_than_a_phone(
    open_page: Open, served: Served
) -> None:
    page = open_page("en", PHONE)
    come_in(page, "W" * 24)
    widest = "W" * 40
    page.route(f"{served.url}/api/v1/tables", lambda route: _renamed(route, widest, "\U0001f600 x"))
    expect(page.locator(".table-card h3").first).to_have_text(widest)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    expect(page.locator(".dot").first).to_have_text("\U0001f600")
    page.locator(".table-card .main").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    box = page.locator("dialog h2").bounding_box()
    assert box is not None
    assert page.evaluate("document.querySelector('dialog').scrollWidth") <= PHONE[0]


def _renamed(route: Route, name: str, player: str) -> None:
    answer = route.fetch()
    body = answer.json()
    for table in body["tables"]:
        table["name"] = name
        table["seats"] = [{"seat": 0, "name": player, "kind": "human", "away": False}]
    route.fulfill(response=answer, json=body)


def test_a_list_says_why_it_is_not_there(open_page: Open, served: Served) -> None:
    page = open_page(may_be_refused=True)
    come_in(page, "Refused")
    refusal = {"code": "slow_down", "text": "", "field": None}
    page.route(
        re.compile(r"/api/v1/me/hands"), lambda route: route.fulfill(status=429, json=refusal)
    )
    page.goto(f"{served.url}/#/hands")
    expect(page.locator(".failure")).to_be_visible()
    expect(page.locator(".failure")).not_to_contain_text("can't be reached")


def test_a_link_that_is_no_link_shows_the_operators_way_in(open_page: Open, served: Served) -> None:
    page = open_page(may_be_refused=True)
    page.goto("about:blank")
    page.goto(f"{served.url}/operator#link=%E0%A4%A")
    expect(page.locator(".panel.narrow form")).to_be_visible()
    expect(page.locator(".notice")).not_to_have_text("")
