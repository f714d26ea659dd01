"""What a person does at a page, by clicking: come in, sit down, play, until the hand is over."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import FloatRect, Page, expect

DRAW = ".my-turn .pile.closed.can button"
TURNS_MAX = 120
HANDS_MAX = 8
LOOKS_MAX = 300
LOOK_MS = 100


def come_in(page: Page, name: str) -> None:
    """Be a guest."""
    page.fill("input[name=name]", name)
    page.click("form button")
    page.wait_for_selector(".table-card")


def take_a_seat(page: Page, table: str) -> None:
    """Sit down at a table, by its name."""
    page.locator(".table-card").filter(has_text=table).locator(".main").click()
    page.click("dialog .main")
    page.wait_for_selector(".table-page")


def sit_down(page: Page, table: str) -> None:
    """Sit down at a practice table, by its name, and wait for the cards."""
    take_a_seat(page, table)
    expect(page.locator(".held")).to_have_count(13)
    page.wait_for_selector(".shield.good")


def my_turn(page: Page) -> None:
    """Wait until it is one's turn to draw."""
    page.wait_for_selector(DRAW)


def draw(page: Page) -> None:
    """Draw from the closed pile."""
    page.click(DRAW)
    expect(page.locator(".held")).to_have_count(14)


def discard(page: Page) -> None:
    """Lay out the hand, choose its last card, discard it."""
    page.click(".actions button >> nth=-1")
    page.locator(".held").last.click()
    page.click(".actions .main")


def second_turn(page: Page) -> None:
    """Wait, after the first discard, for one's second turn; a hand that ended is begun anew."""
    for _ in range(HANDS_MAX):
        page.wait_for_selector(f"{DRAW}, dialog.result")
        if not is_over(page):
            return
        page.click("dialog.result .main")
        my_turn(page)
        draw(page)
        discard(page)
    raise AssertionError("no hand lasts to a second turn")


def play_on(page: Page, *, until: Callable[[], bool]) -> None:
    """Draw and discard, declaring when the hand is complete, until something holds."""
    for _ in range(TURNS_MAX):
        page.wait_for_function(
            f"() => document.querySelector({DRAW!r}) || document.querySelector('dialog.result')"
        )
        if until():
            return
        if page.locator(DRAW).count() == 0:
            continue
        draw(page)
        if page.locator(".actions .shine").count():
            page.click(".actions .shine")
            page.click("dialog .main")
            page.wait_for_selector("dialog.result")
        else:
            discard(page)
            page.wait_for_function(
                "() => document.querySelector('dialog.result')"
                " || document.querySelectorAll('.held').length !== 14"
            )
    raise AssertionError("the hand has no end")


def is_over(page: Page) -> bool:
    """Tell whether the result is shown."""
    return page.locator("dialog.result").count() > 0


def faults(page: Page, axe: str) -> list[str]:
    """Let axe-core look at the page: its serious and critical findings."""
    page.evaluate(axe)
    found: dict[str, Any] = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {node['html'][:200]} {node['failureSummary'][:300]}"
        for one in found["violations"]
        if one["impact"] in {"serious", "critical"}
        for node in one["nodes"]
    ]


def held(page: Page) -> list[str]:
    """List the own cards, in order of their names."""
    return sorted(card for group in layout(page) for card in group)


def soon(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until something holds that Playwright's own waiting can't express."""
    assert is_soon(page, holds, looks=LOOKS_MAX), "it does not come to hold"


def is_soon(page: Page, holds: Callable[[], bool], *, looks: int = LOOKS_MAX // 6) -> bool:
    """Look whether something comes to hold, a tenth of a second between two looks."""
    for _ in range(looks):
        if holds():
            return True
        page.wait_for_timeout(LOOK_MS)
    return False


def box_at_rest(page: Page, selector: str) -> FloatRect:
    """Measure where something lies, once it lies still."""
    boxes = [page.locator(selector).bounding_box()]
    while True:
        page.wait_for_timeout(LOOK_MS)
        boxes.append(page.locator(selector).bounding_box())
        if boxes[-1] is not None and boxes[-1] == boxes[-2]:
            return boxes[-1]
        assert len(boxes) < LOOKS_MAX, f"{selector} never lies still"


def layout(page: Page) -> list[list[str]]:
    """List the cards of each group, as they lie."""
    groups: list[list[str]] = page.evaluate(
        "() => [...document.querySelectorAll('.group')].map("
        "(group) => [...group.querySelectorAll('[data-card]')].map((card) => card.dataset.card))"
    )
    return groups
