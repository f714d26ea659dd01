"""What befalls a browser: nonsense in its storage or none left, servers that stutter, odd names."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.acceptance.served import Served
from tests.browser.pages.conftest import Open
from tests.browser.pages.seats import come_in


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_stutters_signs_nobody_out(
    open_page: Open, served: Served, status: int
) -> None:
    page = open_page(may_be_refused=True)
    come_in(page, "Loyal")
    name = page.locator(".purse .name").inner_text()
    asked: list[str] = []

    def stutter(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 1:
            route.continue_()
            return
        code = "slow_down" if status == 429 else "unavailable"
        route.fulfill(status=status, json={"code": code, "text": "", "field": None})

    page.route(f"{served.url}/api/v1/me", stutter)
    page.reload()
    expect(page.locator(".purse .name")).to_have_text(name)
    assert len(asked) > 1


def test_a_list_says_why_it_is_not_there(open_page: Open, served: Served) -> None:
    page = open_page(may_be_refused=True)
    come_in(page, "Refused")
    refusal = {"code": "slow_down", "text": "", "field": None}
    page.route(
        re.compile(r"/api/v1/me/hands"), lambda route: route.fulfill(status=429, json=refusal)
    )
    page.goto(f"{served.url}/#/hands")
    expect(page.locator(".failure")).to_be_visible()
    expect(page.locator(".failure")).not_to_contain_text("can't be reached")


def test_a_link_that_is_no_link_shows_the_operators_way_in(open_page: Open, served: Served) -> None:
    page = open_page(may_be_refused=True)
    page.goto("about:blank")
    page.goto(f"{served.url}/operator#link=%E0%A4%A")
    expect(page.locator(".panel.narrow form")).to_be_visible()
    expect(page.locator(".notice")).not_to_have_text("")
