"""The known answers, derived again in Chromium, with the browser's own hashing and without."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

from tests.browser.conftest import PLAIN

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests" / "vectors" / "fairdeal-1-vectors.json"
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json"}


def of_this_folder(route: Route) -> None:
    """Answer with a file of the project; the start page is empty."""
    name = route.request.url.split("/", 3)[3]
    if not name:
        route.fulfill(content_type="text/html", body="<!doctype html><title>vectors</title>")
        return
    route.fulfill(path=ROOT / name, content_type=TYPES[Path(name).suffix])


@pytest.mark.parametrize("host", ["localhost", PLAIN])
def test_every_known_answer_comes_out_in_the_browser(browser: Browser, host: str) -> None:
    context = browser.new_context()
    context.route("**/*", of_this_folder)
    page = context.new_page()
    page.goto(f"http://{host}/")
    assert page.evaluate("crypto.subtle !== undefined") is (host == "localhost")
    found = page.evaluate(
        """async () => {
          const { INPUTS, answer } = await import("/tests/browser/vectors.mjs");
          const asked = await fetch("/tests/vectors/fairdeal-1-vectors.json");
          const vectors = await asked.json();
          return [[...INPUTS], await Promise.all(vectors.map(answer))];
        }"""
    )
    inputs, answers = found
    vectors = json.loads(VECTORS.read_text())
    assert len(vectors) == len(answers) == 4
    for vector, answered in zip(vectors, answers, strict=True):
        assert answered == {key: value for key, value in vector.items() if key not in inputs}
    context.close()
