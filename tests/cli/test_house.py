"""The commands beside a house that is served: its ledger, tables, operators, bots, records."""

import csv
import io
import json
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import httpx
import pytest

from server.sealing.proofs import problems_of, read_proof
from tests.cli.conftest import COMMAND_S, Call, Served, Shell
from tests.conftest import execute, url_of


@pytest.fixture(scope="session")
def record(served: Served, hand: dict[str, Any]) -> str:
    return f"{served.url}/api/v1/hands/{hand['id']}/record"


def test_a_record_is_verified_from_its_address_with_the_pinned_key(
    served: Served, call: Call, record: str
) -> None:
    said = call(served, "verify", record, "--json")
    assert said.code == 0
    assert said.document["ok"] is True
    assert len(said.document["checks"]) == 19
    text = call(served, "verify", record)
    assert text.out.splitlines()[-1] == "holds: no check fails"
    wrong = call(served, "verify", record, "--server-key", "ab" * 32, "--json")
    assert wrong.code == 1
    fails = [one["number"] for one in wrong.document["checks"] if one["verdict"] == "fails"]
    assert fails == [1]


def test_a_flipped_byte_makes_it_exit_1(served: Served, record: str, tmp_path: Path) -> None:
    with urlopen(record) as answer:
        body = answer.read()
    file = tmp_path / "record.json"
    file.write_bytes(body)
    assert served.run("verify", str(file)).code == 0
    assert served.run("verify", "-", given=body).code == 0
    at = body.index(b'"points":') + len(b'"points":')
    file.write_bytes(body[:at] + b"9" + body[at:])
    said = served.run("verify", str(file), "--json")
    assert said.code == 1
    assert said.document["ok"] is False


def test_a_hand_is_told_move_by_move_and_as_a_seat_saw_it(
    served: Served, call: Call, record: str, hand: dict[str, Any]
) -> None:
    told = call(served, "replay", record)
    assert told.code == 0
    with urlopen(record) as answer:
        moves = [event["line"] for event in json.load(answer)["events"] if event["line"]]
    shown = [line.split(maxsplit=1)[-1] for line in told.out.splitlines()]
    assert moves
    assert [line for line in shown if line in moves] == moves
    assert all(f"seat {row['seat']}: {row['points']} points" in told.out for row in hand["result"])
    seen = call(served, "replay", record, "--seat", "2", "--json")
    assert len(seen.documents) > len(told.out.splitlines())
    assert call(served, "replay", record, "--seat", "7").code == 2


def test_the_ledger_holds_after_the_hand(served: Served, call: Call, hand: dict[str, Any]) -> None:
    said = call(served, "ledger", "check", "--json")
    assert said.code == 0
    assert said.document["ok"] is True
    assert all(one["holds"] and one["figures"] for one in said.document["invariants"])
    assert "holds" in call(served, "ledger", "check").out


def test_tokens_are_granted_and_withdrawn_once_a_key_and_stand_in_the_statement(
    served: Served, call: Call, hand: dict[str, Any]
) -> None:
    name = "Asha bot"
    before = int(call(served, "ledger", "statement", name, "--json").documents[-1]["balance"])
    for _ in range(2):
        said = call(
            served,
            "tokens",
            "grant",
            name,
            "5.25",
            "--reason",
            "for a test",
            "--key",
            "k1",
            "--json",
        )
        assert said.document["amount"] == "5250000"
        assert int(said.document["available"]) == before + 5_250_000
    taken = call(served, "tokens", "withdraw", name, "0.25", "--reason", "for a test")
    assert taken.code == 0
    assert "0.25 HT withdrawn from Asha bot" in taken.out
    last = call(served, "ledger", "statement", name, "--json").documents[-1]
    assert (last["kind"], last["amount"]) == ("withdraw", "-250000")
    assert int(last["balance"]) == before + 5_000_000
    rows = list(csv.DictReader(io.StringIO(call(served, "ledger", "statement", name, "--csv").out)))
    assert (rows[-1]["amount"], rows[-1]["reason"]) == ("-0.25", "for a test")
    assert name in call(served, "ledger", "statement", name).out


