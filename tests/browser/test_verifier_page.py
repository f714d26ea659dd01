"""The verifier's page in Chromium: true and false records, online and from disk, bad input."""

import re
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from server.verify import verify_record
from tests.browser.conftest import PLAIN, Open
from tests.cli.conftest import Served
from tests.verify.free_house import FREE, FreeHouse
from tests.verify.house import SERVER, House, signed
from tests.verify.promises import LOG_SIGNER

CHECK_MS = 60_000
ANOTHER = bytes.maketrans(b"0123456789abcdef", b"1032547698badcfe")
HUGE_BYTES = 50 * 1024 * 1024


def verdicts(page: Page) -> list[str]:
    """Wait for the end; the verdict of each line."""
    expect(page.locator("#outcome b, #outcome .bad").first).to_be_visible(timeout=CHECK_MS)
    return [str(line.get_attribute("data-verdict")) for line in page.locator("#checks > li").all()]


def failed(page: Page) -> list[int]:
    return [at for at, verdict in enumerate(verdicts(page), 1) if verdict == "fails"]


def outcome(page: Page) -> str:
    return page.locator("#outcome").inner_text()


def choose(page: Page, path: Path) -> None:
    page.locator("#file").set_input_files(path)


@pytest.fixture(scope="module")
def saved(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page as somebody has saved it."""
    path = tmp_path_factory.mktemp("saved") / "pakka-verify.html"
    with urlopen(f"{served.url}/verify") as answer:
        path.write_bytes(answer.read())
    return path


@pytest.fixture
def places(served: Served, saved: Path) -> dict[str, str]:
    """Where the page is opened: as a secure origin, on plain http, from disk."""
    return {
        "online": f"{served.url}/verify",
        "plain http": f"{served.url}/verify".replace("127.0.0.1", PLAIN),
        "from disk": saved.as_uri(),
    }


@pytest.fixture(params=["online", "plain http", "from disk"])
def page(request: pytest.FixtureRequest, open_page: Open, places: dict[str, str]) -> Page:
    """The page at each place; where it is from disk there is no network."""
    page = open_page(places[request.param])
    if request.param == "from disk":
        page.context.set_offline(True)
    is_native = request.param != "plain http"
    assert page.evaluate("globalThis.crypto.subtle !== undefined") is is_native
    assert page.locator("#no-subtle").is_visible() is not is_native
    assert page.locator("#hand").is_visible() is (request.param != "from disk")
    return page


# --- true and false records


def test_a_true_record_holds_check_by_check_as_the_command_says(
    page: Page, record: bytes, record_file: Path
) -> None:
    choose(page, record_file)
    assert verdicts(page) == [line.verdict.value for line in verify_record(record).lines]
    assert outcome(page).startswith("No check fails.")


def test_a_false_record_fails_the_checks_that_the_command_names(
    page: Page, record: bytes, tmp_path: Path
) -> None:
    changes = {  # of what every record has: whether anybody discarded is the deal's
        "a line": rb'"line":"(?:auto )?(\d)',
        "an amount": rb'"amount":-?[1-9]\d*(\d)',
        "a seed": rb',"S":"(..)',
        "a commit": rb'"commit":"(..)',
    }
    for name, pattern in changes.items():
        found = re.search(pattern, record)
        assert found is not None, name
        start, end = found.span(1)
        changed = record[:start] + record[start:end].translate(ANOTHER) + record[end:]
        file = tmp_path / "changed.json"
        file.write_bytes(changed)
        choose(page, file)
        assert failed(page) == list(verify_record(changed).failed), name
        assert "These checks fail: 1" in outcome(page)
        page.locator("#file").evaluate("() => document.getElementById('outcome').replaceChildren()")


def test_a_hand_is_read_by_its_link_and_by_its_number(
    open_page: Open, served: Served, hand: dict[str, Any]
) -> None:
    for link in (f"?hand={hand['id']}", f"#hand={hand['id']}"):
        page = open_page(f"{served.url}/verify{link}")
        assert "fails" not in verdicts(page)
        assert f"pakka verify {served.url}/api/v1/hands/{hand['id']}/record" in page.inner_text(
            "#about"
        )
    address = f"{served.url}/api/v1/hands/{hand['id']}/record"
    for typed in (str(hand["id"]), f" {address} ", f"{served.url}/verify?hand={hand['id']}"):
        page = open_page(f"{served.url}/verify")
        page.fill("#hand", typed)
        page.keyboard.press("Enter")
        assert len(verdicts(page)) == 19
        assert page.url.endswith(f"/verify#hand={hand['id']}")


def test_page_and_record_are_saved_and_checked_without_a_network(
    open_page: Open, served: Served, hand: dict[str, Any], record: bytes, tmp_path: Path
) -> None:
    page = open_page(f"{served.url}/verify?hand={hand['id']}")
    assert len(verdicts(page)) == 19
    for link in ("Save this page for use without a network", "Save the record"):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=link).click()
        waiting.value.save_as(tmp_path / waiting.value.suggested_filename)
    file = tmp_path / f"pakka-hand-{hand['id']}.json"
    assert file.read_bytes() == record
    page = open_page((tmp_path / "pakka-verify.html").as_uri())
    choose(page, file)
    assert "fails" not in verdicts(page)


def test_a_dropped_file_is_checked(open_page: Open, saved: Path, record: bytes) -> None:
    page = open_page(saved.as_uri())
    page.evaluate(
        """text => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], "hand.json"));
          const how = {dataTransfer, bubbles: true, cancelable: true};
          document.body.dispatchEvent(new DragEvent("drop", how));
        }""",
        record.decode(),
    )
    assert "fails" not in verdicts(page)


def test_pinned_keys_are_compared(open_page: Open, saved: Path, tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    file.write_bytes(signed(House().play()))
    page = open_page(saved.as_uri())
    page.locator("summary").click()
    page.fill("#server-key", SERVER.public.hex())
    page.fill("#log-key", LOG_SIGNER.key.vkey)
    choose(page, file)
    assert verdicts(page)[0] == "holds"
    assert page.locator("#notes-part").inner_text().count("key") == 0
    page.fill("#server-key", "ab" * 32)
    choose(page, file)
    expect(page.locator("#outcome")).to_contain_text("These checks fail: 1.", timeout=CHECK_MS)
    for field, said in {"#server-key": "64 hex digits", "#log-key": "key can't be read"}.items():
        page.fill("#server-key", "")
        page.fill(field, "nonsense")
        choose(page, file)
        expect(page.locator("#outcome")).to_contain_text(said)


# --- bad input


def test_bad_files_are_refused_by_name(page: Page, record: bytes, tmp_path: Path) -> None:
    for data, code in {
        b"": "no_signature",
        b"\x89PNG\r\n\x1a\n": "no_signature",
        b"{nonsense" + record[-146:]: "not_json",
        record.replace(b"fairdeal/1", b"fairdeal/2"): "shape",
        record[:-9]: "no_signature",
        record.replace(b'":', b'": ', 1): "not_canonical",
    }.items():
        file = tmp_path / "bad.json"
        file.write_bytes(data)
        choose(page, file)
        expect(page.locator("#outcome")).to_contain_text(f"({code})")
        assert not page.locator("#hand-part").is_visible()


def test_a_file_of_50_mb_is_refused_before_it_is_read(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "huge.json"
    with file.open("wb") as huge:
        huge.truncate(HUGE_BYTES)
    page.evaluate(
        "() => { Blob.prototype.arrayBuffer = () => { throw new Error('it was read'); }; }"
    )
    choose(page, file)
    expect(page.locator("#outcome")).to_contain_text("larger than 2 MB")


def test_an_answer_without_an_end_is_given_up(open_page: Open, served: Served) -> None:
    page = open_page(f"{served.url}/verify")
    page.route("**/record", lambda route: route.fulfill(body=bytes(3 * 1024 * 1024)))
    page.fill("#hand", "7")
    page.keyboard.press("Enter")
    expect(page.locator("#outcome")).to_contain_text("larger than 2 MB")
    page.unroute("**/record")
    page.route("**/record", lambda route: route.abort())
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    expect(page.locator("#outcome")).to_contain_text("did not give the record")


def test_hands_that_are_none_or_not_over_are_refused_in_words(
    open_page: Open, served: Served, hand: dict[str, Any]
) -> None:
    answers = (httpx.get(f"{served.url}/api/v1/hands/{n}").json() for n in range(1, 40))
    running = next(
        row["hand"] for row in answers if row.get("state") in ("open", "listed", "dealt")
    )
    page = open_page(f"{served.url}/verify")
    for number, said in {
        "9999999": "There is no such hand.",
        running: "This hand is not over yet",
        "0": "whole number from 1 on",
        "7/../8": "whole number from 1 on",
        "": "whole number from 1 on",
        "9" * 19: "did not give the record",
    }.items():
        page.fill("#hand", number)
        page.click("button[type=submit]")
        expect(page.locator("#outcome")).to_contain_text(said)
        assert not page.locator("#checks-part").is_visible()


def test_a_game_whose_rules_are_not_here_is_left_to_the_command(
    open_page: Open, saved: Path, tmp_path: Path
) -> None:
    """Every lie that does not need the rules is still found: its L is over another game."""
    record = signed(House().play()).replace(b'"game":"rummy"', b'"game":"chess"')
    (tmp_path / "chess.json").write_bytes(record)
    page = open_page(saved.as_uri())
    choose(page, tmp_path / "chess.json")
    assert failed(page) == [1, 17]
    assert verdicts(page)[11] == "not-here"
    assert "pakka verify" in page.inner_text("#no-moves")


@pytest.mark.parametrize("name", FREE)
def test_a_free_game_is_checked_by_its_rules_and_its_deal_is_shown(
    open_page: Open, saved: Path, tmp_path: Path, name: str
) -> None:
    record = FreeHouse(name=name).play()
    (tmp_path / "free.json").write_bytes(signed(record))
    page = open_page(saved.as_uri())
    choose(page, tmp_path / "free.json")
    assert failed(page) == []
    expect(page.locator("#outcome .good")).to_be_visible()
    assert page.inner_text("#no-moves") == ""
    expect(page.locator("#deal .packs .card")).to_have_count(52)
    lines = [event.line for event in record.events if event.line]
    assert page.locator("#deal li").evaluate_all("(all) => all.map((one) => one.title)") == lines


# --- the answer of HTTP


def test_the_page_alone_may_run_its_own_script(served: Served) -> None:
    with urlopen(f"{served.url}/verify") as answer:
        policy, tag = answer.headers["Content-Security-Policy"], answer.headers["ETag"]
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert re.fullmatch(
        r"default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; "
        r"connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
        r"frame-ancestors 'none'",
        policy,
    )
    again = httpx.get(f"{served.url}/verify", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (HTTPStatus.NOT_MODIFIED, b"")
    with urlopen(Request(f"{served.url}/")) as home:
        assert policy != home.headers.get("Content-Security-Policy")


def test_the_policy_stops_what_the_page_did_not_bring(browser: Browser, served: Served) -> None:
    page = browser.new_page()
    page.goto(f"{served.url}/verify")
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "document.title = 'taken over'";
          document.body.append(script);
        }"""
    )
    assert page.title() == "Pakka: check a hand"
    page.close()
