"""What a page tells who comes back: what the clock played, a new version, another key."""

import json
import os
import re
import subprocess
import sys
from urllib.request import urlopen

from playwright.sync_api import Page, Route, expect

from tests.acceptance.served import Served
from tests.browser.pages.company import all_drop_but_one, company
from tests.browser.pages.conftest import Open, table_of
from tests.browser.pages.seats import come_in, is_soon

IMPATIENT = {"turn_ms": 5_000, "miss_limit": 20}
"""The clock plays soon, and puts nobody out while a test looks on."""

ROUND_LOOKS = 900
"""Looks, ten a second, in which a round of four turns of the clock surely passes."""

THROWN = re.compile(r"By the clock: Guest 0#\d+ discarded (.+)")


def test_who_comes_back_is_told_what_the_clock_played(open_page: Open, served: Served) -> None:
    pages = company(open_page, table_of(served, practice=False, **IMPATIENT))
    away, looking = pages[:2]
    address = away.url
    away.goto("about:blank")
    looking.click(".bar button >> nth=0")
    thrown = looking.locator(".log li").filter(has_text=THROWN)
    seen = thrown.count()  # on a slow machine the clock has played before it went
    assert is_soon(looking, lambda: thrown.count() > seen, looks=ROUND_LOOKS)
    found = THROWN.search(thrown.first.inner_text())  # the newest is on top
    assert found is not None
    card = found[1]
    away.goto(address)
    note = away.locator(".clock-note")
    expect(note).to_contain_text("The clock played for you: drew closed, discarded")
    expect(note).to_contain_text(f"discarded {card}")
    away.reload()
    away.wait_for_selector(".shield.good")
    expect(away.locator(".status")).not_to_have_text("Coming to the table …")
    text = " ".join(away.locator(".clock-note").all_inner_texts())
    assert f"discarded {card}" not in text  # it was told


def test_a_page_of_an_older_build_says_so_and_loads_the_newer_one(
    open_page: Open, served: Served
) -> None:
    table = table_of(served, practice=False)
    page = open_page()
    come_in(page, "Late")

    def newer(route: Route) -> None:
        """Answer as a server that runs another build; the document itself comes as it is."""
        if route.request.resource_type == "document":
            route.continue_()
            return
        answer = route.fetch()
        body = answer.text().replace(
            'name="pakka-build" content="', 'name="pakka-build" content="0'
        )
        route.fulfill(response=answer, body=body)

    page.route(f"{served.url}/", newer)
    page.locator(".table-card").filter(has_text=table).locator("a").click()
    expect(page.locator(".banner")).to_contain_text("newer version")
    page.unroute(f"{served.url}/")
    page.click(".banner button")
    page.wait_for_selector(".table-page")
    expect(page.locator(".status")).not_to_have_text("Coming to the table …")
    expect(page.locator(".banner")).to_have_count(0)


def test_a_page_follows_its_pinned_key_to_the_one_that_the_log_hands_over_to(
    open_page: Open, served: Served
) -> None:
    table = table_of(served, practice=False)
    page = open_page(may_lose_line=True)
    come_in(page, "Faithful")
    page.locator(".table-card").filter(has_text=table).locator("a").click()
    page.wait_for_selector(".seat .take")
    before = pinned(page)
    assert before == server_key(served)
    served.stop()
    page.wait_for_selector(".banner")
    rotate(served, "signing")
    served.start()
    expect(page.locator(".banner")).to_have_count(0)
    assert server_key(served) != before
    page.wait_for_function(
        "(key) => JSON.parse(localStorage.getItem('pakka.pins')).server === key",
        arg=server_key(served),
    )
    page.click(".back-link")
    page.wait_for_selector(".table-card")
    pages = company(open_page, table, first=page)  # under the new key, every check holds
    all_drop_but_one(pages)
    expect(page.locator(".banner")).to_have_count(0)


def test_a_server_whose_key_nobody_handed_over_to_is_not_played_with(
    open_page: Open, served: Served
) -> None:
    table = table_of(served, practice=False)
    page = open_page()
    come_in(page, "Wary")
    page.evaluate(
        "() => localStorage.setItem('pakka.pins', JSON.stringify({server: 'ab'.repeat(32)}))"
    )
    page.locator(".table-card").filter(has_text=table).locator("a").click()
    expect(page.locator(".banner.bad")).to_contain_text("A check failed")
    page.click(".shield.failed")
    expect(page.locator('.checks li[value="1"]')).to_have_class("failed")


def pinned(page: Page) -> str:
    return str(page.evaluate("() => JSON.parse(localStorage.getItem('pakka.pins')).server"))


def server_key(served: Served) -> str:
    with urlopen(served.url) as answer:
        return str(json.load(answer)["server_key"])


def rotate(served: Served, role: str) -> None:
    """Put a new key in the place of one, as an operator does while no server runs."""
    environment = {**os.environ, "PAKKA_HOME": str(served.home)}
    command = [sys.executable, "-m", "server.cli", "keys", "rotate", role]
    subprocess.run(command, env=environment, check=True, capture_output=True)
