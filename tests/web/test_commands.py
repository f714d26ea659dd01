"""Every command of a table: by a stranger, twice, too late, out of turn, after the end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import httpx
import pytest

from server.bots.client import Client
from server.bots.run import Bot
from server.main import House
from tests.acceptance.guests import PATIENT_FIELDS
from tests.web.conftest import MakeHouse
from tests.web.wire import API, WAIT_S, Line, bearer, guest, signed_in

HAND_S = 180
HEX32, HEX64 = "ab" * 32, "cd" * 64
NOWHERE = "6f2d7c1e-58a4-4a43-9f0b-0c4c5b1f7a11"
COMMANDS: dict[str, dict[str, Any]] = {
    "table.leave": {},
    "table.sit_out": {},
    "table.back": {},
    "deal.commit": {"hand": 1, "d": {"attempt": 0, "without_seed": True}},
    "deal.reveal": {"hand": 1, "d": {"attempt": 0, "x": HEX32, "sig": None}},
    "deal.reveal_again": {"hand": 1, "d": {"epoch": 1, "x": HEX32, "sig": None}},
    "play": {"hand": 1, "turn": 1, "d": {"move": "draw", "from": "closed"}},
}


@pytest.fixture
async def line(house: House) -> AsyncIterator[Line]:
    async with signed_in(house, await guest(house)) as line:
        yield line


@pytest.mark.parametrize("t", sorted(COMMANDS))
async def test_a_stranger_is_refused(house: House, line: Line, t: str) -> None:
    reply = await line.ask(t, table=str(house.tables["open"]), **COMMANDS[t])
    assert (reply["t"], reply["code"]) == ("refused", "not_seated")
    assert isinstance(reply["seq"], int)


@pytest.mark.parametrize("t", ["table.watch", "table.sit", *sorted(COMMANDS)])
async def test_a_table_that_is_not_there_is_refused(line: Line, t: str) -> None:
    reply = await line.ask(t, table=NOWHERE, **COMMANDS.get(t, {}))
    assert (reply["code"], reply["field"]) == ("no_such_table", "table")
    assert "seq" not in reply


async def test_watching_shows_a_spectator_the_public_side_then_every_event(
    house: House, line: Line
) -> None:
    table = str(house.tables["open"])
    reply = await line.ask("table.watch", table=table)
    snapshot = await line.hear()
    assert (snapshot["t"], snapshot["seq"]) == ("snapshot", reply["seq"])
    assert snapshot["d"]["you"] is None
    async with signed_in(house, await guest(house, "Lata")) as other:
        assert (await other.ask("table.sit", table=table, d={"seat": 3}))["t"] == "ok"
        event = await line.hear()
        assert event["seq"] == snapshot["seq"] + 1
        assert (event["d"]["e"], event["d"]["seat"]) == ("seat.taken", 3)
        assert set(event["d"]["player"]) == {"name", "kind", "pseudonym"}
        assert (await line.ask("table.unwatch", table=table))["t"] == "ok"
        assert (await other.ask("table.leave", table=table))["t"] == "ok"
        assert (await line.ask("ping"))["t"] == "ok"
        assert line.frames == []


async def test_sitting_down_is_answered_then_shown_and_the_same_again_moves_nothing(
    house: House, line: Line
) -> None:
    table = str(house.tables["open"])
    sit = {"t": "table.sit", "id": "s1", "table": table, "d": {"seat": 1}}
    await line.say(sit)
    first = await line.reply_to("s1")
    assert first["t"] == "ok"
    assert (await line.until("snapshot"))["d"]["you"] == 1
    await line.say(sit)
    assert await line.reply_to("s1") == first
    await line.say({**sit, "d": {"seat": 2}})
    other = await line.reply_to("s1")
    assert (other["code"], other["field"]) == ("id_reused", "id")
    assert (await line.ask("table.sit", table=table))["code"] == "already_seated"
    async with signed_in(house, await guest(house)) as rival:
        reply = await rival.ask("table.sit", table=table, d={"seat": 1})
        assert (reply["code"], reply["field"]) == ("seat_taken", "seat")
        reply = await rival.ask("table.sit", table=table, d={"seat": 7})
        assert (reply["code"], reply["field"]) == ("no_such_seat", "seat")
    for t in ("table.sit_out", "table.back", "table.leave"):
        assert (await line.ask(t, table=table))["t"] == "ok"
    assert (await line.ask("table.leave", table=table))["code"] == "not_seated"


async def test_a_seat_that_is_too_dear_is_refused(house: House, line: Line) -> None:
    reply = await line.ask("table.sit", table=str(house.tables["dear"]))
    assert reply["code"] == "not_covered"


async def test_a_bot_sits_at_practice_tables_only(house: House, http: httpx.AsyncClient) -> None:
    body, secret = {"name": "Robo", "kind": "bot"}, bearer(house.bot_secret)
    token = (await http.post(f"{API}/guests", json=body, headers=secret)).json()["token"]
    async with signed_in(house, token) as bot:
        reply = await bot.ask("table.sit", table=str(house.tables["open"]))
        assert reply["code"] == "no_bots"
        assert (await bot.ask("table.sit", table=str(house.tables["practice"])))["t"] == "ok"
        assert (await bot.ask("table.leave", table=str(house.tables["practice"])))["t"] == "ok"


async def test_commands_before_any_deal_come_too_early(house: House, line: Line) -> None:
    table = str(house.tables["open"])
    assert (await line.ask("table.sit", table=table))["t"] == "ok"
    early = {t: (await line.ask(t, table=table, **COMMANDS[t]))["code"] for t in COMMANDS
             if t.startswith("deal.") or t == "play"}  # fmt: skip
    assert early == {
        "deal.commit": "not_called",
        "deal.reveal": "not_called",
        "deal.reveal_again": "not_called",
        "play": "stale_hand",
    }
    assert (await line.ask("table.leave", table=table))["t"] == "ok"


@pytest.mark.parametrize(
    ("d", "code", "field"),
    [
        ({}, "missing_field", "d.move"),
        ({"move": "cheat"}, "unknown_move", "d.move"),
        ({"move": "draw"}, "missing_field", "d.from"),
        ({"move": "draw", "from": "sleeve"}, "bad_field", "d.from"),
        ({"move": "draw", "from": "closed", "card": "7H"}, "unknown_field", "d.card"),
        ({"move": "discard", "card": 7}, "bad_field", "d.card"),
        ({"move": "discard", "card": "7H" * 20}, "bad_field", "d.card"),
        ({"move": "declare", "finish": "7H", "groups": [[1]]}, "bad_field", "d.groups.0.0"),
        ({"move": "declare", "finish": [0, 53]}, "bad_field", "d.finish"),
    ],
)
async def test_a_move_that_the_game_does_not_know_is_refused_by_its_field(
    house: House, line: Line, d: dict[str, Any], code: str, field: str
) -> None:
    table = str(house.tables["open"])
    reply = await line.ask("play", table=table, hand=1, turn=1, d=d)
    assert (reply["code"], reply["field"]) == (code, field)


async def test_a_client_that_comes_back_gets_what_it_missed_or_a_snapshot(house: House) -> None:
    token, table = await guest(house), str(house.tables["other"])
    async with signed_in(house, token) as line:
        await line.ask("table.watch", table=table)
        seen = await line.until("snapshot")
    async with signed_in(house, await guest(house)) as other:
        for t in ("table.sit", "table.sit_out", "table.back", "table.leave"):
            assert (await other.ask(t, table=table))["t"] == "ok"
    place = {"table": table, "seq": seen["seq"], "stream": seen["stream"]}
    async with signed_in(house, token, resume=[place]) as line:
        missed = [await line.hear() for _ in range(4)]
        assert [frame["seq"] for frame in missed] == [seen["seq"] + n for n in range(1, 5)]
        assert {frame["t"] for frame in missed} == {"event"}
    for strange in ({"stream": seen["stream"] + 1}, {"seq": 2**50}):
        async with signed_in(house, token, resume=[{**place, **strange}]) as line:
            assert (await line.hear())["t"] == "snapshot"
    async with signed_in(house, token, resume=[{**place, "table": NOWHERE}]) as line:
        refusal = await line.hear()
        assert (refusal["re"], refusal["code"]) == ("h", "no_such_table")
        assert refusal["field"] == "resume.0.table"


@pytest.fixture
async def patient(house_with: MakeHouse) -> AsyncIterator[House]:
    """A house in which nobody is late for a hand, and no second one begins meanwhile."""
    async with house_with(**PATIENT_FIELDS) as house:
        yield house


async def test_a_whole_hand_then_its_record_its_statement_and_a_late_move(patient: House) -> None:
    house = patient
    table = str(house.tables["open"])
    tokens = [await guest(house, name) for name in ("Mina", "Nila", "Omar", "Puja")]
    clients = [Client(house.url, token, Bot(Random(n), 0)) for n, token in enumerate(tokens)]
    async with AsyncExitStack() as stack:
        spectator = await stack.enter_async_context(signed_in(house, await guest(house)))
        await spectator.ask("table.watch", table=table)
        running = [asyncio.create_task(client.run()) for client in clients]
        watches = [await client.sit(table) for client in clients]
        await _tampers_in_mid_hand(spectator, table)
        async with asyncio.timeout(HAND_S):
            await clients[0].until(lambda: bool(watches[0].hand.overs))
        over = watches[0].hand.overs[0]
        assert over.end == "closed"
        async with signed_in(house, tokens[0]) as line:
            late = {"hand": 1, "turn": 1, "d": {"move": "draw", "from": "closed"}}
            reply = await line.ask("play", table=table, **late)
            assert reply["code"] in {"stale_hand", "stale_turn"}
            reveal = {"hand": 1, "d": {"attempt": 0, "x": HEX32, "sig": None}}
            assert (await line.ask("deal.reveal", table=table, **reveal))["code"] == "not_called"
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    async with httpx.AsyncClient(base_url=house.url, timeout=WAIT_S, trust_env=False) as http:
        await _check_books(http, tokens, over.hand_id)


async def _tampers_in_mid_hand(spectator: Line, table: str) -> None:
    """While the hand is played a spectator is told nothing hidden and may play for nobody."""
    turn = await spectator.until("event", "turn")
    move = {"hand": 1, "turn": turn["d"]["turn"], "d": {"move": "draw", "from": "closed"}}
    assert (await spectator.ask("play", table=table, **move))["code"] == "not_seated"
    hidden = [frame for frame in spectator.frames if frame["t"] == "event" and frame["d"] is None]
    assert all("openings" not in frame for frame in hidden)


async def _check_books(http: httpx.AsyncClient, tokens: list[str], hand: str) -> None:
    amounts = []
    for token in tokens:
        hands = (await http.get(f"{API}/me/hands?limit=1", headers=bearer(token))).json()["hands"]
        assert hands[0]["hand"] == hand
        amounts.append(int(hands[0]["amount"]["micro"]))
        page = (await http.get(f"{API}/me/statement?limit=1", headers=bearer(token))).json()
        assert (page["opening"]["micro"], page["next"]) == ("0", 1)
        page = (await http.get(f"{API}/me/statement?after=1", headers=bearer(token))).json()
        assert page["opening"]["ht"] == "10000"
        assert [line["hand"] for line in page["lines"]] == [hand]
        assert page["lines"][0]["amount"]["micro"] == str(amounts[-1])
        me = (await http.get(f"{API}/me", headers=bearer(token))).json()
        assert me["balance"]["posted"] == page["closing"]
    assert sum(amounts) <= 0
    assert max(amounts) >= 0
    first = await http.get(f"{API}/hands/{hand}/record")
    again = await http.get(f"{API}/hands/{hand}/record")
    assert first.headers["Content-Type"] == "application/json"
    assert f"pakka-hand-{hand}.json" in first.headers["Content-Disposition"]
    assert first.content == again.content
    assert (await http.get(f"{API}/hands/{hand}")).json()["record"].endswith(f"{hand}/record")
