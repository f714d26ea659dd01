"""Waiting for a table that is between two owners, or behind what was told of it elsewhere."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from server.database import Database, TableId
from server.errors import Refusal
from server.tables import journal
from server.tables.mirrors import Mirrors
from server.tables.state import TableState

LOOK_AGAIN_S: Final = 0.05
"""The rest between two looks at a table that is between two owners."""

StateOf = Callable[[TableId], TableState]
"""Gives a table's state as it is known here, or refuses."""


class Settling:
    """Waits, for a while, until a table can be looked at from this process."""

    def __init__(
        self, database: Database, mirrors: Mirrors, state_of: StateOf, *, patience_ms: int
    ) -> None:
        self._database = database
        self._mirrors = mirrors
        self._state_of = state_of
        self._patience_ms = patience_ms

    async def settle(self, table: TableId) -> None:
        """Wait until a table has a state here. Errors: as `TableHost.settle`."""
        await self._until(table, lambda state: True)

    async def settle_at_head(self, table: TableId) -> None:
        """Wait until a table is known here as far as anybody can have been told of it.

        Who saw more through another process, which may have died since, would take less for a lie;
        and an owner that slept through its lease knows less, until it hears that it has lost it.

        Errors: as `TableHost.settle`; Refusal("busy") if the database does not answer.
        """
        await self.settle(table)
        try:
            found = await self._database.run(lambda tx: journal.reached(tx, [table]))
        except (SQLAlchemyError, OSError, TimeoutError):
            raise Refusal("busy", "the house is busy: try again") from None
        reached = found.get(table)
        if reached is None:
            return

        def is_there(state: TableState) -> bool:
            if state.stream == reached.stream and state.seq >= reached.seq:
                return True
            if (mirror := self._mirrors.find(table)) is not None:
                mirror.check(reached)
            return False

        await self._until(table, is_there)

    async def _until(self, table: TableId, holds: Callable[[TableState], bool]) -> None:
        until = monotonic() + self._patience_ms / 1000
        while True:
            try:
                if holds(self._state_of(table)):
                    return
                behind = Refusal("busy", "the table is being taken up again: try again")
            except Refusal as refusal:
                if refusal.code != "busy":
                    raise
                behind = refusal
            if monotonic() >= until:
                raise behind
            await asyncio.sleep(LOOK_AGAIN_S)
