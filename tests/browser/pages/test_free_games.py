"""A hand of each free game in Chromium against bots: tapped on a phone, by keys elsewhere."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.acceptance.served import Served
from tests.browser.pages.conftest import DESKTOP, PATIENT, PHONE, Open, table_of
from tests.browser.pages.seats import come_in, faults, is_over, take_a_seat

SETTINGS_HERE = {"PAKKA_RESULT_MS": "120000"}
"""The next hand is not dealt while a test looks at the last one's result."""

DECISIONS_MAX = 60
RELOADED_AT = 2
CHOICE = ".my-turn .actions button:not([disabled])"
CARD = ".my-turn .held.legal"
TOLD_ANEW = "told => document.querySelector('[role=log]').innerHTML !== told"

GAMES = [
    ("badam_satti", "hi", PHONE),
    ("sevens", "en", DESKTOP),
    ("court_piece", "en", PHONE),
    ("batak", "hi", DESKTOP),
    ("seep", "hi", PHONE),
]


def decide(page: Page, size: tuple[int, int]) -> None:
    """Do the first thing that may be done: answer, or play a card."""
    first = page.locator(CHOICE if page.locator(CHOICE).count() else CARD).first
    if size == PHONE:
        first.click()
    else:
        first.focus()
        page.keyboard.press("Enter")


def look_on(open_page: Open, table: str) -> None:
    """Look in as somebody else, and see the hand go on: no card of a seat, all that lies open."""
    onlooker = open_page("en", DESKTOP)
    come_in(onlooker, "Vera")
    onlooker.locator(".table-card").filter(has_text=table).locator("a").click()
    expect(onlooker.locator(".seat .name")).to_have_count(4)
    middle = re.compile("lines|trick|floor")
    expect(onlooker.locator(".middle > *").first).to_have_class(middle)
    expect(onlooker.locator(".seat .mark.first")).to_be_visible()  # whose deal it is
    expect(onlooker.locator(".held")).to_have_count(0)
    onlooker.close()


@pytest.mark.parametrize(("game", "lang", "size"), GAMES)
def test_a_guest_plays_a_hand_of_a_free_game_to_its_end(
    open_page: Open, axe: str, served: Served, game: str, lang: str, size: tuple[int, int]
) -> None:
    table = table_of(served, game, practice=True, **PATIENT)
    page = open_page(lang, size)
    come_in(page, "Asha")
    take_a_seat(page, table)
    page.wait_for_selector(f"{CHOICE}, {CARD}, dialog.result")  # a redeal of Seep asks nobody
    if not is_over(page):
        page.wait_for_selector(".shield.good")
    assert faults(page, axe) == []
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0], "the page is wider than its window"
    for turn in range(DECISIONS_MAX):
        if turn == RELOADED_AT:  # who comes back, and who looks on, come into the middle of a hand
            page.reload()
            look_on(open_page, table)
        page.wait_for_selector(f"{CHOICE}, {CARD}, dialog.result")
        if is_over(page):
            break
        told = page.inner_html("[role=log]")
        decide(page, size)
        # What comes next is told, as a new element even where a round of passes is told alike.
        page.wait_for_function(TOLD_ANEW, arg=told)
    expect(page.locator("dialog.result")).to_be_visible()
    assert faults(page, axe) == []
    expect(page.locator(".banner.bad")).to_have_count(0)
    comes_again(page)
    assert faults(page, axe) == []


def comes_again(page: Page) -> None:
    """The result comes again after a reload, and from the score sheet, which knows no tokens."""
    seen = score_of(page)
    page.reload()
    page.wait_for_selector("dialog.result")
    assert score_of(page) == seen
    page.click("dialog.result .main")
    page.click(".bar button >> nth=1")
    expect(page.locator(".score-sheet tbody tr")).to_have_count(2)  # the hand, and its match so far
    assert "HT" not in page.inner_text("dialog.sheet")
    page.click(".score-sheet tbody button")
    page.wait_for_selector("dialog.result")
    assert score_of(page) == seen


def score_of(page: Page) -> str:
    """What the result says of each seat, and who has won."""
    said: list[str] = page.locator("dialog.result :is(.my-result, .score, .laid)").all_inner_texts()
    return "\n".join(said)