def test_each_line_of_a_statement_is_proved_up_to_the_public_log(
    served: Served, call: Call, hand: dict[str, Any]
) -> None:
    key = bytes.fromhex(httpx.get(served.url, trust_env=False).json()["server_key"])
    deadline = time.monotonic() + COMMAND_S
    while True:
        lines = call(served, "ledger", "statement", "Asha bot", "--json").documents
        if all(line["seal"] for line in lines):
            break
        assert time.monotonic() < deadline, "a line is not sealed"
        time.sleep(0.2)
    proofs = [
        read_proof(document)
        for document in call(served, "ledger", "statement", "Asha bot", "--proof").documents
    ]
    assert [problems_of(proof, [key]) for proof in proofs] == [[]] * len(lines)
    assert [str(proof.line.amount) for proof in proofs] == [line["amount"] for line in lines]
    assert [proof.seal.seq for proof in proofs] == [line["seal"] for line in lines]
    assert call(served, "ledger", "statement", "Asha bot", "--proof", "--csv").code == 2


def test_more_than_there_is_can_not_be_withdrawn(
    served: Served, call: Call, hand: dict[str, Any]
) -> None:
    said = call(served, "tokens", "withdraw", "Asha bot", "999999999", "--reason", "x", "--json")
    assert (said.code, said.out) == (2, "")
    assert "not_covered" in said.err


def test_an_operator_gets_a_link_that_signs_in_once(served: Served, call: Call) -> None:
    said = call(served, "operator", "create", "Boss", "--role", "admin", "--json")
    token = said.document["link"].partition("#link=")[2]
    assert said.document["valid_ms"] == 900_000
    answers = [
        httpx.post(
            f"{served.url}/api/v1/operator/session",
            json={"link": token},
            headers={"Idempotency-Key": key},
            trust_env=False,
        )
        for key in ("the first sign-in", "the second one")
    ]
    assert answers[0].status_code == 201
    assert answers[0].json()["operator"] == {"name": "Boss", "role": "admin"}
    assert answers[1].is_client_error
    assert call(served, "operator", "create", "Boss", "--role", "viewer").code == 2


def test_a_table_is_opened_listed_and_closed(served: Served, call: Call) -> None:
    opened = call(served, "table", "open", "rummy", "--name", "Brief", "-o", "seats=6", "--json")
    table = opened.document["table"]
    listed = {row["table"]: row for row in call(served, "table", "list", "--json").documents}
    assert listed[table]["name"] == "Brief"
    assert listed[table]["options"]["seats"] == 6
    assert table in call(served, "table", "list").out
    closed = call(served, "table", "close", table, "--drain", "--json")
    assert closed.document == {"table": table, "closing": "drain"}


def test_the_list_of_tables_names_the_process_that_runs_each(served: Served, call: Call) -> None:
    said = call(served, "operator", "create", "Looker", "--role", "viewer", "--json")
    api = f"{served.url}/api/v1/operator"
    link = {"link": said.document["link"].partition("#link=")[2]}
    token = httpx.post(f"{api}/session", json=link, trust_env=False).json()["token"]
    by = {"Authorization": f"Bearer {token}"}
    (process,) = httpx.get(f"{api}/live", headers=by, trust_env=False).json()["processes"]
    table = call(served, "table", "open", "rummy", "--name", "Owned", "--json").document["table"]
    deadline = time.monotonic() + COMMAND_S
    while True:
        listed = {row["table"]: row for row in call(served, "table", "list", "--json").documents}
        if listed[table]["process"] is not None:
            break
        assert time.monotonic() < deadline, "nobody takes the table up"
        time.sleep(0.2)
    assert listed[table]["process"] == process["name"]
    (row,) = [row for row in call(served, "table", "list").out.splitlines() if table in row]
    assert process["name"] in row
    assert call(served, "table", "close", table).code == 0


