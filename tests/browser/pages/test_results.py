"""A hand's end outlives the page that saw it: shown again, and on the score sheet."""

import re

from playwright.sync_api import Page, expect

from tests.acceptance.served import Served
from tests.browser.pages.company import FIRST_DROP, SEATS, all_drop_but_one, company
from tests.browser.pages.conftest import Open, table_of
from tests.browser.pages.seats import faults

SETTINGS_HERE = {"PAKKA_RESULT_MS": "120000"}
"""The next hand is not dealt while a test looks at the last one's result."""


def test_the_last_result_is_there_again_after_a_reload_and_on_the_score_sheet(
    open_page: Open, served: Served, axe: str
) -> None:
    pages = company(open_page, table_of(served, practice=False))
    winner = all_drop_but_one(pages)
    winner.wait_for_selector("dialog.result")
    live = result_of(winner)
    winner.reload()
    winner.wait_for_selector("dialog.result")
    assert result_of(winner) == live
    expect(winner.locator("dialog.result")).to_contain_text("from the hand's record")
    winner.click("dialog.result .main")
    winner.reload()
    winner.wait_for_selector(".shield")
    expect(winner.locator(".status")).to_have_text("The next hand begins soon")
    open_sheet(winner)
    expect(winner.locator("dialog.result")).to_have_count(0)  # it was seen, and closed
    assert faults(winner, axe) == []
    winner.click(".score-sheet tbody button")
    winner.wait_for_selector("dialog.result")
    assert result_of(winner) == live


def test_a_hand_is_found_on_the_score_sheet_in_the_head_in_the_statement_and_in_the_verifier(
    open_page: Open, served: Served
) -> None:
    """The one hand of a company is looked at in all the places that tell of it."""
    pages = company(open_page, table_of(served, practice=False))
    winner = all_drop_but_one(pages)
    loser = next(page for page in pages if page is not winner)
    loser.click("dialog.result .main")
    open_sheet(loser)
    cells = loser.locator(".score-sheet tbody td")
    expect(cells).to_have_count(SEATS)
    expect(cells.first).to_contain_text(f"{FIRST_DROP} points")  # the own column comes first
    expect(loser.locator(".score-sheet .won")).to_have_count(1)
    loser.evaluate("() => { location.hash = '#/statement'; }")
    expect(loser.locator("tbody tr")).to_have_count(2)
    balance = loser.locator("tbody tr:last-child td:last-child").inner_text()
    expect(loser.locator(".purse strong")).to_have_text(f"{balance} HT")
    _leads_to_the_verifier(winner, served.url)


def _leads_to_the_verifier(page: Page, url: str) -> None:
    """From "My hands" to a hand's check, which keeps the language that one chooses there."""
    page.click("dialog.result .main")
    page.click(".back-link")
    page.click("nav a >> nth=1")
    page.locator("tbody tr a").first.click()
    expect(page.locator("#outcome .good")).to_be_visible()
    page.click("#language")
    expect(page.locator("html")).to_have_attribute("lang", "hi")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "hi")
    page.goto(url)
    expect(page.locator("html")).to_have_attribute("lang", "hi")  # one choice for all pages
    page.click("nav a >> nth=3")
    expect(page.locator("h1")).to_have_text("हाथ की जाँच")


def open_sheet(page: Page) -> None:
    page.click(".bar button >> nth=1")
    page.wait_for_selector(".score-sheet")


def result_of(page: Page) -> list[tuple[str, list[str]]]:
    """What the result says of each seat: names, points and tokens; then its cards, sorted."""
    rows = page.locator(".score li")
    return [
        (
            re.sub(r"\s+", " ", row.locator(".score-line").inner_text()),
            sorted(
                str(card.get_attribute("aria-label")) for card in row.locator(".laid .card").all()
            ),
        )
        for row in rows.all()
    ]
