"""Every mistake of a caller: exit 2, one line on standard error, nothing on standard output."""

import pytest

from tests.cli.conftest import Call, Said, Served, Shell

CALLS = {
    "": "Missing command",
    "nonsense": "No such command 'nonsense'",
    "ledger": "Missing command",
    "ledger nonsense": "No such command 'nonsense'",
    "score --decks 9": "--decks",
    "score --decks x": "--decks",
    "score --nonsense": "--nonsense",
    "verify": "RECORD",
    "verify a b": "unexpected extra argument",
    "verify /nowhere": "No such file",
    "verify /": "/ can't be read",
    "verify http://127.0.0.1:1/x": "can't be read",
    "verify /nowhere --server-key zz": "--server-key",
    "verify /nowhere --log-key zz": "--log-key",
    "log": "Missing command",
    "log check --url http://127.0.0.1:1": "no server answers",
    "log check --url nonsense": "no server answers",
    "log check --nonsense": "--nonsense",
    "replay /nowhere": "No such file",
    "replay /nowhere --seat 9": "--seat",
    "demo --seats 5": "--seats must be one of 4, 6, 8",
    "demo --hands 0": "--hands",
    "demo --hands x": "--hands",
    "demo --game chess": "no game 'chess'",
    "demo --hands 1 --matches 1": "--hands and --matches",
    "demo --game sevens --hands 2": "--hands: sevens is played in matches of several hands",
    "demo --game sevens --seats 8": "--seats must be one of 3, 4, 5, 6, 7",
    "bots": "table",
    "bots Practice": "bot.token",
    "bots Practice -n 0": "-n",
    "play --url nonsense": "no server answers",
    "play --url http://127.0.0.1:1": "no server answers",
    "tokens grant": "player",
    "tokens grant 1 5": "--reason",
    "tokens grant 1 five --reason x": "amount",
    "tokens grant 1 -5 --reason x": "-5",
    "tokens grant 1 0.0000001 --reason x": "amount",
    "operator create Boss": "--role",
    "operator create Boss --role king": "king",
    "operator role Boss": "role",
    "operator role Boss king --reason x": "king",
    "operator role Boss viewer": "--reason",
    "table open": "game",
    "table close nonsense": "not the id of a table",
    "table open rummy -o seats": "--option",
    "serve --port 99999": "--port",
    "serve --workers 0": "--workers",
}


def is_one_line(said: Said, text: str) -> bool:
    """Tell whether a mistake was told as it must be."""
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("pakka: ")
    assert said.err.count("\n") == 1
    return text in said.err


@pytest.mark.parametrize("line", CALLS)
def test_a_wrong_call_is_told_in_one_line(line: str, call: Call, shell: Shell) -> None:
    assert is_one_line(call(shell, *line.split()), CALLS[line])


SETTINGS = [
    ("PAKKA_PORT", "ten", "PAKKA_PORT"),
    ("PAKKA_POST", "10", "PAKKA_POST is not a setting"),
    ("DATABASE_URL", "mysql://x/y", "DATABASE_URL"),
    ("DATABASE_URL", "postgresql://127.0.0.1:1/x", "can't be reached"),
]


@pytest.mark.parametrize(("name", "value", "text"), SETTINGS)
@pytest.mark.parametrize("line", ["ledger check", "migrate --check"])
def test_a_wrong_setting_is_told_in_one_line(
    call: Call, shell: Shell, line: str, name: str, value: str, text: str
) -> None:
    wrong = Shell({**shell.settings, name: value})
    assert is_one_line(call(wrong, *line.split()), text)


@pytest.mark.parametrize(("name", "value", "text"), SETTINGS)
def test_a_wrong_setting_stops_the_start(shell: Shell, name: str, value: str, text: str) -> None:
    said = Shell({**shell.settings, name: value}).run("serve", "--port", "0")
    assert is_one_line(said, text)


UNKNOWN = {
    "ledger statement 999999": "999999",
    "ledger statement Nobody": "no player 'Nobody'",
    "tokens grant Nobody 5 --reason x": "no player 'Nobody'",
    "tokens withdraw 999999 5 --reason x": "999999",
    "table close 00000000-0000-0000-0000-000000000000": "no_such_table",
    "table open chess": "no_such_game",
    "table open rummy -o seats=5": "bad_option (seats)",
    "table open rummy -o colour=red": "bad_option (colour)",
    "bots Nowhere": "no server answers",
}


@pytest.mark.parametrize("line", UNKNOWN)
def test_what_is_not_there_is_told_in_one_line(served: Served, call: Call, line: str) -> None:
    assert is_one_line(call(served, *line.split()), UNKNOWN[line])


def test_an_unknown_table_or_hand_of_a_server_is_told_in_one_line(
    served: Served, call: Call
) -> None:
    for line, text in (
        (f"bots Nowhere --url {served.url}", "no open table named 'Nowhere'"),
        (f"play --table Nowhere --url {served.url}", "no open table named 'Nowhere'"),
        (f"verify {served.url}/api/v1/hands/999999/record", "can't be read"),
    ):
        assert is_one_line(call(served, *line.split()), text)


def test_help_is_no_mistake(shell: Shell, call: Call) -> None:
    for arguments in ((), ("score",), ("ledger",), ("tokens", "grant")):
        said = call(shell, *arguments, "--help")
        assert said.code == 0
        assert "Usage: pakka" in said.out
        assert said.err == ""
