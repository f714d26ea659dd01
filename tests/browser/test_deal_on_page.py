"""The deal as the page lays it out, for eyes, keys and screen readers, in both languages."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from server.fairness.record import read_record
from server.games import GAMES
from server.games.rummy import GAME
from server.games.rummy.options import Options
from server.games.rummy.scoring import count
from server.games.rummy.state import State
from server.verify.evidence import Evidence
from server.web.verifier import STATIC, verifier_page
from tests.browser.conftest import Open
from tests.verify.declared import DeclaredHouse
from tests.verify.house import House, signed

DEVANAGARI = re.compile(r"[\u0900-\u097f]")
CHECK_MS = 60_000
AA, AA_LARGE = 4.5, 3.0
SIZES = [(360, 640), (1280, 800)]
LOCALES = {"en-IN": "en", "hi-IN": "hi"}

CONTRASTS = """() => {
  const parts = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const texts = [...document.querySelectorAll("body *")].filter(one => one.checkVisibility()
    && !one.disabled && [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()));
  return texts.map(one => {
    const style = getComputedStyle(one);
    const [high, low] = [light(parts(style.color)), light(behind(one))].sort((a, b) => b - a);
    return [one.textContent.slice(0, 40), parseFloat(style.fontSize), (high + 0.05) / (low + 0.05)];
  });
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page on disk."""
    path = tmp_path_factory.mktemp("page") / "verify.html"
    path.write_bytes(verifier_page().body)
    return path.as_uri()


@pytest.fixture(scope="module")
def reshuffled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand with a reshuffle, seats that leave, and the clock's moves."""
    path = tmp_path_factory.mktemp("hand") / "hand.json"
    path.write_bytes(signed(House().play()))
    return path


@pytest.fixture(scope="module")
def declared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand that ends by a declare, as one of bots whose cards are chance need not."""
    path = tmp_path_factory.mktemp("declared") / "hand.json"
    path.write_bytes(signed(DeclaredHouse().play()))
    return path


def check(page: Page, path: Path) -> None:
    page.locator("#file").set_input_files(path)
    expect(page.locator("#outcome b")).to_be_visible(timeout=CHECK_MS)


def states_of(path: Path) -> list[State]:
    """Play the record again in Python: the state after each move."""
    evidence = Evidence(read_record(path.read_bytes()), GAMES, None)
    return [moment.state for moment in evidence.replay.moments]


def cards_in(place: Locator) -> list[str]:
    """The cards that are shown there, by their texts."""
    titles = place.locator(".card").evaluate_all("all => all.map(one => one.title)")
    return sorted(titles)


def test_each_step_shows_the_cards_that_the_rules_say(
    open_page: Open, address: str, record_file: Path, reshuffled: Path
) -> None:
    for path in (record_file, reshuffled):
        page = open_page(address, width=1280, height=800)
        check(page, path)
        states = states_of(path)
        page.locator("#step").focus()
        for at, state in enumerate(states):
            assert page.locator("#step").get_attribute("aria-valuetext")
            assert page.locator("output").inner_text().startswith(f"{at + 1} of {len(states)}")
            for player in state.seats:
                seat = page.locator(f'[data-seat="{player.seat}"]')
                assert cards_in(seat) == sorted(player.laid_down if player.out else player.cards)
            piles = page.locator(".pile")
            assert cards_in(piles.nth(1)) == sorted(state.open_pile)
            assert f"Closed pile: {len(state.closed_pile)}" in piles.nth(0).inner_text()
            page.keyboard.press("ArrowRight")
        last = states[-1]
        assert last.scored is not None
        for number, points in last.scored.points:
            assert f"{points} points" in page.locator(f'[data-seat="{number}"]').inner_text()
        assert "winner" in page.locator(f'[data-seat="{last.scored.winner}"]').inner_text()


def test_the_end_of_a_declared_hand_shows_each_holding_in_its_groups(
    open_page: Open, address: str, declared: Path
) -> None:
    state = states_of(declared)[-1]
    page = open_page(address)
    check(page, declared)
    page.locator("#step").focus()
    page.keyboard.press("End")
    assert len(state.shown) == len(state.in_play) == 6, "this hand ends by a declare"
    for player in state.in_play:
        counted = count(player.cards, state.wild_rank)
        boxes = page.locator(f'[data-seat="{player.seat}"] .group')
        shown = [cards_in(box) for box in boxes.all()]
        wanted = [*counted.groups, *([counted.loose] if counted.loose else [])]
        assert shown == [sorted(group) for group in wanted]


def test_buttons_go_back_and_on_and_end_where_the_hand_does(
    open_page: Open, address: str, reshuffled: Path
) -> None:
    page = open_page(address)
    check(page, reshuffled)
    back, on = page.get_by_role("button", name="Back"), page.get_by_role("button", name="On")
    expect(back).to_be_disabled()
    on.click()
    expect(page.locator("output")).to_have_text(re.compile(r"^2 of "))
    back.click()
    expect(page.locator("output")).to_have_text(re.compile(r"^1 of \d+ · The cards are dealt"))
    page.get_by_role("slider", name="Move").focus()
    page.keyboard.press("End")
    expect(on).to_be_disabled()


def test_a_record_that_leaves_the_rules_is_laid_out_as_far_as_it_goes(
    open_page: Open, address: str, reshuffled: Path, tmp_path: Path
) -> None:
    changed = re.sub(rb'(\d) discard \w\w"', rb'\1 discard JK#1"', reshuffled.read_bytes(), count=1)
    file = tmp_path / "changed.json"
    file.write_bytes(changed)
    page = open_page(address)
    check(page, file)
    page.locator("#step").focus()
    page.keyboard.press("End")
    assert "the record and the rules part" in page.locator("output").inner_text()


# --- languages


@pytest.mark.parametrize("locale", LOCALES)
def test_the_page_speaks_the_browsers_language_and_switches(
    open_page: Open, address: str, reshuffled: Path, locale: str
) -> None:
    page = open_page(address, locale=locale)
    check(page, reshuffled)
    page.locator("#step").focus()
    page.keyboard.press("ArrowRight")
    for language in (LOCALES[locale], *({"en", "hi"} - {LOCALES[locale]})):
        assert page.locator("html").get_attribute("lang") == language
        is_hindi = language == "hi"
        texts = page.locator("main [data-text], #outcome b, #checks li, #notes li, output, h3")
        for text in filter(None, map(str.strip, texts.all_inner_texts())):
            assert bool(DEVANAGARI.search(text)) is is_hindi, text
        assert bool(DEVANAGARI.search(page.title())) is is_hindi
        labels = page.locator(".card").evaluate_all("all => all.map(one => one.ariaLabel)")
        assert all(bool(DEVANAGARI.search(label)) is is_hindi for label in labels)
        assert page.locator("output").inner_text().startswith("62 में से 2" if is_hindi else "2 of 62")
        page.locator("#language").click()


# --- eyes, keys, screen readers


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("locale", LOCALES)
def test_nothing_sticks_out_and_every_text_has_its_contrast(
    open_page: Open, address: str, reshuffled: Path, locale: str, size: tuple[int, int]
) -> None:
    page = open_page(address, width=size[0], height=size[1], locale=locale)
    page.locator("summary").click()
    for data in (
        reshuffled.read_bytes(),
        reshuffled.read_bytes().replace(b'"points":4', b'"points":5', 1),
    ):
        page.locator("#file").set_input_files(
            {"name": "hand.json", "mimeType": "application/json", "buffer": data}
        )
        expect(page.locator("#checks-part")).to_be_visible(timeout=CHECK_MS)
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]
        rows = page.evaluate(CONTRASTS)
        assert len(rows) > 100
        assert [row for row in rows if row[2] < (AA_LARGE if row[1] >= 24 else AA)] == []


def test_everything_is_reached_and_named_by_the_keyboard(
    open_page: Open, address: str, reshuffled: Path
) -> None:
    page = open_page(address)
    check(page, reshuffled)
    page.locator("body").focus()
    reached = []
    for _ in range(8):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("document.activeElement.id || document.activeElement.localName")
        )
        outline = page.evaluate(
            """() => { const at = document.activeElement;
            const seen = at.id === "file" ? at.nextElementSibling : at;
            return getComputedStyle(seen).outlineStyle; }"""
        )
        assert outline == "solid" or reached[-1] == "body"
    assert reached[:5] == ["language", "file", "summary", "step", "button"]
    unnamed = page.locator("button, input, summary").evaluate_all(
        """all => all.filter(one => !one.textContent.trim() && !one.ariaLabel
            && !one.labels?.length).map(one => one.id)"""
    )
    assert unnamed == []
    low = page.locator("button:visible, label.button:visible, #step").evaluate_all(
        "all => all.filter(one => one.getBoundingClientRect().height < 44).length"
    )
    assert low == 0


def test_the_page_knows_the_rules_that_the_server_has() -> None:
    source = (STATIC / "fair/play_checks.js").read_text()
    assert f'const RULES_VERSION = "{GAME.rules_version}";' in source
    defaults = (STATIC / "games/rummy/options.js").read_text().replace("_", "")
    options = Options()
    for name in Options.__dataclass_fields__:
        value = str(getattr(options, name)).lower()
        assert f"{name.replace('_', '')}: {value}" in defaults, name
