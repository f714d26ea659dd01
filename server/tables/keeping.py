"""What a process does all the time: renew its leases, take its share of the tables, look about."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from server.database import Database, TableId, Transaction
from server.messenger import Lost, Messenger
from server.tables import processes, service
from server.tables.faults import name_of, where
from server.tables.forwarding import Forwarding
from server.tables.mirrors import Mirrors
from server.tables.moment import Moment
from server.tables.own import Left, OwnTables
from server.tables.presences import Presences
from server.tables.processes import Process, share_of
from server.tables.service import OpenTable

RESYNC_MS: Final = 10_000
"""Time between two looks at the database's clock."""

TOPIC: Final = "free tables"
"""Says that leases were given up: whoever has room need not wait for its next look."""

HANDED_ON_MAX: Final = 8
"""Tables with people in them that are handed on in one round; empty ones go all at once."""

ROUNDS_ALONE_MAX: Final = 9
"""Rounds beside a process that can't be reached until that is said: three leases."""

SIGNAL_EVERY_MS: Final = 200
"""The least time between two rounds, however often a process is called."""

_log = structlog.get_logger(__name__)

Counter = Callable[[], int]


class Keeping:
    """The rounds of one process, a few for each time that a lease lasts."""

    def __init__(
        self,
        *,
        database: Database,
        messenger: Messenger,
        moment: Moment,
        lease_ms: int,
        own: OwnTables,
        mirrors: Mirrors,
        presences: Presences,
        forwarding: Forwarding,
    ) -> None:
        self._database = database
        self._messenger = messenger
        self._moment = moment
        self._lease_ms = lease_ms
        self._own = own
        self._mirrors = mirrors
        self._presences = presences
        self._forwarding = forwarding
        self._called = asyncio.Event()
        self._tending = asyncio.Lock()
        self._rounds: asyncio.Task[None] | None = None
        self._rounds_alone = 0
        self.count_sockets: Counter = lambda: 0
        self.alive: tuple[Process, ...] = ()

    async def start(self) -> None:
        """Take up a first share, mirror the rest, and go on in rounds.

        Errors: those of a database.
        """
        self._messenger.subscribe(TOPIC, self._hear)
        await self.tend()
        self._rounds = asyncio.create_task(self._keep(), name="keeping")

    async def stop(self) -> Left:
        """Leave the house: the commands in hand are finished, the leases given up."""
        if self._rounds is not None:
            self._rounds.cancel()
            with suppress(asyncio.CancelledError):
                await self._rounds
        with suppress(SQLAlchemyError, OSError, TimeoutError):
            await self._database.run(lambda tx: processes.leave(tx, self._messenger.owner))
        left = await self._own.stop()
        self._messenger.publish(TOPIC, b"")
        return left

    async def tend(self) -> None:
        """Take up our share of the tables that nobody holds; hand on what is beyond it.

        Errors: those of a database.
        """
        async with self._tending:
            found = await self._look()
            share = share_of(len(found), self.alive)
            for one in found:
                if one.table_id in self._own:
                    if one.close_asked is not None:
                        self._own.close(one)
                elif one.owner is None and len(self._own) < share:
                    await self._own.claim(one)
                    if await self._own.renew_if_late():
                        await self._database.run(self._beat)  # as for the leases
            await self._hand_on(len(self._own) - share)
            others = [one.table_id for one in found if one.table_id not in self._own]
            await self._mirrors.tend(others, knows=self._own.knows)

    async def _look(self) -> tuple[OpenTable, ...]:
        """Say that we live, and see which tables there are and who holds them."""
        await self._database.run(self._beat)
        found = await self._database.run(service.open_tables)
        self._forwarding.note(found)
        self._demand_a_way_to_others()
        return found

    def _demand_a_way_to_others(self) -> None:
        """Say that this process can't reach the others; one that died is listed for a lease yet."""
        is_lost = len(self.alive) > 1 and not self._messenger.reaches_others
        self._rounds_alone = self._rounds_alone + 1 if is_lost else 0
        if self._rounds_alone == ROUNDS_ALONE_MAX:
            _log.error("others_not_reached", processes=len(self.alive), why="REDIS_URL is not set")

    async def _beat(self, tx: Transaction) -> None:
        self.alive = await processes.beat(
            tx,
            self._messenger.owner,
            sockets=self.count_sockets(),
            alive_ms=self._lease_ms,
        )

    async def _hand_on(self, surplus: int) -> None:
        """Give up what another process has room for: empty tables first, and few others at once."""
        if surplus <= 0 or len(self.alive) < 2:
            return
        parted = _parted(self._own, surplus)
        _log.info("tables_handed_on", count=len(parted), of=len(self._own))
        await self._own.release(parted)
        self._messenger.publish(TOPIC, b"")

    async def _hear(self, heard: bytes | Lost) -> None:
        if not isinstance(heard, Lost):
            self._called.set()

    async def _keep(self) -> None:
        period_ms = self._lease_ms // 3
        until_resync_ms = RESYNC_MS
        while True:
            await self._wait(period_ms)
            until_resync_ms -= period_ms
            try:
                await self._own.renew()
                await self.tend()
                if until_resync_ms <= 0:
                    await self._moment.set_by(self._database)
                    until_resync_ms = RESYNC_MS
            except (SQLAlchemyError, OSError, TimeoutError) as error:
                _log.warning("keeping_failed", why=name_of(error))
            except Exception:
                # Whatever it is: without renewal every table of this process would be lost.
                _log.error("keeping_failed", where=where())
            await self._look_for_people()

    async def _look_for_people(self) -> None:
        try:
            await self._presences.look()
        except Exception:
            # Whatever it is: as above.
            _log.error("presence_failed", where=where())

    async def _wait(self, period_ms: int) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(period_ms / 1000):
                await self._called.wait()
                await asyncio.sleep(SIGNAL_EVERY_MS / 1000)
        self._called.clear()


def _parted(own: OwnTables, surplus: int) -> Sequence[TableId]:
    """Choose which tables are handed on."""
    empty = [one.state.table for one in own.actors() if not any(one.state.taken())]
    others = [one.state.table for one in own.actors() if any(one.state.taken())]
    return (empty + others[:HANDED_ON_MAX])[:surplus]