def test_a_table_that_no_process_runs_is_listed_as_such(database_url: str, call: Call) -> None:
    still = Shell({"DATABASE_URL": database_url})
    table = call(still, "table", "open", "rummy", "--json").document["table"]
    (listed,) = call(still, "table", "list", "--json").documents
    assert (listed["table"], listed["process"]) == (table, None)
    (row,) = [row for row in call(still, "table", "list").out.splitlines() if table in row]
    assert [cell.strip() for cell in row.split("│")][4] == "none"


def test_a_table_that_is_given_no_name_is_called_by_its_game(served: Served, call: Call) -> None:
    table = call(served, "table", "open", "badam_satti", "--json").document["table"]
    listed = {row["table"]: row for row in call(served, "table", "list", "--json").documents}
    assert listed[table]["name"] == "Badam Satti"


def test_the_schema_of_a_served_house_is_current(served: Served, call: Call) -> None:
    said = call(served, "migrate", "--check", "--json")
    assert (said.code, said.document) == (0, {"current": True})


def test_a_database_without_a_schema_is_not_current_and_then_is(
    postgres_url: str, call: Call
) -> None:
    execute(postgres_url, "create database pakka_bare")
    bare = Shell({"DATABASE_URL": url_of(postgres_url, "pakka_bare")})
    assert call(bare, "migrate", "--check", "--json").document == {"current": False}
    assert call(bare, "migrate", "--check").code == 1
    refused = call(bare, "ledger", "check")
    assert refused.code == 2
    assert "run pakka migrate" in refused.err
    assert call(bare, "migrate").code == 0
    assert call(bare, "migrate", "--check").code == 0
    assert call(bare, "ledger", "check", "--json").document["ok"] is True


def test_an_owner_lets_the_application_in_that_then_does_without_it(
    postgres_url: str, call: Call
) -> None:
    execute(postgres_url, "create database pakka_owned")
    owner = url_of(postgres_url, "pakka_owned")
    plain = owner.replace("//pakka:", "//lodger:not-", 1)
    both = Shell({"DATABASE_URL": plain, "PAKKA_OWNER_DATABASE_URL": owner})
    assert call(both, "migrate").code == 0
    alone = Shell({"DATABASE_URL": plain})
    assert call(alone, "migrate", "--check").code == 0
    assert call(alone, "ledger", "check").code == 0
    execute(owner, "drop schema tables cascade", "delete from alembic_version")
    refused = call(alone, "migrate")
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert "PAKKA_OWNER_DATABASE_URL" in refused.err
    execute(postgres_url, "drop database pakka_owned with (force)", "drop role lodger")


def test_a_person_plays_a_hand_through_a_pipe(served: Served) -> None:
    """In two hands there is a turn: of one that had begun there is none, nor where all drop."""
    given = b"x ZZ\nhelp\n" + b"a\n" * 400
    said = served.run("play", "--url", served.url, "--hands", "2", "--json", given=given)
    assert (said.code, said.err) == (0, "")
    documents = said.documents
    assert any(one.get("event") == "hand.closed" for one in documents)
    turns = [one for one in documents if "turn" in one and "groups" in one]
    assert turns
    assert all(one["turn"] in {"draw", "discard"} for one in turns)


def test_the_terminal_plays_rummy_alone(served: Served, call: Call) -> None:
    tables = call(served, "table", "list", "--json").documents
    table = next(row["table"] for row in tables if row["game"] == "sevens")
    said = call(served, "play", "--url", served.url, "--table", table)
    assert (said.code, said.out) == (2, "")
    assert said.err == "pakka: at that table sevens is played; this terminal plays rummy\n"


def test_a_person_who_quits_gets_up(served: Served) -> None:
    said = served.run("play", "--url", served.url, given=b"a\nquit\n")
    assert (said.code, said.err) == (0, "")
    assert "your turn: draw" in said.out
