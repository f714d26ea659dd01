"""Bots that play on for owners who are not there: each comes in by its seat's own token.

The process that owns a table starts them, and they are ordinary socket clients: what one knows of
its table comes through its socket alone, and it sees what its seat may see. When the owner is back
the token is revoked and the bot goes; until one is here, the clock plays for the seat.
"""

import asyncio
from random import Random
from typing import Final

import structlog

from server.bots.client import Client
from server.bots.run import Bot
from server.cancellation import end_all, let_go
from server.logs import at_table
from server.practice import Staff
from server.tables.host import TableHost
from server.tables.seat_tokens import SeatPass

LOOK_S: Final = 0.2
AGAIN_S: Final = 2
"""How long after a substitute that failed the next one comes."""

log = structlog.get_logger("substitutes")


class Substitutes:
    """Looks after the substituted seats at every table of this process."""

    def __init__(self, staff: Staff, host: TableHost) -> None:
        self._staff = staff
        self._host = host
        self._at: dict[SeatPass, asyncio.Task[None]] = {}
        self._going: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Bring substitutes and let them go, until cancelled."""
        try:
            while True:
                self._look(self._host.substituted())
                await asyncio.sleep(LOOK_S)
        finally:
            await end_all(*self._at.values(), *self._going)

    def _look(self, wanted: frozenset[SeatPass]) -> None:
        for seat in self._at.keys() - wanted:
            let_go(self._going, self._at.pop(seat))
        for seat in wanted - self._at.keys():
            self._at[seat] = asyncio.create_task(self._attend(seat), name=f"substitute {seat}")

    async def _attend(self, seat: SeatPass) -> None:
        """Play one seat until cancelled."""
        while True:
            try:
                await self._play(seat)
            except Exception as error:
                # Whatever hinders a substitute, the clock plays on and nobody waits for longer.
                place = at_table(seat.table)
                log.warning("substitute_ended", **place, seat=seat.seat, exc_info=error)
            await asyncio.sleep(AGAIN_S)

    async def _play(self, seat: SeatPass) -> None:
        token = await self._host.issue_seat_token(seat)
        folder = self._staff.folder / f"substitute-{seat.table}-{seat.seat}"
        bot = Bot(Random(), self._staff.pace_ms)  # noqa: S311 - a bot's taste, not a secret
        client = Client(self._staff.url, token, bot, folder=folder)
        running = asyncio.create_task(client.run(), name=f"socket of {seat}")
        watching = asyncio.create_task(client.watch(str(seat.table)))
        try:
            await asyncio.wait([running, watching], return_when=asyncio.FIRST_EXCEPTION)
        finally:
            ended = await end_all(running, watching)
        for error in ended:
            if isinstance(error, Exception):
                raise error
