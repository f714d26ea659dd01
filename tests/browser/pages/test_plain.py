"""Plain http from another host: the browser's cryptography is off, the page's own takes over."""

import re

from playwright.sync_api import expect

from tests.acceptance.served import Served
from tests.browser.conftest import PLAIN
from tests.browser.pages.company import all_drop_but_one, company
from tests.browser.pages.conftest import Open, table_of
from tests.browser.pages.seats import come_in


def test_without_the_browsers_cryptography_a_hand_is_checked_by_the_pages_own_which_says_so(
    open_page: Open, served: Served
) -> None:
    page = open_page("hi")
    page.goto(f"http://{PLAIN}:{served.port}/")
    assert page.evaluate("typeof crypto.subtle") == "undefined"
    come_in(page, "Plain")
    pages = company(open_page, table_of(served, practice=False), first=page)
    page.click(".shield")
    expect(page.locator("dialog.fair")).to_contain_text("ब्राउज़र की अपनी क्रिप्टोग्राफ़ी बंद है")
    for check in (2, 3, 5, 6, 7, 8, 9, 11, 12, 13):
        expect(page.locator(f'.checks li[value="{check}"]')).to_have_class("good")
    page.keyboard.press("Escape")
    pages[1].click(".shield")
    expect(pages[1].locator("dialog.fair")).not_to_contain_text("cryptography")
    pages[1].keyboard.press("Escape")
    all_drop_but_one(pages)
    next_hand = re.compile("(Hand|हाथ) 2")  # the close was checked: the page plays on
    expect(page.locator(".bar h1")).to_contain_text(next_hand)
    expect(page.locator(".banner.bad")).to_have_count(0)
