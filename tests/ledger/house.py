"""Short words for what the ledger's tests do all the time, each in a transaction of its own."""

from collections.abc import Coroutine, Iterable, Mapping
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from server.database import Database, HandId, PlayerId, TableId
from server.errors import Refusal
from server.ledger import audit, service
from server.ledger.accounts import Balance
from server.ledger.service import Settlement, Voided

HT = 1_000_000
WELCOME = 10_000 * HT
STAKE = 130 * HT
TABLE = TableId(UUID(int=7))
BPS = 1_000


def people(count: int, first: int = 1) -> list[PlayerId]:
    """Number some players."""
    return [PlayerId(number) for number in range(first, first + count)]


async def open_accounts(
    database: Database, players: Iterable[PlayerId], welcome: int = WELCOME
) -> None:
    """Open an account for each player."""
    async with database.transaction() as tx:
        for player in players:
            await service.open_player_account(tx, player, welcome_micro=welcome)


async def balance(database: Database, player: PlayerId) -> Balance:
    """Tell what a player has."""
    async with database.transaction() as tx:
        return await service.balance_of(tx, player)


async def hold(
    database: Database,
    hand: int,
    players: Iterable[PlayerId],
    stake: int = STAKE,
    bps: int = BPS,
) -> bool:
    """Hold the same stake of each player."""
    async with database.transaction() as tx:
        return await service.hold_hand(
            tx,
            hand_id=HandId(hand),
            table_id=TABLE,
            seats=dict.fromkeys(players, stake),
            commission_bps=bps,
        )


async def settle(
    database: Database, hand: int, winner: PlayerId, payments: Mapping[PlayerId, int]
) -> Settlement:
    """Pay a hand out."""
    async with database.transaction() as tx:
        return await service.settle_hand(tx, hand_id=HandId(hand), winner=winner, payments=payments)


async def void(database: Database, hand: int, reason: str = "lost") -> Voided:
    """Void a hand."""
    async with database.transaction() as tx:
        return await service.void_hand(tx, hand_id=HandId(hand), reason=reason)


async def issue(database: Database, player: PlayerId, amount: int, key: str = "k") -> int:
    """Issue tokens to a player."""
    async with database.transaction() as tx:
        return await service.issue(
            tx, player, amount_micro=amount, key=key, reason="prize", actor="Meera"
        )


async def withdraw(database: Database, player: PlayerId, amount: int, key: str = "k") -> int:
    """Withdraw tokens of a player."""
    async with database.transaction() as tx:
        return await service.withdraw(
            tx, player, amount_micro=amount, key=key, reason="mistake", actor="Meera"
        )


async def reverse(database: Database, entry: int) -> int:
    """Reverse an entry."""
    async with database.transaction() as tx:
        return await service.reverse(tx, entry, reason="wrong", actor="Meera")


async def broken(database: Database) -> list[str]:
    """Name the invariants that don't hold."""
    async with database.transaction() as tx:
        return [found.name for found in await audit.check(tx) if not found.holds]


async def refused(work: Coroutine[Any, Any, Any]) -> str:
    """Run what must be refused and return the code."""
    with pytest.raises(Refusal) as caught:
        await work
    return caught.value.code


async def as_owner(url: str, *statements: str) -> list[Any]:
    """Run statements as the owner of the tables; the rows of the last."""
    connection = await asyncpg.connect(url)
    try:
        rows: list[Any] = []
        for statement in statements:
            rows = await connection.fetch(statement)
        return rows
    finally:
        await connection.close()
