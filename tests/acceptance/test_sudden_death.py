"""The server dies at any moment, twenty times: nothing that it promised is lost or done twice."""

import asyncio
import json
import secrets
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from server.bots import connection
from server.bots.client import Client
from server.database import Database
from server.embedded import EmbeddedPostgres
from server.fairness.seal import Sealer
from server.fairness.signing import LogSigner, SigningKey
from server.tables.clock import Clocks
from server.tables.work import Parts
from tests.acceptance import reckoning
from tests.acceptance.served import (
    Served,
    home_folder,
    new_guest,
    open_new_table,
    wait_for_table,
)
from tests.acceptance.survivors import Recorder, make_survivor, stay

KILLS = 20
SEATS = 4
FAULTS = {
    "bot_ended",
    "socket_fault",
    "table_broken",
    "table_fault",
    "table_stopped",
    "task_failed",
    "viewer_fault",
}
"""Events that no death explains; that a lease ran out on a busy machine (`Fenced`) is none."""

LIFE_S = (0.05, 1.2)
"""How long the server lives after the tables have gone on."""

MOVED_ON = 4
"""Frames that each table tells before the next life is measured."""

MOVE_ON_S = 120

CLOSED_MIN = 4
"""Hands that must have closed: how many do between the deaths depends on the machine."""

SETTINGS = {
    "PAKKA_COMMIT_MS": "1500",
    "PAKKA_REVEAL_MS": "1500",
    "PAKKA_RESHUFFLE_MS": "1000",
    "PAKKA_RESULT_MS": "50",
    "PAKKA_LEASE_MS": "1000",
    "PAKKA_PRACTICE_BOTS": "3",
    "PAKKA_BOT_PACE_MS": "15",
    "PAKKA_LOG_FORMAT": "json",
}
TABLE = {"seats": SEATS, "min_players": 2, "rate": 10_000, "turn_ms": 8_000}


class Company:
    """The clients of both tables, and whatever ended any of them."""

    def __init__(self, served: Served, random: Random, folder: Path) -> None:
        self.recorder = Recorder()
        self.clients: list[Client] = []
        self._served = served
        self._random = random
        self._folder = folder
        self._tasks: list[asyncio.Task[None]] = []

    async def seat(self, table: str, name: str) -> None:
        """Let a new guest sit down and stay."""
        client = make_survivor(
            self._served.url,
            await new_guest(self._served.url, name),
            folder=self._folder / name,
            random=Random(self._random.random()),
            recorder=self.recorder,
        )
        self.clients.append(client)
        self._tasks += [
            asyncio.create_task(client.run(), name=f"{name} runs"),
            asyncio.create_task(stay(client, table), name=f"{name} stays"),
        ]

    def raise_what_ended(self) -> None:
        """Nobody may end by itself: a client that caught the server has raised `Cheated`."""
        for task in self._tasks:
            if task.done():
                task.result()
                raise AssertionError(f"{task.get_name()} has ended")

    async def until_moved_on(self, tables: Sequence[str], frames: int) -> None:
        """Wait until each table has told some frames more."""
        wanted = {table: self.recorder.told[table] + frames for table in tables}
        deadline = time.monotonic() + MOVE_ON_S
        while late := [table for table in tables if self.recorder.told[table] < wanted[table]]:
            self.raise_what_ended()
            assert time.monotonic() < deadline, f"tables {late} stand still: {self._views()}"
            await asyncio.sleep(0.02)

    async def until_closed(self, hands: int) -> None:
        """Wait until so many hands were seen to close, on all tables together."""
        deadline = time.monotonic() + MOVE_ON_S
        while sum(map(len, self.recorder.closed.values())) < hands:
            self.raise_what_ended()
            assert time.monotonic() < deadline, f"too few hands close: {self._views()}"
            await asyncio.sleep(0.02)

    def _views(self) -> str:
        """Describe how each client sees its table, for a failure's text."""
        views = []
        for client in self.clients:
            for watch in client.tables.values():
                hand = watch.hand
                shown = (hand.phase, hand.attempt, hand.turn, hand.turn_seats, hand.waiting)
                views.append(f"{client.name} seq {watch.seq} seat {watch.seating.me}: {shown}")
        return "\n".join(views)

    async def go_home(self) -> None:
        """Stop every client; the seats stay."""
        self.raise_what_ended()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _die_and_come_back(
    served: Served, company: Company, tables: Sequence[str], random: Random
) -> None:
    for number in range(KILLS):
        await company.until_moved_on(tables, MOVED_ON)
        life_s = random.uniform(*LIFE_S)
        await asyncio.sleep(life_s)
        with_database = number % 3 == 2
        served.kill(with_database=with_database)
        began = time.monotonic()
        await asyncio.to_thread(served.start)
        print(
            f"death {number + 1}: after {life_s:.3f} s"
            f"{', PostgreSQL too' if with_database else ''},"
            f" back after {time.monotonic() - began:.1f} s"
        )


