"""A hand that is complete is declared by clicking: four players gather it, so no luck is asked."""

from playwright.sync_api import Page, expect

from tests.acceptance.served import Served
from tests.browser.pages.company import company, mover_of
from tests.browser.pages.conftest import Open, table_of
from tests.browser.pages.gather import card_to_discard, goal_of
from tests.browser.pages.seats import DRAW, draw, held

SETTINGS_HERE = {"PAKKA_RESULT_MS": "120000"}
"""The next hand is not dealt while a test looks at the last one's result."""

TURNS_MAX = 60
TAKE = ".my-turn .pile.open.can button"


def test_a_complete_hand_is_declared_by_clicking_and_wins(open_page: Open, served: Served) -> None:
    pages = company(open_page, table_of(served, practice=False))
    order = in_playing_order(pages)
    target, goal = goal_of({seat: held(page) for seat, page in enumerate(order)})
    for turn in range(TURNS_MAX):
        seat = turn % len(order)
        page = order[seat]
        page.wait_for_selector(DRAW)
        take_or_draw(page, goal)
        if page.locator(".actions .shine").count():
            break
        throw(page, card_to_discard(held(page), goal, is_target=seat == target))
    page.click(".actions .shine")
    expect(page.locator("dialog.question")).to_contain_text("All thirteen cards are grouped")
    page.click("dialog.question .main")
    expect(page.locator(".my-result")).to_contain_text("You won")


def in_playing_order(pages: list[Page]) -> list[Page]:
    """List the pages from who is to move on, as the seats follow each other."""
    by_seat = sorted(pages, key=seat_of)
    at = by_seat.index(mover_of(pages))
    return by_seat[at:] + by_seat[:at]


def seat_of(page: Page) -> int:
    """Tell the page's own seat."""
    return int(str(page.locator(".seat.mine").get_attribute("data-seat")))


def take_or_draw(page: Page, goal: list[str]) -> None:
    """Take the top of the open pile if it is on its way to the target, else draw."""
    top = page.locator(".pile.open [data-face]").get_attribute("data-face")
    if top not in goal:
        draw(page)
        return
    page.click(TAKE)
    expect(page.locator(".held")).to_have_count(14)


def throw(page: Page, card: str) -> None:
    """Choose a card and discard it."""
    page.locator(f'[data-card="{card}"]').click()
    page.click(".actions .main")
    expect(page.locator(".held")).to_have_count(13)
