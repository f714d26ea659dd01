"""A match of several hands played out by clicking: where its result is found, and the lobby."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.acceptance.served import Served
from tests.browser.pages.conftest import PHONE, Open, table_of
from tests.browser.pages.seats import come_in, faults, take_a_seat

SETTINGS_HERE = {"PAKKA_RESULT_MS": "1000"}
HANDS = 3
LOOKS_MAX = 400
CHOICE = ".my-turn .actions button:not([disabled])"
CARD = ".my-turn .held.legal"
RESULT = "dialog.result"


def my_matches(page: Page) -> list[dict[str, Any]]:
    """Ask the server for the guest's own matches."""
    found: list[dict[str, Any]] = page.evaluate(
        "async () => (await (await fetch('/api/v1/me/matches')).json()).matches"
    )
    return found


def play_a_match_out(page: Page) -> dict[str, Any]:
    """Play whatever may be played until a match is over; the match."""
    for _ in range(LOOKS_MAX):
        page.wait_for_selector(f"{CHOICE}, {CARD}, {RESULT}")
        if page.locator(RESULT).count():
            if matches := my_matches(page):
                return matches[0]
            # It goes by itself when the next hand is dealt.
            page.evaluate(f"document.querySelector({RESULT!r} + ' .main')?.click()")
            expect(page.locator(RESULT)).to_have_count(0)
            continue
        page.locator(CHOICE if page.locator(CHOICE).count() else CARD).first.click()
        # What was clicked may be half of a move, or the hand's last: it is looked at again.
        page.wait_for_timeout(200)
    raise AssertionError("the match has no end")


def test_a_match_is_played_out_and_found_among_my_matches_and_in_the_standings(
    open_page: Open, axe: str, served: Served
) -> None:
    table = table_of(served, "badam_satti", practice=True, seats=3, hands=HANDS)
    page = open_page("en", PHONE)
    come_in(page, "Asha")
    take_a_seat(page, table)
    match = play_a_match_out(page)
    assert (match["first_hand"], match["last_hand"]) == (1, HANDS)
    page.goto(page.url.split("#", maxsplit=1)[0] + "#/matches")
    row = page.locator(".list tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Badam Satti")
    expect(row).to_contain_text(table)
    own = match["seats"][match["seat"]]
    expect(row.locator("td").nth(2)).to_contain_text("Won" if own["won"] else "Lost")
    expect(row.locator(".points-of .own b")).to_have_text(str(own["points"]))
    assert row.locator(".points-of li").count() == 3
    assert faults(page, axe) == []
    page.click(".list .tabs a >> nth=2")
    page.click(".tabs.games button >> text=Badam Satti")
    expect(page.locator(".list tbody tr").filter(has_text="1 of 1")).to_have_count(1)
    assert faults(page, axe) == []
    page.click(".list .tabs a >> nth=0")
    hands = page.locator(".list tbody tr")
    expect(hands).to_have_count(HANDS)
    for at in range(HANDS):  # no tokens moved, and none are said to have
        expect(hands.nth(at).locator("td").nth(4)).to_have_text("–")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE[0], "the page is wider than its window"


def test_the_lobby_shows_the_tables_of_one_game_and_remembers_which(
    open_page: Open, axe: str, served: Served
) -> None:
    rummy, seep = table_of(served, practice=True), table_of(served, "seep", practice=True)
    page = open_page("en", PHONE)
    come_in(page, "Asha")
    cards = page.locator(".table-card")
    expect(cards.filter(has_text=rummy)).to_be_visible()
    expect(cards.filter(has_text=seep)).to_be_visible()
    page.click(".tabs.games button >> text=Seep")
    expect(cards.filter(has_text=seep)).to_be_visible()
    expect(cards.filter(has_text=rummy)).to_have_count(0)
    assert faults(page, axe) == []
    page.reload()
    expect(cards.filter(has_text=seep)).to_be_visible()
    expect(cards.filter(has_text=rummy)).to_have_count(0)
