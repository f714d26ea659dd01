"""The score sheet counts several hands, and what it knows is not the page's own memory."""

from decimal import Decimal

from playwright.sync_api import Page, expect

from tests.acceptance.served import Served
from tests.browser.pages.company import SEATS, all_drop_but_one, company
from tests.browser.pages.conftest import Open, table_of

HANDS = 2


def test_the_score_sheet_has_every_hand_and_its_sums_also_after_a_reload(
    open_page: Open, served: Served
) -> None:
    pages = company(open_page, table_of(served, practice=False))
    for number in range(1, HANDS + 1):
        all_drop_but_one(pages)
        for page in pages:  # the next hand is dealt by itself
            expect(page.locator(".bar h1")).to_contain_text(f"Hand {number + 1}")
            expect(page.locator(".held")).to_have_count(13)
    for page in pages[:2]:
        before = sheet_of(page)
        assert len(before) == HANDS + 1
        assert all(len(row) == SEATS for row in before)
        *hands, sums = before
        assert [sum(column) for column in zip(*hands, strict=True)] == sums
        page.reload()
        assert sheet_of(page) == before


def sheet_of(page: Page) -> list[list[Decimal]]:
    """Open the sheet, read the tokens of each row, the sums last, and close it."""
    page.click(".bar button >> nth=1")
    page.wait_for_selector(".score-sheet")
    rows = [
        [Decimal(cell.inner_text().replace("−", "-")) for cell in row.locator("td strong").all()]
        for row in page.locator(".score-sheet tr").filter(has=page.locator("td")).all()
    ]
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    return rows
