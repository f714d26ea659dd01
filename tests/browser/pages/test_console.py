"""The operator's console in Chromium: through the ledger to a CSV, and what a role allows."""

import csv
import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from server.identity.operators import Role
from server.ledger import audit
from tests.acceptance.served import Served
from tests.browser.pages.conftest import DESKTOP, PHONE, Open
from tests.browser.pages.desk import Come, Played, come, enrolled, go, played, served
from tests.browser.pages.seats import come_in, faults, take_a_seat

__all__ = ["come", "played", "served"]

SIZES = [("en", DESKTOP), ("hi", PHONE)]
PLACES = [
    "tables", "ledger", "trial", "commission", "players", "hands", "complaints", "audit", "log",
]  # fmt: skip


@pytest.mark.parametrize(("lang", "size"), SIZES)
def test_a_walk_through_the_ledger_ends_at_a_csv(
    come: Come, played: Played, tmp_path: Path, lang: str, size: tuple[int, int]
) -> None:
    page = come(Role.VIEWER, lang, size)
    go(page, "hands")
    page.locator("tbody tr").filter(has_text="Walk.").first.locator('a[href^="#/ledger"]').click()
    expect(page.locator("#ledger")).to_be_visible()
    expect(page.locator("input[name=hand]")).to_have_value(played.hand)
    entries = page.get_by_role("region").and_(page.locator("[aria-labelledby=ledger]"))
    expect(entries.locator("tbody tr")).to_have_count(1)
    expect(entries.locator(".lines li")).to_have_count(5)
    whole = page.locator("[aria-labelledby=whole-hand]")
    expect(whole.locator(".lines li")).to_have_count(4)
    expect(whole.locator("a[download]")).to_have_count(1)
    expect(whole.locator('a[href^="/verify?hand="]')).to_have_count(1)
    with page.expect_download() as waiting:
        page.click(".filters a[download]")
    path = tmp_path / "entries.csv"
    waiting.value.save_as(path)
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert {row["hand"] for row in rows} == {played.hand}
    assert {row["player"] for row in rows} >= {played.player}
    page.fill("input[name=hand]", "")
    page.fill("input[name=player]", played.player)
    page.select_option("select[name=kind]", "settle")
    page.click(".filters .main")
    expect(page.locator("tbody tr")).not_to_have_count(0)
    page.fill("input[name=since]", "2199-01-01T00:00")
    page.click(".filters .main")
    expect(page.locator(".nothing")).to_be_visible()


def test_a_player_and_a_table_are_picked_by_their_names(come: Come, played: Played) -> None:
    page = come(Role.VIEWER)
    go(page, "ledger")
    page.fill("input[name=table]", "walk")
    expect(page.locator("#pick-table option")).to_have_count(1)
    expect(page.locator("#pick-table option")).to_have_attribute("value", played.table)
    page.fill("input[name=table]", "Walk.")
    page.keyboard.press("Tab")
    expect(page.locator("input[name=table]")).to_have_value(played.table)
    page.fill("input[name=player]", "asha")
    expect(page.locator(f'#pick-player option[value="{played.player}"]')).to_have_count(1)
    page.fill("input[name=player]", played.player)
    page.click(".filters .main")
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody .lines li")).to_have_count(5)
    page.fill("input[name=reason]", "no reason begins like this")
    page.click(".filters .main")
    expect(page.locator(".nothing")).to_be_visible()


@pytest.mark.parametrize(("lang", "size"), SIZES)
def test_every_page_of_the_console_keeps_nobody_out(
    come: Come, axe: str, lang: str, size: tuple[int, int]
) -> None:
    page = come(Role.TREASURER, lang, size)
    for place in PLACES:
        go(page, place)
        assert faults(page, axe) == [], place
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= size[0], f"{place} is wider than its window"


def test_a_viewer_may_not_grant_tokens(come: Come, served: Served, played: Played) -> None:
    page = come(Role.VIEWER)
    page.goto(f"{served.url}/operator#/players/{played.player}")
    expect(page.locator(".figures")).to_be_visible()
    expect(page.locator(".list > .buttons button")).to_have_count(0)
    go(page, "tables")
    expect(page.locator("tbody tr")).not_to_have_count(0)
    expect(page.locator("tbody button")).to_have_count(0)
    cookies = {one["name"]: one["value"] for one in page.context.cookies()}
    body = {"player": played.player, "amount": "1", "reason": "mine"}
    forced = httpx.post(
        f"{served.url}/api/v1/operator/tokens/issue",
        json=body,
        headers={"Origin": served.url},
        cookies={"pakka_operator": cookies["pakka_operator"]},
        trust_env=False,
    )
    assert (forced.status_code, forced.json()["code"]) == (403, "not_allowed")


def test_a_treasurer_gives_tokens_with_a_reason_that_the_audit_shows(
    come: Come, served: Served, played: Played
) -> None:
    page = come(Role.TREASURER)
    page.goto(f"{served.url}/operator#/players/{played.player}")
    page.click(".list > .buttons .main")
    page.fill("input[name=amount]", "1.5")
    page.fill("input[name=reason]", "a prize <i>of</i> ours")
    page.click("dialog .main")
    expect(page.locator("tbody tr").last).to_contain_text("+1.5")
    go(page, "audit")
    expect(page.locator("tbody tr").first).to_contain_text("a prize <i>of</i> ours")
    expect(page.locator("tbody tr").first).to_contain_text("gave tokens")


