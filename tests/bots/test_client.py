"""The client as a whole: pinned key, evidence, proofs before any commit, gaps."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from server.bots.client import Client
from server.bots.evidence import Cheated
from server.bots.table_watch import TableWatch
from server.errors import Refusal
from server.fairness.signing import LogSigner
from tests.bots.dealer import NOW_MS, TABLE, Dealer
from tests.bots.shoes import LOG_SIGNER
from tests.bots.sockets import Frame, Line, serving

WAIT_S = 15


class Nobody:
    """A chooser that never has to."""

    async def choose(self, watch: TableWatch) -> dict[str, Any]:
        raise AssertionError("nobody was asked")

    def told(self, watch: TableWatch, frame: Mapping[str, Any]) -> None: ...

    def refused(self, watch: TableWatch, refusal: Refusal) -> None: ...


async def test_1_another_key_than_the_pinned_one_is_caught_at_the_welcome(tmp_path: Path) -> None:
    async def first(line: Line) -> None:
        await line.welcome()
        await line.close(4409)

    async def second(line: Line) -> None:
        await line.welcome("cd" * 32)

    async with serving(first, second) as server, asyncio.timeout(WAIT_S):
        with pytest.raises(Exception, match="4409"):
            await Client(server.url, "t", Nobody(), folder=tmp_path).run()
        with pytest.raises(Cheated) as caught:
            await Client(server.url, "t", Nobody(), folder=tmp_path).run()
        assert caught.value.check == 1


async def test_10_a_log_key_that_changes_between_two_lives_is_caught(tmp_path: Path) -> None:
    other = LogSigner(bytes(32), LOG_SIGNER.key.name).key.vkey

    async def first(line: Line) -> None:
        await line.welcome()
        await line.close(4409)

    async def second(line: Line) -> None:
        await line.welcome(log_key=other)

    async with serving(first, second) as server, asyncio.timeout(WAIT_S):
        with pytest.raises(Exception, match="4409"):
            await Client(server.url, "t", Nobody(), folder=tmp_path).run()
        with pytest.raises(Cheated) as caught:
            await Client(server.url, "t", Nobody(), folder=tmp_path).run()
        assert caught.value.check == 10


@pytest.mark.parametrize("told", [LOG_SIGNER.key.vkey, "no key", ""])
async def test_10_a_log_key_that_was_given_beforehand_is_the_pinned_one(told: str) -> None:
    pinned = LogSigner(bytes(32), LOG_SIGNER.key.name).key.vkey

    async def handler(line: Line) -> None:
        await line.welcome(log_key=told)

    async with serving(handler) as server, asyncio.timeout(WAIT_S):
        with pytest.raises(Cheated) as caught:
            await Client(server.url, "t", Nobody(), log_key=pinned).run()
        assert caught.value.check == 10


async def test_1_a_key_that_was_given_beforehand_is_the_pinned_one() -> None:
    async def handler(line: Line) -> None:
        await line.welcome()

    async with serving(handler) as server, asyncio.timeout(WAIT_S):
        with pytest.raises(Cheated):
            await Client(server.url, "t", Nobody(), server_key=bytes(32)).run()


class Told:
    """What the dealer tells one player, kept for a socket to send."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.frames: list[Frame] = []

    def take(self, frame: dict[str, object]) -> None:
        self.frames.append(json.loads(json.dumps(frame)))


async def test_a_failed_check_ends_the_client_and_leaves_its_evidence(tmp_path: Path) -> None:
    dealer = Dealer(4, seed=1)
    told = Told(100)
    dealer.audience.watch(dealer.state, told, None, NOW_MS)  # type: ignore[arg-type]
    dealer.open()
    told.frames[-1]["d"]["sig"] = "00" * 64

    async def handler(line: Line) -> None:
        await line.welcome(dealer.signer.public.hex())
        watching = await line.hear()
        await line.say({"t": "ok", "re": watching["id"], "seq": 1})
        for frame in told.frames:
            await line.say(frame)

    async with serving(handler) as server, asyncio.timeout(WAIT_S):
        client = Client(server.url, "secret-token", Nobody(), folder=tmp_path)
        running = asyncio.create_task(client.run())
        await client.watch(str(TABLE))
        with pytest.raises(Cheated) as caught:
            await running
    assert caught.value.check == 2
    (file,) = tmp_path.glob("evidence-*-check-2.json")
    evidence = json.loads(file.read_text())
    assert evidence["server_key"] == dealer.signer.public.hex()
    assert evidence["log"]["key"] == LOG_SIGNER.key.vkey
    received = [one["frame"] for one in evidence["frames"] if one["way"] == "received"]
    assert received[-1] == told.frames[-1]
    assert "secret-token" not in file.read_text()


