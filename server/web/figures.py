"""What /metrics answers: the figures of every process of the house, whichever is asked.

Behind a proxy, and where several share one address, nobody can choose whom to ask.
"""

import asyncio
from dataclasses import asdict
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from server.errors import Fault, Refusal
from server.ledger import audit
from server.ledger import service as ledger
from server.observability.merging import merged
from server.observability.standing import LedgerStanding, Standing
from server.web.parts import Parts

KIND: Final = "figures"
ANSWER_MAX_S: Final = 2
"""The wait for another process's figures; Prometheus itself has no more patience than ten."""

LEDGER_MAX_S: Final = 1
"""The wait for the database's figures, which the others' answers have to wait for."""


def answer_for_figures(parts: Parts) -> None:
    """Tell other processes our figures from now on, when they are asked for them."""

    async def answer(_: bytes) -> bytes:
        return await _own(parts)

    parts.host.messenger.serve(KIND, answer)


async def figures_of_the_house(parts: Parts) -> bytes:
    """Write the figures of all living processes, as far as they answer."""
    me = parts.host.messenger.owner
    owners = {me, *(process.owner for process in parts.host.processes())}
    names = sorted(owners)
    texts = await asyncio.gather(
        *(_own(parts) if owner == me else _of(parts, owner) for owner in names)
    )
    return merged(dict(zip(names, texts, strict=True)))


async def _of(parts: Parts, owner: str) -> bytes | None:
    try:
        return await parts.host.messenger.call(owner, KIND, b"", timeout_s=ANSWER_MAX_S)
    except (Refusal, Fault):
        return None


async def _own(parts: Parts) -> bytes:
    """Write our own. A database that is down is one of them, and hides no other."""
    in_use = parts.database.in_use  # before we take one ourselves
    ledger_standing = await _ledger_standing(parts)
    tables = parts.host.summaries()
    return parts.metrics.text(
        Standing(
            sockets=parts.gateway.open_count,
            outbox_frames=parts.gateway.depth,
            tables=len(tables),
            seats_taken=sum(seat is not None for table in tables for seat in table.seats),
            connections=in_use,
            connections_max=parts.database.pool_size,
            lag_ms=parts.strain.lag_ms,
            is_overloaded=parts.strain.is_over,
            messenger=asdict(parts.carried),
            ledger=ledger_standing,
        )
    )


async def _ledger_standing(parts: Parts) -> LedgerStanding | None:
    """Ask the ledger, for as long as whoever asks us has patience; None if it can't be asked."""
    try:
        async with asyncio.timeout(LEDGER_MAX_S), parts.database.transaction() as tx:
            holds = len(await ledger.open_holds(tx))
            checked = await audit.find_last(tx)
    except (SQLAlchemyError, OSError, TimeoutError):
        return None
    return LedgerStanding(
        holds=holds,
        invariants={one.name: one.holds for one in checked.invariants} if checked else {},
        checked_at_s=checked.at.timestamp() if checked else None,
    )
