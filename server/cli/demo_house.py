"""The house of a demo: a real server in a process of its own, on a database that is deleted."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Final, TypeVar

from server.bots.close_checks import HandOver
from server.bots.run import run_bots
from server.cancellation import end_all
from server.cli.http import ask
from server.database import Database, TableId, Transaction
from server.embedded import find_running
from server.errors import Fault, Refusal
from server.games import GAMES
from server.secret_files import BOT_TOKEN_FILE, read_or_make_token
from server.tables.service import open_table

T = TypeVar("T")

START_S: Final = 90
STOP_S: Final = 20
TAKEN_UP_S: Final = 30
LOOK_S: Final = 0.1
HAND_S: Final = 300
"""A hand of bots takes seconds; a table that is silent for so long is stuck."""

BOTS: Final = "bots"
RESHUFFLED_SEATS: Final = 6
"""Six seats leave 26 cards to draw: bots that don't hurry reach a reshuffle, as is to be seen."""
TABLE_NAME: Final = "Demo"
RATE_MICRO: Final = 10_000

QUICK: Final = {
    "PAKKA_RESULT_MS": "0",
    "PAKKA_PRACTICE_BOTS": "0",
    "PAKKA_LOG_LEVEL": "error",
    "PAKKA_MOVES_PER_SECOND": "1000",
    "PAKKA_MOVES_BURST": "10000",
    "PAKKA_MESSAGES_PER_SECOND": "1000",
    "PAKKA_MESSAGES_BURST": "10000",
    "PAKKA_REQUESTS_PER_SECOND": "10000",
    "PAKKA_REQUESTS_BURST": "100000",
}
"""The bots think for no time, so nothing else is to wait either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a demo plays: so many hands, or so many matches of several hands."""

    game: str
    seats: int
    hands: int | None
    matches: int | None
    bot_seed: int

    def __str__(self) -> str:
        """Say for people what is played."""
        many = f"hands: {self.hands}" if self.matches is None else f"matches: {self.matches}"
        return f"{self.game}, {self.seats} seats, {many}"

    @property
    def is_free(self) -> bool:
        """Tell whether no tokens move: such games are played in matches."""
        return is_free(self.game)

    def is_played(self, overs: Sequence[HandOver]) -> bool:
        """Tell whether these hands are all that was asked for."""
        closed = [over for over in overs if over.end == "closed"]
        if self.matches is None:
            return len(closed) == self.hands
        return sum(over.match is not None and over.match.is_over for over in closed) == self.matches


def is_free(game: str) -> bool:
    """Tell whether a game is played at free tables."""
    return GAMES[game].stake_points(GAMES[game].options_type()) is None


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoHouse:
    """A running server and its database."""

    url: str
    home: Path
    database_url: str

    async def play(self, plan: Plan) -> AsyncGenerator[HandOver, None]:
        """Open a table, seat bots, and give out each hand when it ends.

        Errors: Cheated by a bot that caught something; Fault if the table gets stuck.
        """
        table = await self.run(lambda tx: _open(tx, plan))
        await self._taken_up(table)
        ended: asyncio.Queue[HandOver] = asyncio.Queue()
        playing = asyncio.create_task(
            run_bots(
                self.url,
                str(table),
                plan.seats,
                secret=read_or_make_token(self.home, BOT_TOKEN_FILE),
                hands=plan.hands,
                matches=plan.matches,
                seed=plan.bot_seed,
                folder=self.home / BOTS,
                on_over=ended.put_nowait,
                is_careless=plan.seats == RESHUFFLED_SEATS and not plan.is_free,
            )
        )
        try:
            overs: list[HandOver] = []
            while not plan.is_played(overs):
                overs.append(await _next(ended, playing))
                yield overs[-1]
            await playing
        finally:
            await end_all(playing)

    def keep_evidence(self, folder: Path) -> str:
        """Copy what bots have seen of a cheat out of the house, which is deleted; its names."""
        files = sorted((self.home / BOTS).glob("*/evidence-*.json"))
        return ", ".join(str(shutil.copy(file, folder)) for file in files)

    async def _taken_up(self, table: TableId) -> None:
        """Wait until the server runs the table."""
        for _ in range(int(TAKEN_UP_S / LOOK_S)):
            with suppress(Refusal):
                await ask(self.url, f"/api/v1/tables/{table}")
                return
            await asyncio.sleep(LOOK_S)
        raise Fault(f"the server has not taken the table up within {TAKEN_UP_S} s")

    async def run(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Do `work` in one transaction of the server's own database."""
        database = Database(self.database_url, pool_size=2)
        try:
            return await database.run(work)
        finally:
            await database.close()


async def _next(ended: asyncio.Queue[HandOver], playing: asyncio.Task[object]) -> HandOver:
    """Wait for the next end; a failure of the bots comes first."""
    waiting = asyncio.create_task(ended.get())
    done, _ = await asyncio.wait(
        [waiting, playing], timeout=HAND_S, return_when=asyncio.FIRST_COMPLETED
    )
    if waiting in done:
        return waiting.result()
    waiting.cancel()
    if playing in done:
        playing.result()
        return ended.get_nowait()
    raise Fault(f"no hand ended within {HAND_S} s")


async def _open(tx: Transaction, plan: Plan) -> TableId:
    options = {"seats": plan.seats, "practice": True}
    if not plan.is_free:
        options |= {"min_players": plan.seats, "rate": RATE_MICRO}
    return await open_table(tx, game=plan.game, options=options, name=TABLE_NAME)


@contextmanager
def demo_house() -> Iterator[DemoHouse]:
    """Run `pakka serve` on a fresh folder and an embedded database; delete both afterwards.

    Errors: Fault if it does not start.
    """
    home = Path(tempfile.mkdtemp(prefix="pakka-demo-"))
    if os.geteuid() == 0:
        home.chmod(0o711)  # the database's own user passes through
    try:
        with _serving(home) as url:
            database_url = find_running(home)
            if database_url is None:
                raise Fault("the server of the demo has no database")
            yield DemoHouse(url=url, home=home, database_url=database_url)
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def _serving(home: Path) -> Iterator[str]:
    kept = {key: value for key, value in os.environ.items() if not _is_setting(key)}
    environment = {**kept, **QUICK, "PAKKA_HOME": str(home)}
    command = [sys.executable, "-m", "server.cli", "serve", "--port", "0", "--json"]
    errors = home / "serve.log"
    with errors.open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - our own program with our own arguments
            command, stdout=subprocess.PIPE, stderr=log, env=environment, text=True
        )
    try:
        yield _address(process, errors)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert process.stdout is not None
        process.stdout.close()


def _is_setting(key: str) -> bool:
    return key.startswith("PAKKA_") or key in {"DATABASE_URL", "REDIS_URL"}


def _address(process: "subprocess.Popen[str]", errors: Path) -> str:
    """Wait for the line that says where the server is."""
    assert process.stdout is not None
    watchdog = Timer(START_S, process.kill)
    watchdog.start()
    try:
        line = process.stdout.readline()
    finally:
        watchdog.cancel()
    if not line:
        said = errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        raise Fault(f"the server of the demo does not start: {said[-1] if said else 'no word'}")
    url: str = json.loads(line)["url"]
    return url
