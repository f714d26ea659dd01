"""Guests at a table whose hand goes as it is written here, whatever the cards are."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from random import Random

from server.bots.client import Client
from tests.acceptance.script import Plan, Scripted, drops
from tests.acceptance.served import new_guest

NAMES = ("Asha", "Bimal", "Chitra", "Dev")

PATIENT = {
    "PAKKA_COMMIT_MS": "60000",
    "PAKKA_REVEAL_MS": "60000",
    "PAKKA_RESULT_MS": "120000",
}
"""Clocks that no slow machine runs into; no second hand begins while a test looks at the first."""

PATIENT_FIELDS = {name.removeprefix("PAKKA_").lower(): int(ms) for name, ms in PATIENT.items()}
"""The same for a house in the test's own process."""


@asynccontextmanager
async def seated(url: str, table: str, tokens: Sequence[str], plan: Plan) -> AsyncIterator[Client]:
    """Let guests sit at a table and play by one plan while the body runs; gives the first one."""
    async with asyncio.TaskGroup() as group:
        clients = [Client(url, token, Scripted(Random(token), plan)) for token in tokens]
        running = [group.create_task(client.run()) for client in clients]
        try:
            for client in clients:
                await client.sit(table)
            yield clients[0]
        finally:
            for task in running:
                task.cancel()


async def play_dropped_hand(url: str, table: str) -> list[str]:
    """Play a hand at a table for four in which each drops at its turn, so that the last one wins.

    Shape: the tokens of the guests, in the order of their seats.
    """
    tokens = [await new_guest(url, name) for name in NAMES]
    async with seated(url, table, tokens, drops) as client:
        watch = client.tables[table]
        await client.until(lambda: bool(watch.hand.overs))
        assert watch.hand.overs[0].end == "closed"
    return tokens


def is_silent(*_: object) -> None:
    """Play nothing: the clock has the turn."""
