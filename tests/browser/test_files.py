"""What a browser loads: one page, files named by their content, packed, and little of it."""

import gzip
import re

import httpx
import pytest

from server.web.assets import FOLDER, MAIN, OPERATOR, assets
from tests.web.conftest import house, http, module_url

__all__ = ["house", "http", "module_url"]

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8", "accept-encoding": "gzip"}
FIRST_LOAD_MAX_BYTES = 300_000
LINES_MAX = 300


async def test_a_browser_gets_the_page_and_a_program_gets_json(http: httpx.AsyncClient) -> None:
    page = await http.get("/", headers=BROWSER)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "Accept" in page.headers["vary"]
    assert (await http.get("/")).json()["name"] == "Pakka"


@pytest.mark.parametrize("address", ["/", "/operator"])
async def test_the_page_runs_no_script_and_no_style_but_its_own_files(
    http: httpx.AsyncClient, address: str
) -> None:
    page = await http.get(address, headers=BROWSER)
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page.text)


@pytest.mark.parametrize("address", ["/", "/operator"])
async def test_every_file_of_the_page_is_there_packed_and_for_good(
    http: httpx.AsyncClient, address: str
) -> None:
    page = await http.get(address, headers=BROWSER)
    paths = re.findall(r'(?:href|src)="(/[^"]+)"', page.text)
    assert len(paths) > 20
    for path in paths:
        answer = await http.get(path, headers=BROWSER)
        assert answer.status_code == 200, path
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_file_of_another_build_is_not_given(http: httpx.AsyncClient) -> None:
    for path in ("/static/0000000000000000/main.js", f"/static/{assets().build}/%2e%2e/app.py"):
        answer = await http.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_route")


async def test_a_client_without_gzip_gets_the_same_bytes(http: httpx.AsyncClient) -> None:
    path = f"/static/{assets().build}/main.js"
    plain = await http.get(path, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    packed = assets().files["main.js"].packed
    assert packed is not None
    assert plain.content == gzip.decompress(packed)


def test_the_first_load_is_small() -> None:
    """Everything that the first visit of a player who reads Hindi can load, the table included."""
    files = assets().files
    styles = [
        name
        for name in files
        if name.endswith((".css", ".woff2")) and name != "styles/operator.css"
    ]
    sizes = {name: files[name].sent_bytes for name in [*assets().modules(), *styles]}
    assert sum(sizes.values()) + assets().pages[MAIN].sent_bytes < FIRST_LOAD_MAX_BYTES, sizes


def test_every_module_that_is_imported_is_there() -> None:
    assert set(assets().modules()) <= set(assets().files)
    assert set(assets().modules(OPERATOR)) <= set(assets().files)


def test_players_load_nothing_of_the_console() -> None:
    assert not [name for name in assets().modules() if "operator" in name]


@pytest.mark.parametrize("suffix", [".js", ".css"])
def test_files_of_our_own_are_short(suffix: str) -> None:
    own = [path for path in FOLDER.rglob(f"*{suffix}") if "vendor" not in path.parts]
    long = {path.name: n for path in own if (n := len(path.read_text().splitlines())) > LINES_MAX}
    assert not long
