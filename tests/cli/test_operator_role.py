"""`pakka operator role`: what an operator may do changes, and whoever was signed in is out."""

from typing import Any

import httpx

from tests.cli.conftest import Call, Said, Served

WHY = ("--reason", "a new post")


def link_of(served: Served, call: Call, name: str, role: str) -> str:
    said = call(served, "operator", "create", name, "--role", role, "--json")
    return str(said.document["link"]).partition("#link=")[2]


def asked(served: Served, method: str, path: str, token: str, **body: object) -> tuple[int, Any]:
    url, headers = f"{served.url}/api/v1/operator{path}", {"Authorization": f"Bearer {token}"}
    answer = httpx.request(method, url, headers=headers, json=body or None, trust_env=False)
    return answer.status_code, answer.json()


def token_of(served: Served, link: str) -> str:
    status, made = asked(served, "POST", "/session", "none", link=link)
    assert status == 201, made
    return str(made["token"])


def code_of_suspending(served: Served, token: str) -> str:
    """Ask for what only operators may, of a player that isn't there."""
    path, body = "/players/999999/suspension", {"suspended": True, "reason": "x"}
    return str(asked(served, "POST", path, token, **body)[1]["code"])


def role_of(served: Served, call: Call, name: str, role: str) -> Said:
    return call(served, "operator", "role", name, role, *WHY, "--json")


def test_an_operator_gets_another_role_and_what_was_made_for_the_old_one_ends(
    served: Served, call: Call
) -> None:
    viewer = token_of(served, link_of(served, call, "Rama", "viewer"))
    unused = link_of(served, call, "Rama", "viewer")
    assert code_of_suspending(served, viewer) == "not_allowed"
    said = role_of(served, call, "Rama", "operator")
    expected = {"operator": "Rama", "role": "operator", "was": "viewer", "changed": True}
    assert (said.code, said.document) == (0, expected)
    assert asked(served, "GET", "/me", viewer)[0] == 401
    assert asked(served, "POST", "/session", "none", link=unused)[1]["code"] == "bad_link"
    as_before = call(served, "operator", "create", "Rama", "--role", "viewer")
    assert (as_before.code, as_before.err.count("\n")) == (2, 1)
    operator = token_of(served, link_of(served, call, "Rama", "operator"))
    assert code_of_suspending(served, operator) == "unknown_player"
    told = call(served, "operator", "role", "Rama", "viewer", *WHY)
    assert told.out == "Rama is viewer now, no longer operator; its sign-ins have ended.\n"
    assert code_of_suspending(served, operator) == "not_signed_in"
    viewer = token_of(served, link_of(served, call, "Rama", "viewer"))
    assert code_of_suspending(served, viewer) == "not_allowed"
    acts = asked(served, "GET", "/audit", viewer)[1]["acts"]
    reasons = [act["reason"] for act in acts if act["act"] == "operator.role"]
    assert reasons == ["operator to viewer: a new post", "viewer to operator: a new post"]


def test_the_role_that_an_operator_has_changes_nothing(served: Served, call: Call) -> None:
    token = token_of(served, link_of(served, call, "Sita", "treasurer"))
    acts = asked(served, "GET", "/audit", token)[1]["acts"]
    assert role_of(served, call, "Sita", "treasurer").document["changed"] is False
    told = call(served, "operator", "role", "sita", "treasurer", *WHY)
    assert (told.code, told.out) == (0, "sita is treasurer, as before.\n")
    assert asked(served, "GET", "/me", token)[0] == 200
    assert asked(served, "GET", "/audit", token)[1]["acts"] == acts


def test_an_unknown_operator_gets_no_role_and_a_reason_is_needed(
    served: Served, call: Call
) -> None:
    nobody = role_of(served, call, "Nobody At All", "viewer")
    assert (nobody.code, nobody.out, nobody.err.count("\n")) == (2, "", 1)
    assert "unknown_operator" in nobody.err
    token = token_of(served, link_of(served, call, "Gita", "admin"))
    blank = call(served, "operator", "role", "Gita", "viewer", "--reason", " ")
    assert (blank.code, blank.err.count("\n")) == (2, 1)
    assert "bad_reason" in blank.err
    assert asked(served, "GET", "/me", token)[1]["role"] == "admin"
