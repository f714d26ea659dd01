"""Clients that live through the server's deaths, and a recorder of what it promised them."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from server.bots.client import Client
from server.bots.run import Bot
from server.bots.table_watch import TableWatch

Frame = Mapping[str, Any]

STAY_S = 0.3


class Acked(NamedTuple):
    """A command that the server said is done."""

    table: str
    id: str
    t: str
    seq: int


class Root(NamedTuple):
    """An epoch of a deal, as a client was told of it."""

    table: str
    hand_no: int
    attempt: int
    epoch: int


class Recorder:
    """What the clients were promised, over all lives of the server."""

    def __init__(self) -> None:
        self.acked: dict[tuple[str, str], Acked] = {}
        self.plays: set[str] = set()
        self.roots: dict[Root, set[str]] = defaultdict(set)
        self.given_back: list[Frame] = []
        self.told: dict[str, int] = defaultdict(int)
        self.closed: dict[str, set[int]] = defaultdict(set)

    def replied(self, sent: Frame, reply: Frame) -> None:
        """Keep an `ok`; the same command must always get the same one."""
        acked = Acked(sent["table"], sent["id"], sent["t"], reply["seq"])
        known = self.acked.setdefault((acked.table, acked.id), acked)
        assert known == acked, f"one command, two answers: {known}, {acked}"

    def heard(self, frame: Frame) -> None:
        """Note what a frame says of packs, of time, and of the table's life."""
        table = frame["table"]
        self.told[table] += 1
        d = frame["d"]
        if frame["t"] == "snapshot":
            if d["hand"] is not None and "heads" in d["hand"]:
                for epoch, head in enumerate(d["hand"]["heads"]):
                    self._root(table, d["hand"], epoch, head)
        elif d is not None and d["e"] == "hand.dealt":
            self._root(table, d, 0, d)
        elif d is not None and d["e"] == "time.given_back":
            self.given_back.append(frame)
        elif d is not None and d["e"] == "hand.closed":
            self.closed[table].add(d["hand"])

    def _root(self, table: str, hand: Frame, epoch: int, head: Frame) -> None:
        self.roots[Root(table, hand["hand"], hand["attempt"], epoch)].add(head["root"])


class Listener(Bot):
    """Plays as a bot does, and tells the recorder of every frame that was checked."""

    def __init__(self, random: Random, recorder: Recorder) -> None:
        super().__init__(random, pace_ms=15)
        self._recorder = recorder

    def told(self, watch: TableWatch, frame: Frame) -> None:
        super().told(watch, frame)
        self._recorder.heard(frame)


def make_survivor(
    url: str, token: str, *, folder: Path, random: Random, recorder: Recorder
) -> Client:
    """Make a client whose socket is listened to; its seeds and pins are kept in `folder`."""
    client = Client(url, token, Listener(random, recorder), folder=folder)
    connection = client._connection
    receive, note = connection._receive, connection._on_sent

    async def received(frame: Frame, hello_id: object) -> None:
        pending = connection._pending.get(str(frame.get("re")))
        if frame["t"] == "ok" and pending is not None and pending.frame["t"] != "table.watch":
            recorder.replied(pending.frame, frame)
        await receive(frame, hello_id)

    def sent(frame: Frame) -> None:
        if frame["t"] == "play":
            recorder.plays.add(frame["id"])
        note(frame)

    connection._receive = received  # type: ignore[method-assign]  # listened to, not changed
    connection._on_sent = sent
    return client


async def stay(client: Client, table: str) -> None:
    """Sit, and sit again whenever the seat is lost, until cancelled."""
    watch = await client.sit(table)
    while True:
        await client.until(lambda: not watch.needs_snapshot and watch.seating.me is None)
        await asyncio.sleep(STAY_S)
        if watch.seating.me is None:
            await client.sit(table)
