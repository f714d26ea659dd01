"""Four people at a table without bots, each at a page: who is to move, and a hand that they end."""

from collections.abc import Callable, Sequence
from time import monotonic

from playwright.sync_api import Page, expect

from tests.browser.pages.conftest import WAIT_MS, Open
from tests.browser.pages.seats import DRAW, come_in, take_a_seat

SEATS = 4
FIRST_DROP = 20


def company(
    open_page: Open,
    table: str,
    *,
    first: Page | None = None,
    prepare: Callable[[Page], None] = lambda page: None,
) -> list[Page]:
    """Seat four guests; `first` is in already. What the others do before they sit: `prepare`."""
    pages = [first or open_page(), *(open_page() for _ in range(SEATS - 1))]
    for number, page in enumerate(pages):
        if page is not first:
            come_in(page, f"Guest {number}")
            prepare(page)
        take_a_seat(page, table)
    for page in pages:
        expect(page.locator(".held")).to_have_count(13)
        page.wait_for_selector(".shield.good")
    return pages


def mover_of(pages: Sequence[Page]) -> Page:
    """Wait until it is somebody's turn to draw; whose."""
    end = monotonic() + WAIT_MS / 1000
    while monotonic() < end:
        for page in pages:
            if page.locator(DRAW).count():
                return page
        pages[0].wait_for_timeout(50)
    raise AssertionError("it is nobody's turn")


def drop(page: Page) -> None:
    """Give the hand up, in one's turn."""
    page.click(".actions .grave-text")
    page.click("dialog.question .grave")
    expect(page.locator(".held")).to_have_count(0)


def all_drop_but_one(pages: Sequence[Page]) -> Page:
    """Let one after the other give up, whoever is to move; who is left has won.

    The result stays until the next hand is dealt: how long that is, is for the caller to know.
    """
    left = list(pages)
    while len(left) > 1:
        mover = mover_of(left)
        drop(mover)
        left.remove(mover)
    return left[0]
