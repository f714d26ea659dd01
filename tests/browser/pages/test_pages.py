"""Whole hands in Chromium, by clicking, dragging and typing; and what goes wrong meanwhile."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.acceptance.served import Served
from tests.browser.pages.company import mover_of
from tests.browser.pages.conftest import DESKTOP, PATIENT, PHONE, WAIT_MS, Open, table_of
from tests.browser.pages.seats import (
    box_at_rest,
    come_in,
    discard,
    draw,
    faults,
    held,
    is_over,
    is_soon,
    layout,
    my_turn,
    play_on,
    second_turn,
    sit_down,
    soon,
    take_a_seat,
)

SETTINGS_HERE = {"PAKKA_RESULT_MS": "12000"}
"""The result goes when the next hand is dealt, and axe-core looks at it before that."""

DRAGS_MAX = 4
SIZES = [("en", DESKTOP), ("hi", PHONE)]


def seeds_of(page: Page) -> str:
    return str(page.evaluate("() => localStorage.getItem('pakka.seeds')"))


@pytest.mark.parametrize(("lang", "size"), SIZES)
def test_a_guest_plays_a_whole_hand_against_bots(
    open_page: Open, axe: str, lang: str, size: tuple[int, int], table: str
) -> None:
    page = open_page(lang, size)
    assert faults(page, axe) == []
    come_in(page, "आशा" if lang == "hi" else "Asha")
    expect(page.locator("html")).to_have_attribute("lang", lang)
    assert faults(page, axe) == []
    sit_down(page, table)
    my_turn(page)
    assert faults(page, axe) == []
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0], "the page is wider than its window"
    play_on(page, until=lambda: is_over(page))
    expect(page.locator(".score li")).to_have_count(4)
    expect(page.locator(".score .winner")).to_have_count(1)
    expect(page.locator("dialog.result .laid .card")).to_have_count(4 * 13)
    assert faults(page, axe) == []
    page.click("dialog.result .main")
    expect(page.locator(".held")).to_have_count(13)  # the next hand comes by itself
    page.wait_for_selector(".shield.good")
    page.click(".back-link")
    page.click("nav a >> nth=1")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.click("nav a >> nth=2")
    expect(page.locator("tbody tr").nth(1)).to_be_visible()
    assert faults(page, axe) == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_cards_are_dragged_into_groups_and_onto_the_pile(
    open_page: Open, size: tuple[int, int], table: str
) -> None:
    page = open_page("en", size)
    come_in(page, "Dragger")
    sit_down(page, table)
    my_turn(page)
    draw(page)
    before, cards = layout(page), held(page)
    card = before[0][0]
    drag(
        page,
        card,
        f'.group:has([data-card="{before[1][0]}"])',
        until=lambda: any({card, *before[1]} <= set(group) for group in layout(page)),
    )
    assert held(page) == cards
    drag(page, card, ".pile.open", until=lambda: card not in held(page))


def test_a_card_that_is_drawn_anew_while_it_is_dragged_is_dropped_where_it_was_let_go(
    open_page: Open, table: str
) -> None:
    page = open_page()
    come_in(page, "Dragger")
    sit_down(page, table)
    my_turn(page)
    draw(page)
    card = layout(page)[0][0]
    start, end = box_at_rest(page, f'[data-card="{card}"]'), box_at_rest(page, ".pile.open")
    page.mouse.move(start["x"] + 8, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(*middle(end), steps=8)
    page.locator(f'[data-card="{card}"]').evaluate("(one) => one.classList.remove('dragged')")
    page.mouse.up()
    expect(page.locator(f'[data-card="{card}"]')).to_have_count(0)


def test_cards_are_moved_by_keys(open_page: Open, table: str) -> None:
    page = open_page()
    come_in(page, "Typist")
    sit_down(page, table)
    groups = layout(page)
    place = next(place for place, group in enumerate(groups) if len(group) > 1)  # a suit has one?
    first, second, *others = groups[place]
    page.locator(f'[data-card="{first}"]').focus()
    page.keyboard.press("Shift+ArrowRight")
    soon(page, lambda: layout(page)[place] == [second, first, *others])
    page.keyboard.press("Space")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    expect(page.locator(".held.selected")).to_have_count(2)
    page.keyboard.press("g")
    soon(page, lambda: layout(page)[-1] == [second, first])


def test_a_drop_says_its_price_and_a_wrong_declare_is_asked_about(
    open_page: Open, table: str
) -> None:
    page = open_page()
    come_in(page, "Dropper")
    sit_down(page, table)
    my_turn(page)
    draw(page)
    page.locator(".held").first.click()
    page.click(".actions button >> nth=1")
    expect(page.locator("dialog.question")).to_contain_text("80 points")
    page.click("dialog .quiet")
    page.locator(".held.selected").click()
    expect(page.locator(".held.selected")).to_have_count(0)
    discard(page)
    second_turn(page)
    page.click(".actions .grave-text")
    expect(page.locator("dialog.question")).to_contain_text("lose 40 points")
    page.click("dialog .grave")
    expect(page.locator(".held")).to_have_count(0)
    page.wait_for_selector("dialog.result")
    mine = page.locator(".score li").filter(has_text="Dropper")
    expect(mine).to_contain_text("40 points")


def test_a_page_that_is_loaded_anew_goes_on_with_its_hand_and_its_seed(
    open_page: Open, table: str
) -> None:
    page = open_page()
    come_in(page, "Reloader")
    sit_down(page, table)
    my_turn(page)
    draw(page)
    groups, seeds = layout(page), seeds_of(page)
    page.reload()
    expect(page.locator(".held")).to_have_count(14)
    assert (layout(page), seeds_of(page)) == (groups, seeds)
    page.wait_for_selector(".shield.good")
    discard(page)
    expect(page.locator(".held")).to_have_count(13)


def test_a_server_that_is_killed_is_waited_for(open_page: Open, served: Served, table: str) -> None:
    page = open_page(may_lose_line=True)
    come_in(page, "Patient")
    sit_down(page, table)
    my_turn(page)
    cards = held(page)
    served.kill()
    expect(page.locator(".banner")).to_be_visible()
    served.start()
    expect(page.locator(".banner")).to_have_count(0, timeout=WAIT_MS)
    assert held(page) == cards
    draw(page)
    expect(page.locator(".shield.good")).to_be_visible()


def test_a_second_tab_takes_the_table_over_and_the_first_says_so(
    open_page: Open, table: str
) -> None:
    first = open_page()
    come_in(first, "Twofold")
    sit_down(first, table)
    second = open_page(context=first.context)
    second.goto(first.url)
    expect(second.locator(".held")).not_to_have_count(0)
    expect(first.locator(".banner.bad")).to_contain_text("another tab")
    first.click(".banner button")
    expect(first.locator(".banner")).to_have_count(0)
    expect(second.locator(".banner.bad")).to_be_visible()


def test_four_guests_play_at_one_table(open_page: Open, served: Served) -> None:
    table = table_of(served, practice=False)
    pages = [open_page(lang, size) for lang, size in SIZES * 2]
    for number, page in enumerate(pages):
        come_in(page, f"Guest {number}")
        take_a_seat(page, table)
    for page in pages:
        expect(page.locator(".held")).to_have_count(13)
        expect(page.locator(".shield.good")).to_be_visible()
    hands = [held(page) for page in pages]
    assert len({card for hand in hands for card in hand}) == 4 * 13
    mover = mover_of(pages)
    draw(mover)
    discard(mover)
    expect(mover.locator(".held")).to_have_count(13)
    for page in pages:
        expect(page.locator(".pile.open .count")).to_have_text("2")
        page.click(".bar button >> nth=0")
        expect(page.locator(".log li")).to_have_count(2)


def test_the_shield_shows_each_check_and_who_gave_a_seed(open_page: Open, table: str) -> None:
    page = open_page()
    come_in(page, "Doubter")
    sit_down(page, table)
    page.click(".shield")
    expect(page.locator(".checks li")).to_have_count(19)
    for check in (2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13):
        expect(page.locator(f'.checks li[value="{check}"]')).to_have_class(re.compile("good"))
    expect(page.locator('.checks li[value="16"]')).to_have_class("waits")
    expect(page.locator(".promised li")).to_have_count(4)
    page.fill(".phrase input", "my grandmother's shawl")
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    soon(page, lambda: "grandmother" in str(page.evaluate("localStorage.getItem('pakka.pins')")))


def test_a_browser_whose_clock_is_an_hour_wrong_sees_the_right_seconds(
    open_page: Open, table: str
) -> None:
    page = open_page()
    page.add_init_script("{const now = Date.now; Date.now = () => now() - 3_600_000;}")
    page.reload()
    come_in(page, "Late")
    sit_down(page, table)
    my_turn(page)
    seconds = page.locator(".seat.mine .ring b").inner_text().lstrip("!")
    assert 0 < int(seconds) <= PATIENT["turn_ms"] / 1000


def test_a_name_with_markup_is_only_a_name(open_page: Open, table: str) -> None:
    page = open_page()
    page.fill("input[name=name]", "<img src=x>")
    page.click("form button")
    page.wait_for_selector(".table-card, .failure")
    assert page.locator("img").count() == 0


def drag(page: Page, card: str, target: str, *, until: Callable[[], bool]) -> None:
    """Drag a card with the mouse, in steps, onto the middle of something, until it has been taken.

    What lies under the pointer may move while a slow machine drags: then a person drags again.
    """
    for _ in range(DRAGS_MAX):
        start, end = box_at_rest(page, f'[data-card="{card}"]'), box_at_rest(page, target)
        page.mouse.move(start["x"] + 8, start["y"] + 20)
        page.mouse.down()
        page.mouse.move(*middle(end), steps=8)
        page.mouse.up()
        if is_soon(page, until):
            return
    raise AssertionError(f"{card} was dragged onto {target} {DRAGS_MAX} times")


def middle(box: FloatRect) -> tuple[float, float]:
    """Find the middle of what was measured."""
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