async def test_2_nothing_is_committed_while_the_opens_proof_can_not_be_had() -> None:
    dealer = Dealer(4, seed=1)
    told = Told(100)
    dealer.audience.watch(dealer.state, told, None, NOW_MS)  # type: ignore[arg-type]
    dealer.call_commits(attempt=0)
    told.frames[0]["d"]["open"]["log"]["path"] = None
    heard: list[Frame] = []

    async def handler(line: Line) -> None:
        await line.welcome(dealer.signer.public.hex())
        watching = await line.hear()
        await line.say({"t": "ok", "re": watching["id"], "seq": 1})
        for frame in told.frames:
            await line.say(frame)
        while True:
            heard.append(await line.hear())

    async with serving(handler) as server, asyncio.timeout(WAIT_S):
        client = Client(server.url, "t", Nobody())
        running = asyncio.create_task(client.run())
        watch = await client.watch(str(TABLE))
        await client.until(lambda: watch.hand.phase == "commit")
        await asyncio.sleep(0.8)
        assert watch.hand.unproved
        assert heard == []
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_a_gap_is_asked_for() -> None:
    dealer = Dealer(4, seed=1)
    told = Told(999)
    dealer.audience.watch(dealer.state, told, None, NOW_MS)  # type: ignore[arg-type]
    asked = asyncio.Event()

    async def handler(line: Line) -> None:
        await line.welcome(dealer.signer.public.hex())
        watching = await line.hear()
        await line.say({"t": "ok", "re": watching["id"], "seq": 1})
        await line.say(told.frames[0])
        frame = {**told.frames[0], "t": "event", "seq": told.frames[0]["seq"] + 2}
        await line.say({**frame, "d": {"e": "table.closing", "drain": True}})
        again = await line.hear()
        assert again["t"] == "table.watch"
        asked.set()
        await line.say({"t": "ok", "re": again["id"], "seq": 1})
        await line.say(told.frames[0])

    async with serving(handler) as server, asyncio.timeout(WAIT_S):
        client = Client(server.url, "t", Nobody())
        running = asyncio.create_task(client.run())
        watch = await client.watch(str(TABLE))
        await asked.wait()
        await client.until(lambda: not watch.needs_snapshot)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_a_table_that_is_not_resumed_is_watched_anew() -> None:
    dealer = Dealer(4, seed=1)
    told = Told(999)
    dealer.audience.watch(dealer.state, told, None, NOW_MS)  # type: ignore[arg-type]

    async def shows(line: Line) -> None:
        asked = await line.hear()
        assert asked["t"] == "table.watch"
        await line.say({"t": "ok", "re": asked["id"], "seq": 1})
        await line.say(told.frames[0])

    async def first(line: Line) -> None:
        await line.welcome(dealer.signer.public.hex())
        await shows(line)
        await line.cut()

    async def second(line: Line) -> None:
        hello = await line.welcome(dealer.signer.public.hex())
        refusal = {"t": "refused", "code": "busy", "text": "", "field": "resume.0.table"}
        await line.say({**refusal, "re": hello["id"]})
        asked = await line.hear()
        await line.say({"t": "refused", "re": asked["id"], "code": "busy", "text": ""})
        await shows(line)
        frame = {**told.frames[0], "t": "event", "seq": told.frames[0]["seq"] + 1}
        await line.say({**frame, "d": {"e": "table.closing", "drain": True}})

    async with serving(first, second) as server, asyncio.timeout(WAIT_S):
        client = Client(server.url, "t", Nobody())
        running = asyncio.create_task(client.run())
        watch = await client.watch(str(TABLE))
        await client.until(lambda: watch.seq == told.frames[0]["seq"] + 1)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize("steps", range(12))
async def test_a_client_that_is_cancelled_while_it_ends_by_itself_leaves_no_connection_open(
    steps: int,
) -> None:
    """So ends the bot of a seat whose owner is back: its token goes, and then it is let go."""

    async def handler(line: Line) -> None:
        await line.welcome()
        await line.close(4409)

    async with serving(handler) as server, asyncio.timeout(WAIT_S):
        client = Client(server.url, "t", Nobody())
        running = asyncio.create_task(client.run())
        await client._connection.welcomed.wait()
        while client._connection.welcomed.is_set():
            await asyncio.sleep(0)
        for _ in range(steps):
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.sleep(0)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert client._proofs._http.is_closed