def test_a_table_is_opened_by_a_form_of_the_games_own_options_and_drained(come: Come) -> None:
    page = come(Role.OPERATOR)
    go(page, "tables")
    page.click(".list > .main")
    page.fill("dialog input[name=name]", "Fresh one")
    page.fill('dialog input[name="option.seats"]', "4")
    page.fill("dialog input[name=reason]", "more room")
    page.click("dialog .main >> nth=-1")
    row = page.locator("tbody tr").filter(has_text="Fresh one")
    expect(row).to_have_count(1)
    row.locator(".acts button").first.click()
    page.fill("dialog input[name=reason]", "enough")
    page.click("dialog .main")
    expect(row).to_have_count(0)


def test_a_complaint_is_answered_and_leaves_the_queue(come: Come) -> None:
    page = come(Role.OPERATOR)
    go(page, "complaints")
    row = page.locator("tbody tr").filter(has_text="<b>He</b> looked.")
    expect(row.locator("a[download]")).to_have_count(1)
    row.locator("button").click()
    page.fill("dialog input[name=reason]", "The record is right.")
    page.click("dialog .main")
    expect(row).to_have_count(0)
    page.locator(".switch input").uncheck()
    expect(row).to_contain_text("The record is right.")


def test_a_player_reports_a_hand_and_reads_the_answer_in_the_list_of_its_own(
    open_page: Open, come: Come, served: Served, played: Played, axe: str
) -> None:
    page = open_page("hi", PHONE)
    cookies = {"pakka_session": played.other, "pakka.signed_in": "1"}
    for name, value in cookies.items():
        page.context.add_cookies([{"name": name, "value": value, "url": served.url}])
    page.goto(f"{served.url}/#/hands")
    page.reload()
    page.locator("tbody .report").click()
    page.fill("dialog textarea", "The clock was <b>too</b> short.")
    assert faults(page, axe) == []
    page.click("dialog .main")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".report")).to_have_count(0)
    expect(page.locator(".reported summary")).to_contain_text("जवाब बाकी है")
    desk = come(Role.OPERATOR)
    go(desk, "complaints")
    row = desk.locator("tbody tr").filter(has_text="too</b> short.")
    row.locator("button").click()
    desk.fill("dialog input[name=reason]", "It ran <i>30</i> seconds.")
    desk.click("dialog .main")
    expect(row).to_have_count(0)
    page.reload()
    page.click(".reported summary")
    expect(page.locator(".reported")).to_contain_text("The clock was <b>too</b> short.")
    expect(page.locator(".reported")).to_contain_text("It ran <i>30</i> seconds.")
    assert faults(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_an_operator_has_the_invariants_checked_now_and_a_viewer_cannot(come: Come) -> None:
    page = come(Role.VIEWER)
    go(page, "trial")
    expect(page.locator(".checks-list")).to_be_visible()
    expect(page.locator(".check-now")).to_have_count(0)
    page = come(Role.OPERATOR)
    go(page, "trial")
    page.click(".check-now")
    expect(page.locator(".checks-list .failure")).to_have_count(0)
    expect(page.locator(".checks-list li").filter(has_text="seals are one chain")).to_have_count(1)
    expect(page.locator(".check-now")).to_be_enabled()
    go(page, "audit")
    expect(page.locator("tbody tr").first).to_contain_text("checked the ledger")


def test_the_tables_say_who_is_connected(open_page: Open, come: Come, served: Served) -> None:
    player = open_page()
    come_in(player, "Connected")
    take_a_seat(player, "Four, 1 HT")
    page = come(Role.VIEWER, "hi", PHONE)
    row = page.locator("tbody tr").filter(has_text="Connected").filter(has=page.locator(".good"))
    expect(row).to_contain_text("जुड़ा हुआ")
    player.context.close()
    gone = page.locator("tbody tr").filter(has_text="Connected").filter(has_text="गायब")
    expect(gone).to_have_count(1)


def test_the_invariants_and_the_charts_say_what_the_ledger_says(come: Come) -> None:
    page = come(Role.VIEWER)
    go(page, "trial")
    expect(page.locator(".sum.good")).to_contain_text(re.compile(r": 0 HT"))
    expect(page.locator(".checks-list .failure")).to_have_count(0)
    assert page.locator(".checks-list .good").count() >= len(audit.invariants())
    go(page, "commission")
    expect(page.locator(".chart").first.locator("rect")).to_have_count(30)
    page.select_option(".period select", "7")
    expect(page.locator(".chart").first.locator("rect")).to_have_count(7)


def test_who_has_signed_out_is_out_and_stays_out(come: Come) -> None:
    page = come(Role.VIEWER)
    page.click(".top button.plain >> nth=-1")
    expect(page.locator(".panel.narrow form")).to_be_visible()
    page.reload()
    expect(page.locator(".panel.narrow form")).to_be_visible()
    expect(page.locator("nav")).to_have_count(0)


@pytest.mark.parametrize(("lang", "size"), SIZES)
def test_a_link_alone_asks_for_the_code_and_a_wrong_one_may_be_mended(
    served: Served, open_page: Open, lang: str, size: tuple[int, int]
) -> None:
    link, code, recovery = enrolled(served, f"Careful {lang}")
    page = open_page(lang, size, may_be_refused=True)
    if lang == "en":
        page.goto(f"{served.url}/operator#link={link}")
    else:
        page.goto(f"{served.url}/operator")
        page.fill("input[name=link]", f"{served.url}/operator#link={link}")
        page.click("form .main")
    field = page.locator("input[name=code]")
    expect(field).to_be_visible()
    expect(page.locator("input[name=link]")).to_have_count(0)
    expect(page.locator(".failure")).to_have_count(0)
    assert link not in page.url
    field.fill("wrong")
    page.click("form .main")
    expect(page.locator(".failure")).to_be_visible()
    # on the phone the app is lost
    field.fill(code if lang == "en" else recovery[0])
    page.click("form .main")
    expect(page.locator(".who-is")).to_contain_text("Careful")
