"""Bots at the practice tables: they sit down when a person does, and get up when all have gone.

They are ordinary socket clients with the house's own secret; what they know of a table comes
through their sockets alone. Only whether a person sits there is read from the lobby.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import structlog

from server.bots.client import Client
from server.bots.run import NAMES, Bot, make_bot
from server.cancellation import end_all, let_go
from server.errors import Fault, Refusal
from server.logs import at_table
from server.tables.host import TableHost
from server.tables.summary import TableSummary

LOOK_S: Final = 0.5
LEAVE_MAX_S: Final = 5
SIT_AGAIN_S: Final = 2
STAY_S: Final = 10
"""How long bots stay when the last person has got up: often one sits down again."""

HUMAN: Final = "human"

log = structlog.get_logger("practice")


@dataclass(frozen=True, slots=True, kw_only=True)
class Staff:
    """How the bots come in and how they play. Units: `pace_ms` a move; `count` a table."""

    url: str
    secret: str
    folder: Path
    count: int
    pace_ms: int


class PracticeBots:
    """Looks after every practice table of this process."""

    def __init__(self, staff: Staff, host: TableHost) -> None:
        self._staff = staff
        self._host = host
        self._at: dict[str, list[asyncio.Task[None]]] = {}
        self._going: set[asyncio.Task[None]] = set()
        self._empty_since: dict[str, float] = {}
        self._moved: set[str] = set()
        self._is_stopping = False

    async def run(self) -> None:
        """Seat bots and let them go, until cancelled."""
        try:
            while self._staff.count:
                self._look(self._host.summaries())
                await asyncio.sleep(LOOK_S)
        finally:
            self._is_stopping = True
            tasks = [task for at_table in self._at.values() for task in at_table]
            await end_all(*tasks, *self._going)

    def _look(self, summaries: tuple[TableSummary, ...]) -> None:
        now = asyncio.get_running_loop().time()
        self._let_go({str(one.table_id) for one in summaries})
        for summary in summaries:
            if not summary.options.get("practice"):
                continue
            table = str(summary.table_id)
            if any(seat is not None and seat[1] == HUMAN for seat in summary.seats):
                self._empty_since.pop(table, None)
                self._fill(table, summary)
            elif table in self._at and now - self._empty_since.setdefault(table, now) >= STAY_S:
                self._empty_since.pop(table)
                self._dismiss(table)

    def _let_go(self, served: set[str]) -> None:
        """End the bots of tables that another process runs now: its own take their seats over."""
        self._moved = self._at.keys() - served
        for table in self._moved:
            self._dismiss(table)

    def _dismiss(self, table: str) -> None:
        """Let the bots of a table go; they get up by themselves, and are kept until they have."""
        let_go(self._going, *self._at.pop(table))

    def _fill(self, table: str, summary: TableSummary) -> None:
        """Start as many bots as the table has room for, once, and those anew that have failed."""
        running = [task for task in self._at.get(table, []) if not task.done()]
        people = sum(seat is not None and seat[1] == HUMAN for seat in summary.seats)
        wanted = min(self._staff.count, len(summary.seats) - people)
        taken = {task.get_name() for task in running}
        free = [name for name in _names(table) if name not in taken]
        missing = free[: max(0, wanted - len(running))]
        fresh = [asyncio.create_task(self._attend(table, name), name=name) for name in missing]
        self._at[table] = running + fresh

    async def _attend(self, table: str, name: str) -> None:
        """Be one bot at one table until cancelled; then get up."""
        staff = self._staff
        try:
            token = await make_bot(staff.url, name, secret=staff.secret)
        except (Fault, Refusal) as error:
            log.warning("bot_not_made", bot=name, why=str(error))
            await asyncio.sleep(STAY_S)
            return
        folder = staff.folder / name.replace(" ", "-")
        client = Client(staff.url, token, Bot(Random(), staff.pace_ms), folder=folder)  # noqa: S311 - a bot's taste, not a secret
        running = asyncio.create_task(client.run(), name=f"{name} at {table}")
        staying = asyncio.create_task(_stay(client, table))
        try:
            await asyncio.wait([running, staying], return_when=asyncio.FIRST_COMPLETED)
            _log_end(name, table, running)
        except asyncio.CancelledError:
            if self._is_stopping or table in self._moved:
                raise  # the house restarts: the seat is kept, and the hand goes on
            with suppress(Refusal, TimeoutError, Fault):
                async with asyncio.timeout(LEAVE_MAX_S):
                    await client.leave(table)
            raise
        finally:
            await end_all(staying, running)


async def _stay(client: Client, table: str) -> None:
    """Sit, and sit again whenever the seat is lost, until the table closes."""
    watch = await client.watch(table)
    while not watch.is_closed:
        await client.until(lambda: not watch.needs_snapshot)
        if watch.seating.me is None:
            with suppress(Refusal):
                await client.sit(table)
            await asyncio.sleep(SIT_AGAIN_S)
        else:
            await client.until(lambda: watch.is_closed or watch.seating.me is None)


def _names(table: str) -> list[str]:
    """Name the bots of a table: each has one socket, so no two tables share one."""
    return [f"{name} {table[:4]}" for name in NAMES]


def _log_end(name: str, table: str, running: asyncio.Task[None]) -> None:
    error = running.exception() if running.done() else None
    if error is not None:
        log.error("bot_ended", **at_table(table), bot=name, exc_info=error)
