"""Commands for tables that another process runs: carried to it, and again if the table moves.

A command has its player's own id, and the answer is stored with what it did: carried twice, it is
done once. So whoever gets no answer may ask again, and the same goes for whoever runs the table by
then.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from time import monotonic
from typing import Final

from server.database import Database, TableId
from server.errors import Refusal
from server.messenger import Messenger
from server.tables import service
from server.tables.carried import GameOf, decode_reply, decode_request, encode_reply, encode_request
from server.tables.commands import Reply, Request
from server.tables.service import OpenTable

KIND: Final = "command"
AGAIN_MS: Final = 200
"""The wait before a command is carried again: its table is between two owners."""

ANSWER_MAX_S: Final = 5
"""The wait for an owner's answer; after that it may be dead."""

BETWEEN: Final = frozenset({"table_moved", "busy"})
"""What is answered while a table moves, or by nobody: the next answer may be another."""

Obey = Callable[[TableId, Request], Awaitable[Reply]]
"""Has a table that is run here carry a command out; Refusal("table_moved") if it isn't."""


class Forwarding:
    """Knows who runs which table, and carries commands there."""

    def __init__(
        self, *, database: Database, messenger: Messenger, patience_ms: int, obey: Obey
    ) -> None:
        self._database = database
        self._messenger = messenger
        self._patience_ms = patience_ms
        self._obey = obey
        self._owners: dict[TableId, str] = {}

    def start(self, game_of: GameOf) -> None:
        """Answer from now on what other processes carry here."""

        async def answer(body: bytes) -> bytes:
            table, request = decode_request(body, game_of)
            return encode_reply(await self._obey(table, request))

        self._messenger.serve(KIND, answer)

    def note(self, tables: Iterable[OpenTable]) -> None:
        """Note who runs which table just now."""
        self._owners = {one.table_id: one.owner for one in tables if one.owner is not None}

    def owner_of(self, table: TableId) -> str | None:
        """Tell who ran a table when we last looked."""
        return self._owners.get(table)

    async def send(self, table: TableId, request: Request) -> Reply:
        """Have a table carry a command out, wherever it is run; while it moves, wait.

        Errors: Refusal("busy") if nobody runs it for too long; Refusal of the table's own door.
        """
        until = monotonic() + self._patience_ms / 1000
        while True:
            try:
                return await self._once(table, request)
            except Refusal as refusal:
                if refusal.code not in BETWEEN:
                    raise
                if monotonic() >= until:
                    raise Refusal("busy", refusal.text) from None
            self._owners.pop(table, None)
            await asyncio.sleep(AGAIN_MS / 1000)

    async def _once(self, table: TableId, request: Request) -> Reply:
        owner = self._owners.get(table) or await self._find_owner(table)
        if owner == self._messenger.owner:
            return await self._obey(table, request)
        body = encode_request(table, request)
        return decode_reply(await self._messenger.call(owner, KIND, body, timeout_s=ANSWER_MAX_S))

    async def _find_owner(self, table: TableId) -> str:
        found = await self._database.run(lambda tx: service.get_table(tx, table))
        if found.owner is None:
            raise Refusal("table_moved", "the table is moving to another process")
        self._owners[table] = found.owner
        return found.owner
