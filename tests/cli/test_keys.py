"""`pakka keys`: what is shown of them, and when they are not to be changed."""

from pathlib import Path

import pytest

from tests.cli.conftest import Call, Served, Shell


def test_keys_are_listed_by_their_public_halves(served: Served, call: Call) -> None:
    rows = call(served, "keys", "list", "--json").document
    assert [(row["role"], row["state"]) for row in rows] == [
        ("signing", "in force"),
        ("log", "in force"),
        ("sealing", "in force"),
    ]
    home = Path(served.settings["PAKKA_HOME"])
    for row in rows:
        assert (home / row["file"]).read_bytes() != bytes.fromhex(row["key"])
    assert rows[0]["key"] in call(served, "keys", "list").out.replace("\n", "")


@pytest.mark.parametrize("role", ["signing", "log", "sealing"])
def test_keys_are_not_changed_beside_a_running_server(
    served: Served, call: Call, role: str
) -> None:
    home = Path(served.settings["PAKKA_HOME"])
    before = sorted(path.name for path in home.glob("*.key*"))
    said = call(served, "keys", "rotate", role)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert "a server runs in" in said.err
    assert sorted(path.name for path in home.glob("*.key*")) == before


def test_a_house_that_never_started_has_no_keys_to_show_or_to_change(
    shell: Shell, call: Call
) -> None:
    assert call(shell, "keys", "list", "--json").document == []
    for role in ("signing", "table"):
        said = call(shell, "keys", "rotate", role)
        assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
