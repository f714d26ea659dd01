"""A server as an operator starts it, and pages that may say nothing in the console."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.acceptance.served import Served, home_folder, open_new_table

PHONE, DESKTOP = (360, 640), (1280, 800)
LOCALES = {"en": "en-GB", "hi": "hi-IN"}
SETTINGS = {
    "PAKKA_PRACTICE_BOTS": "3",
    "PAKKA_BOT_PACE_MS": "0",
    "PAKKA_COMMIT_MS": "20000",
    "PAKKA_REVEAL_MS": "20000",
    "PAKKA_RESULT_MS": "4000",
    "PAKKA_LEASE_MS": "5000",
}
WAIT_MS = 30_000
PATIENT = {"turn_ms": 120_000, "miss_limit": 20}
"""Options of a table whose clock plays for nobody, however slow the machine is."""

_numbers = count(1)

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    """A server with bots that play at once; a file may have `SETTINGS_HERE` of its own."""
    own = getattr(request.module, "SETTINGS_HERE", {})
    with home_folder() as home:
        server = Served(home, {**SETTINGS, **own})
        try:
            server.start()
            yield server
        finally:
            server.stop()


@pytest.fixture
def table(served: Served) -> str:
    """A practice table of its own for each test, by its name."""
    return table_of(served, practice=True)


def table_of(served: Served, game: str = "rummy", /, *, practice: bool, **options: int) -> str:
    """Open a table for four whose clock waits for a slow machine too; its name."""
    name = f"Table {next(_numbers)}."
    own = {"rate": 10_000, "min_players": 4} if game == "rummy" else {}
    options = {"seats": 4, **own, **PATIENT, **options}
    opening = open_new_table(served, name, game, practice=practice, **options)
    with ThreadPoolExecutor(1) as other_thread:  # in this one runs Playwright's own loop
        other_thread.submit(asyncio.run, opening).result()
    return name


@pytest.fixture
def open_page(browser: Browser, served: Served) -> Iterator[Open]:
    """Open pages, each of a browser of its own; at the end none has complained.

    A line that was lost on purpose, and a request that is refused, are complained of by the browser
    itself: `may_lose_line`, `may_be_refused`.
    """
    expect.set_options(timeout=WAIT_MS)
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_(
        lang: str = "en",
        size: tuple[int, int] = DESKTOP,
        *,
        context: BrowserContext | None = None,
        may_lose_line: bool = False,
        may_be_refused: bool = False,
    ) -> Page:
        if context is None:
            context = browser.new_context(
                viewport={"width": size[0], "height": size[1]},
                locale=LOCALES[lang],
                has_touch=size == PHONE,
                reduced_motion="reduce",
            )
            context.set_default_timeout(WAIT_MS)
            contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))

        def said(kind: str, text: str) -> None:
            lost = may_lose_line and ("ERR_CONNECTION" in text or "ERR_INTERNET" in text)
            refused = may_be_refused and "responded with a status of" in text
            if kind in {"error", "warning"} and not lost and not refused:
                complaints.append(f"{kind}: {text}")

        page.on("console", lambda message: said(message.type, message.text))
        page.goto(served.url)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core, which looks for what keeps people out."""
    found = Path(__file__).parents[3] / ".node/node_modules/axe-core/axe.min.js"
    if not found.exists():
        pytest.skip("NO AXE-CORE HERE: `npm install --prefix .node axe-core`")
    return found.read_text(encoding="utf-8")
