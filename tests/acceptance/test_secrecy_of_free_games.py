"""Seep and Court Piece on real sockets: the cards of a later deal are nowhere before its choice."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import pytest

from server.bots.client import Client, Move
from server.bots.run import Bot
from server.bots.table_watch import TableWatch
from server.cards.pack import Pack
from server.database import Database
from server.fairness.seal import Sealer
from server.fairness.signing import SigningKey
from tests.acceptance.dumps import Dump, check_dump, take_dump
from tests.acceptance.known_free import KnownCourtPiece, KnownFree, KnownSeep
from tests.acceptance.needles import Needles, demand_nothing_secret
from tests.acceptance.receiver import Receiver
from tests.acceptance.served import Served, new_guest, open_new_table, serving
from tests.acceptance.truth import Truth, learn_truth
from tests.acceptance.wiretap import Tap, tapped

PACK = Pack(1, 0)
PLAY_S = 200
SETTINGS = {
    "PAKKA_COMMIT_MS": "60000",
    "PAKKA_REVEAL_MS": "60000",
    "PAKKA_RESULT_MS": "100",
    "PAKKA_PRACTICE_BOTS": "0",
    "PAKKA_LOG_LEVEL": "debug",
    "PAKKA_LOG_FORMAT": "text",
}
KNOWS: Mapping[str, type[KnownFree]] = {"seep": KnownSeep, "court_piece": KnownCourtPiece}


class Deliberate(Bot):
    """A bot that plays on when it is told to, so that what is stored meanwhile can be read."""

    def __init__(self, random: Random) -> None:
        super().__init__(random, 0)
        self.may_go = asyncio.Event()
        self.is_due = asyncio.Event()
        self.goes_on = False

    async def choose(self, watch: TableWatch) -> Move | None:
        """Say that it is due, and wait; once told to go on it waits no more."""
        self.is_due.set()
        await self.may_go.wait()
        if not self.goes_on:
            self.may_go.clear()
        return await super().choose(watch)


@dataclass
class Table:
    """A table whose players and spectator are tapped."""

    id: str
    served: Served
    clients: list[Client]
    bots: list[Deliberate]
    taps: list[Tap]
    dumps: list[Dump]

    async def until_due(self) -> None:
        """Wait until somebody is to decide."""
        waits = [asyncio.create_task(bot.is_due.wait()) for bot in self.bots]
        async with asyncio.timeout(PLAY_S):
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in waits:
            task.cancel()

    async def decide(self) -> None:
        """Read everything that is stored, and a newcomer's snapshot; then let one decision by."""
        await self.until_due()
        self.dumps.append(await take_dump(self.served.database_url))
        await asyncio.gather(*(client.watch(self.id) for client in self.clients))
        (bot,) = (bot for bot in self.bots if bot.is_due.is_set())
        bot.is_due.clear()
        bot.may_go.set()


async def _seat(stack: AsyncExitStack, served: Served, game: str) -> Table:
    table = str(await open_new_table(served, game, game, seats=4, turn_ms=120_000))
    made = Table(table, served, [], [], [], [])
    for name in ("spectator", "Asha", "Bimal", "Chitra", "Dev"):
        tap = await stack.enter_async_context(tapped(name, served.port))
        bot = Deliberate(Random(name))
        client = Client(tap.url, await new_guest(served.url, name), bot)
        task = asyncio.create_task(client.run())
        stack.callback(task.cancel)
        made.clients.append(client)
        made.taps.append(tap)
        if name == "spectator":
            await client.watch(table)
        else:
            made.bots.append(bot)
            await client.sit(table, len(made.bots) - 1)
    return made


async def _play_a_hand(table: Table) -> None:
    """Look closely at four decisions, across the deal's second part; the rest goes by itself."""
    for _ in range(4):
        await table.decide()
    for bot in table.bots:
        bot.goes_on = True
        bot.may_go.set()
    spectator = table.clients[0]
    overs = spectator.tables[table.id].hand.overs
    before = len(overs)  # Seep may have dealt anew: a hand that closed before anybody decided
    async with asyncio.timeout(PLAY_S):
        await spectator.until(lambda: any(over.end == "closed" for over in overs[before:]))


def _listen(table: Table, truth: Truth, needles: Needles, game: str) -> list[Receiver]:
    """Judge every frame of every receiver; the spectator's comes first."""
    receivers = []
    for place, tap in enumerate(table.taps):
        receiver = Receiver(
            tap.name,
            {} if place == 0 else {table.id: place - 1},
            pack=PACK,
            cards_of=lambda *of: partial(truth.card_at, *of),
            needles=needles,
            knows=KNOWS[game],
        )
        for heard in tap.frames():
            receiver.take(heard.frame, heard.text)
        receivers.append(receiver)
    return receivers


@pytest.mark.parametrize("game", KNOWS)
async def test_neither_socket_nor_database_nor_log_has_a_card_before_its_time(
    game: str, tmp_path: Path
) -> None:
    async with serving(SETTINGS) as served:
        async with AsyncExitStack() as stack:
            table = await _seat(stack, served, game)
            await _play_a_hand(table)
        home, told = served.home, [heard.frame for heard in table.taps[0].frames()]
        database = Database(served.database_url, pool_size=1)
        key = SigningKey.from_file(home).public
        try:
            truth = await learn_truth(database, Sealer.from_file(home), key, PACK, told)
        finally:
            await database.close()
        said = (home / "serve.log").read_text(encoding="utf-8", errors="surrogateescape")
    needles = truth.needles()
    demand_nothing_secret("serve.log", said, needles, [])
    spectator, *seats = _listen(table, truth, needles, game)
    assert [seat.due["salt"] >= 12 for seat in seats] == [True] * 4
    assert {"hand.dealt", "hand.closed"} <= spectator.seen

    def public_at(_: str, hand_no: int, seq: int) -> frozenset[str]:
        rows = spectator.history[table.id]
        return next(
            (known for at, of, known in reversed(rows) if at <= seq and of == hand_no), frozenset()
        )

    assert len(table.dumps) == 4
    assert all(check_dump(dump, needles, public_at) > 10 for dump in table.dumps)
