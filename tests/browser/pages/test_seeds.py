"""A player may play without an own seed; the page says what that means, and checks the rest."""

from playwright.sync_api import Page, expect

from tests.acceptance.served import Served
from tests.browser.pages.company import all_drop_but_one, company
from tests.browser.pages.conftest import Open, table_of
from tests.browser.pages.seats import come_in, held

GIVEN = "seed locked in, then opened"
WITHOUT = "plays without a seed"


def test_a_hand_without_an_own_seed_is_listed_so_and_everything_else_is_checked(
    open_page: Open, served: Served
) -> None:
    table = table_of(served, practice=False)
    careless = open_page()
    come_in(careless, "Careless")
    choose_no_seed(careless, table)
    pages = company(open_page, table, first=careless)
    assert "z" not in str(careless.evaluate("localStorage.getItem('pakka.seeds')"))
    for page in pages:
        page.click(".shield")
        given = page.locator(".promised li").all_inner_texts()
        assert sum(WITHOUT in one for one in given) == 1
        assert sum(GIVEN in one for one in given) == len(pages) - 1
        expect(page.locator('.checks li[value="3"]')).to_have_class("good")
        expect(page.locator(".server-only")).to_have_count(0)
        page.keyboard.press("Escape")
    cards = held(careless)
    careless.reload()
    careless.wait_for_selector(".shield.good")
    assert held(careless) == cards
    all_drop_but_one(pages)


def test_a_hand_to_which_nobody_gave_a_seed_is_marked(open_page: Open, served: Served) -> None:
    table = table_of(served, practice=False)
    first = open_page()
    come_in(first, "Careless")
    choose_no_seed(first, table)
    pages = company(open_page, table, first=first, prepare=lambda page: choose_no_seed(page, table))
    for page in pages:
        page.click(".shield")
        expect(page.locator(".server-only")).to_contain_text("the server alone")
        page.keyboard.press("Escape")
    all_drop_but_one(pages)


def choose_no_seed(page: Page, table: str) -> None:
    """Look in at a table, choose to play without a seed, and go back to the tables."""
    page.locator(".table-card").filter(has_text=table).locator("a").click()
    page.click(".shield")
    expect(page.locator("dialog")).to_contain_text("can't check your own part")
    page.check(".seedless input")
    expect(page.locator(".phrase")).to_have_count(0)  # words go into a seed of one's own
    page.keyboard.press("Escape")
    page.click(".back-link")
    page.wait_for_selector(".table-card")
