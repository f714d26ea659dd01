"""What runs by the clock, each a function that can be called: sweeper, sealer, nightly check, rest.

Owns:     the periods; every job is bounded, logged, and harmless when it is run twice.
Promises: a job that fails is logged and runs again at its next time; it stops nothing else.
Imports:  `tables` and everything below; nothing of web.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import structlog

from server.database import Database
from server.errors import Refusal
from server.fairness.signing import SigningKey
from server.identity import answers
from server.identity import service as identity
from server.ledger import audit
from server.ledger import service as ledger
from server.ledger.service import OpenHold
from server.logs import at_table
from server.sealing.check import check_all
from server.sealing.sealer import seal_all
from server.tables import journal
from server.tables import service as tables

SWEEP_MAX: Final = 100
"""Hands that one sweep voids; what is left waits for the next."""

ORPHAN_MS: Final = 60_000
"""A table whose lease ran out so long ago has no live owner."""

SWEPT: Final = "expired: its table had no owner"
NIGHT: Final = time(3, 30)
"""When the nightly jobs run, in the settings' time zone."""

log = structlog.get_logger("jobs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Periods:
    """When jobs run. Units: `.._ms` milliseconds, `reply_days` days that answers are kept."""

    sweep_ms: int
    seal_ms: int
    reply_days: int
    time_zone: str


async def run(
    database: Database, periods: Periods, signer: SigningKey, keys: Collection[bytes]
) -> None:
    """Run every job at its time, until cancelled.

    Shape: `signer` signs the seals; `keys` are the public keys that seals may be signed by.
    """
    zone = ZoneInfo(periods.time_zone)

    async def night() -> None:
        await check_ledger(database, keys)
        await forget(database, days=periods.reply_days)

    async with asyncio.TaskGroup() as group:
        group.create_task(
            _repeat("sweep", lambda: sweep(database), lambda: periods.sweep_ms / 1000)
        )
        group.create_task(
            _repeat("seal", lambda: seal_all(database, signer), lambda: periods.seal_ms / 1000)
        )
        group.create_task(_repeat("night", night, lambda: seconds_to_night(datetime.now(zone))))


async def sweep(database: Database, *, orphan_ms: int = ORPHAN_MS) -> int:
    """Void the holds that expired and whose table no process runs; tells how many."""
    expired = [hold for hold in await database.run(ledger.open_holds) if hold.is_expired]
    if not expired:
        return 0
    orphans = frozenset(
        await database.run(lambda tx: tables.tables_without_owner(tx, for_ms=orphan_ms))
    )
    lost = [hold for hold in expired if hold.table_id in orphans][:SWEEP_MAX]
    for hold in lost:
        await _void(database, hold)
    return len(lost)


async def check_ledger(database: Database, keys: Collection[bytes]) -> bool:
    """State every invariant of the ledger with its figures, and keep them; False if one fails."""
    async with database.transaction() as tx:
        found = await check_all(tx, keys)
    for one in found:
        write = log.info if one.holds else log.error
        write("invariant", name=one.name, holds=one.holds, **dict(one.figures))
    await database.run(lambda tx: audit.keep(tx, found))
    return all(one.holds for one in found)


async def forget(database: Database, *, days: int) -> int:
    """Drop stored replies older than `days` and sign-ins that ended longer ago; tells how many."""
    replies = await database.run(lambda tx: journal.forget_replies(tx, days=days))
    answered = await database.run(lambda tx: answers.forget_old_answers(tx, days=days))
    sign_ins = await database.run(lambda tx: identity.forget_old(tx, days=days))
    log.info("forgotten", replies=replies, answers=answered, sign_ins=sign_ins)
    return replies + answered + sign_ins


def seconds_to_night(now: datetime) -> float:
    """Derive how long it is until the next `NIGHT`; `now` knows its time zone."""
    tonight = datetime.combine(now.date(), NIGHT, now.tzinfo)
    following = tonight if now < tonight else tonight + timedelta(days=1)
    return max(1.0, following.timestamp() - now.timestamp())


async def _void(database: Database, hold: OpenHold) -> None:
    try:
        outcome = await database.run(
            lambda tx: ledger.void_hand(tx, hand_id=hold.hand_id, reason=SWEPT)
        )
        place = at_table(hold.table_id, hand=hold.hand_id)
        log.warning("swept", **place, outcome=outcome.value)
    except Refusal as refusal:
        place = at_table(hold.table_id, hand=hold.hand_id)
        log.error("sweep_refused", **place, code=refusal.code)


async def _repeat(
    name: str, work: Callable[[], Awaitable[object]], seconds: Callable[[], float]
) -> None:
    while True:
        await asyncio.sleep(seconds())
        try:
            await work()
        except Exception:
            log.exception("job_failed", job=name)
