"""Chromium, a served house with a hand that bots have played, and pages that may not complain."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.cli.conftest import Served
from tests.cli.conftest import hand as hand
from tests.cli.conftest import served as served

IS_NEEDED = os.environ.get("CI_NEEDS_CHROMIUM") == "1"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PLAIN = "pakka.test"
"""A name of this machine that browsers don't trust: plain http without `crypto.subtle`."""

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", f"--host-resolver-rules=MAP {PLAIN} 127.0.0.1",
)  # fmt: skip

Open = Callable[..., Page]

EXPECT_MS = 30_000
"""What a page has to become as it should; the library's five seconds are short beside servers."""

expect.set_options(timeout=EXPECT_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let a test in Chromium be run once again when it fails; the summary tells it as `rerun`.

    A browser that shares two cores with servers loses a click now and then, which a person repeats.
    No other test gets a second run: what fails once about rules, tokens or secrets has failed.
    """
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real Chromium, for one file: while it is there, no test of another kind can run a loop."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        if IS_NEEDED:
            pytest.fail("CHROMIUM IS MISSING, and this run needs one")
        pytest.skip("CHROMIUM IS MISSING: the pages were not tested in a browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Open pages of given size and language; in the end none may have complained."""
    complaints: list[str] = []
    contexts = []

    def opened(address: str, *, width: int = 360, height: int = 640, locale: str = "en-IN") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale=locale, has_touch=width < 500
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda said: (
                complaints.append(said.text) if said.type in ("error", "warning") else None
            ),
        )
        if address.startswith("file:"):
            page.on("request", lambda asked: complaints.extend(_elsewhere(asked.url)))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    # a request that fails is the page's to show; the browser mentions it by itself
    assert [one for one in complaints if not one.startswith("Failed to load resource")] == []


def _elsewhere(address: str) -> list[str]:
    """Object to what a page from disk asks of anybody."""
    return [] if address.startswith(("file:", "data:")) else [f"asked for {address}"]


@pytest.fixture(scope="session")
def record(served: Served, hand: dict[str, Any]) -> bytes:
    """The record of the hand, as the house gives it."""
    with urlopen(f"{served.url}/api/v1/hands/{hand['id']}/record") as answer:
        data: bytes = answer.read()
    return data


@pytest.fixture(scope="session")
def record_file(record: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record as a file."""
    path = tmp_path_factory.mktemp("records") / "hand.json"
    path.write_bytes(record)
    return path