async def _assert_all(home: Path, company: Company, table: str) -> None:
    """Read the house as it lies there; nothing runs but its PostgreSQL."""
    recorder = company.recorder
    signer = SigningKey.from_file(home)
    parts = Parts(
        signer=signer,
        log_signer=LogSigner.from_file(home, "localhost/fairdeal-1"),
        sealer=Sealer.from_file(home),
        clocks=Clocks(),
    )
    async with AsyncExitStack() as stack:
        postgres = await asyncio.to_thread(EmbeddedPostgres.start, home)
        stack.push_async_callback(asyncio.to_thread, postgres.stop)
        database = Database(postgres.url, pool_size=2)
        stack.push_async_callback(database.close)
        await reckoning.assert_every_promise_was_kept(database, recorder)
        await reckoning.assert_each_move_was_made_once(database, recorder, table)
        await reckoning.assert_journals_are_dense(database)
        await reckoning.assert_each_hand_ended_once(database)
        await reckoning.assert_tokens_only_moved(database, {signer.public})
        await reckoning.assert_the_log_tells_the_same(database, recorder, signer.public)
        records = await reckoning.assert_every_record_verifies(database, parts)
    print(f"{len(recorder.acked)} commands acknowledged, {records} records verified")
    assert records >= CLOSED_MIN


def _assert_nobody_was_cheated(served: Served) -> None:
    """The practice bots' own checks, which ran inside the server that died."""
    assert list(served.home.glob("bots/**/evidence-*.json")) == []
    lines = served.log.read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in lines if line.startswith("{")]
    bad = [one for one in events if one["event"] in FAULTS and one.get("why") != "Fenced"]
    assert bad == []


async def test_twenty_sudden_deaths_lose_nothing_and_do_nothing_twice(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(connection, "BACK_OFF_MAX_MS", 400)  # so that the test is not all waiting
    seed = secrets.randbelow(2**32)
    print(f"seed {seed}")
    random = Random(seed)
    with home_folder() as home:
        served = Served(home, SETTINGS)
        try:
            await asyncio.to_thread(served.start)
            table = str(await open_new_table(served, "Sudden", **TABLE))
            practice = str(
                await open_new_table(served, "Sudden practice", **{**TABLE, "practice": True})
            )
            company = Company(served, random, tmp_path)
            for number in range(SEATS):
                await company.seat(table, f"guest-{number}")
            await company.seat(practice, "alone")
            await _die_and_come_back(served, company, (table, practice), random)
            await wait_for_table(served, table)
            await company.until_moved_on((table, practice), 40)
            await company.until_closed(CLOSED_MIN)
            await company.go_home()
        finally:
            await asyncio.to_thread(served.stop)
        _assert_nobody_was_cheated(served)
        assert company.recorder.given_back, "no time was given back"
        for frame in company.recorder.given_back:
            assert frame["d"]["ms"] > 0
            assert frame["d"]["deadline"] > frame["now"] - int(SETTINGS["PAKKA_LEASE_MS"])
        await _assert_all(home, company, table)
