"""`pakka operator two-step`: a person scans and types, a program reads lines of JSON."""

import json
import subprocess
import sys
import time

import httpx
import pyotp

from tests.cli.conftest import COMMAND_S, Call, Served

NAME = "Leela"


def converse(served: Served, *codes: object) -> tuple[int, list[dict[str, object]], str]:
    """Enrol as a program does: read the address, answer with codes; `None` is the app's own."""
    with subprocess.Popen(
        [sys.executable, "-m", "server.cli", "operator", "two-step", NAME, "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=served.environment(),
        text=True,
    ) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        app = pyotp.parse_uri(first["uri"])
        assert isinstance(app, pyotp.TOTP)
        assert (app.name, app.issuer) == (NAME, "Pakka")
        # the code of the next step is good for at least a minute
        right = app.at(time.time(), counter_offset=1)
        given = "".join(f"{right if code is None else code}\n" for code in codes)
        out, err = process.communicate(given, COMMAND_S)
    return process.returncode, [first, *map(json.loads, out.splitlines())], err


def link_of(served: Served, call: Call) -> str:
    said = call(served, "operator", "create", NAME, "--role", "viewer", "--json")
    return str(said.document["link"]).partition("#link=")[2]


def code_of_sign_in(served: Served, **asked: str) -> str:
    url = f"{served.url}/api/v1/operator/session"
    answer = httpx.post(url, json=asked, trust_env=False)
    return "in" if answer.status_code == 201 else str(answer.json()["code"])


def test_an_operator_enrols_signs_in_by_it_and_is_let_off(served: Served, call: Call) -> None:
    link = link_of(served, call)
    code, said, err = converse(served, "000000x", "", None)
    assert (code, err.count("\n")) == (0, 2), err
    recovery = said[1]["recovery"]
    assert isinstance(recovery, list)
    assert code_of_sign_in(served, link=link) == "code_needed"
    assert code_of_sign_in(served, link=link, code=recovery[0]) == "in"
    why = call(served, "operator", "two-step", NAME, "--off", "--json")
    assert (why.code, why.out, why.err.count("\n")) == (2, "", 1)
    off = ("operator", "two-step", NAME, "--off", "--reason", "a new phone")
    assert call(served, *off, "--json").document == {"operator": NAME, "was_on": True}
    assert "as before" in call(served, *off).out
    assert code_of_sign_in(served, link=link_of(served, call)) == "in"


def test_wrong_codes_change_nothing(served: Served, call: Call) -> None:
    link = link_of(served, call)
    code, said, err = converse(served, "1", "2", "3")
    assert (code, len(said)) == (2, 1)
    assert err.endswith("pakka: no code was right: nothing has changed\n")
    code, said, err = converse(served)
    assert (code, len(said), err.count("\n")) == (2, 1, 1)
    assert code_of_sign_in(served, link=link) == "in"


def test_an_unknown_operator_is_told_in_one_line(served: Served, call: Call) -> None:
    said = call(served, "operator", "two-step", "Nobody At All")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert "unknown_operator" in said.err


def test_an_operator_is_signed_out_and_disabled_by_commands_with_a_reason(
    served: Served, call: Call
) -> None:
    url = f"{served.url}/api/v1/operator"
    link = link_of(served, call)
    made = httpx.post(f"{url}/session", json={"link": link}, trust_env=False).json()
    by = {"Authorization": f"Bearer {made['token']}"}
    why = ("--reason", "gone", "--json")
    assert call(served, "operator", "sign-out", NAME, *why).document["ended"] >= 1
    assert httpx.get(f"{url}/me", headers=by, trust_env=False).status_code == 401
    said = call(served, "operator", "disable", NAME, *why).document
    assert said == {"operator": NAME, "disabled": True, "changed": True}
    refused = call(served, "operator", "create", NAME, "--role", "viewer")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert call(served, "operator", "disable", NAME, "--undo", *why).document["changed"]
    assert code_of_sign_in(served, link=link_of(served, call)) == "in"
