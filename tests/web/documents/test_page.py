"""The page `/docs`: whole, in both languages, and alone with this server."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import httpx
import pytest

from server.refusal_texts import REFUSALS
from server.web.app import ROUTERS
from server.web.documents import openapi
from server.web.documents.page import page as page_text
from tests.tap import socket_document

LINK = re.compile(r'(?:href|src|action)="([^"]*)"')


@pytest.fixture
async def page(http: httpx.AsyncClient) -> str:
    return (await http.get("/docs")).text


async def test_the_page_shows_every_route_frame_event_and_refusal(page: str) -> None:
    shown = unescape(page)
    assert "`" not in shown.partition("<pre>// Types")[0]
    for path, _ in openapi.routes_of(ROUTERS):
        assert f"<code>{path}</code>" in shown, path
    for name in socket_document()["components"]["messages"]:
        assert f"<code>{name}</code>" in shown, name
    for name in ("hand.opened", "turn", "seat.sits_out", "drawn", "wrong_declare"):
        assert f"<dt><code>{name}</code></dt>" in shown, name
    for code, texts in REFUSALS.items():
        assert f'<dt id="{code}">' in shown
        assert texts.en in shown
        assert texts.hi in shown
    for code in socket_document()["x-close-codes"]:
        assert f"<code>{code}</code>" in shown


async def test_the_page_says_in_both_languages_what_house_tokens_are(page: str) -> None:
    assert "neither bought nor cashed in" in page
    assert "न ख़रीदे जा सकते हैं, न भुनाए जा सकते हैं" in page


async def test_the_page_has_no_script_and_its_policy_allows_none(http: httpx.AsyncClient) -> None:
    answer = await http.get("/docs")
    assert answer.status_code == 200
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "unsafe" not in policy
    for forbidden in ("<script", "<style", " style=", "javascript:", " onclick"):
        assert forbidden not in answer.text


async def test_every_address_on_the_page_is_this_server_s_and_answers(
    page: str, http: httpx.AsyncClient
) -> None:
    places = set(LINK.findall(page))
    assert len(places) > 40
    for place in places:
        if place.startswith("#"):
            assert f'id="{place[1:]}"' in page, place
        else:
            assert place.startswith("/"), place
            assert not place.startswith("//"), place
            assert (await http.get(place)).status_code == 200, place


async def test_the_style_brings_nothing_from_elsewhere(http: httpx.AsyncClient) -> None:
    style = (await http.get("/docs/documents.css")).text
    assert "url(" not in style
    assert "@import" not in style


async def test_the_page_s_elements_are_closed(page: str) -> None:
    assert list(_unclosed(page)) == []


def test_what_the_documents_say_can_t_become_markup() -> None:
    described = _described("<b>bold</b> `<i>code</i>`")
    assert "<b>bold" not in _page_of(described)
    assert "&lt;b&gt;bold&lt;/b&gt; <code>&lt;i&gt;code&lt;/i&gt;</code>" in _page_of(described)


def _unclosed(page: str) -> Iterator[str]:
    """Name each element that is opened more often than it is closed, or the other way round."""
    for name in set(re.findall(r"<([a-z][a-z0-9]*)", page)) - {"meta", "link", "br"}:
        if len(re.findall(rf"<{name}[ >]", page)) != page.count(f"</{name}>"):
            yield name


def _described(summary: str) -> dict[str, Any]:
    operation = {"tags": ["x"], "summary": summary, "security": [], "responses": {"200": {}}}
    return {"info": {"description": ""}, "paths": {"/x": {"get": operation}}}


def _page_of(openapi: dict[str, Any]) -> str:
    return page_text(openapi, socket_document(), "")
