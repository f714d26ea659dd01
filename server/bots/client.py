"""A player that is a program: one socket, some tables, every check, and somebody who chooses."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

from server.bots.connection import PASSING, Connection
from server.bots.evidence import Cheated, Evidence
from server.bots.form import bytes_of, text_of
from server.bots.proofs import Proofs
from server.bots.server_keys import ServerKeys
from server.bots.table_watch import Place, TableWatch
from server.bots.vault import Vault
from server.cancellation import end_all, to_the_end
from server.errors import Refusal

ASK_AGAIN_S: Final = 0.5
"""How long a proof that could not be had is waited for; without it nothing is committed."""

TRIES: Final = 5
"""How often a refused move is chosen anew; after that the clock plays."""

Frame = Mapping[str, Any]
Move = dict[str, Any]


class Chooser(Protocol):
    """Who plays: a policy, or a person at a terminal."""

    async def choose(self, watch: TableWatch) -> Move | None:
        """Choose a move, as `play` has it; None if there is none to make any more.

        Called for each decision, and cancelled when the decision is over.
        """

    def told(self, watch: TableWatch, frame: Frame) -> None:
        """Hear of a frame, after it was checked."""

    def refused(self, watch: TableWatch, refusal: Refusal) -> None:
        """Hear that the server refused what this client sent."""


class Client:
    """Keeps one player at its tables.

    Shape:    `url` is the server's HTTP address; with a `folder`, seeds, pins and evidence survive.
              `on_line` hears that the line is lost, False, and that it is back, True.
    Promises: nothing is sent after the first check that fails; `run` then raises `Cheated`.
    """

    def __init__(
        self,
        url: str,
        token: str,
        chooser: Chooser,
        *,
        folder: Path | None = None,
        server_key: bytes | None = None,
        log_key: str | None = None,
        with_seed: bool = True,
        on_line: Callable[[bool], None] = lambda is_back: None,
    ) -> None:
        self.url = url.rstrip("/")
        self.tables: dict[str, TableWatch] = {}
        self.name = ""
        self._chooser = chooser
        self._folder = folder
        self._vault = Vault(folder)
        self._with_seed = with_seed
        self._evidence = Evidence(folder)
        self._proofs = Proofs(self.url, self._vault, log_key=log_key)
        self._keys = ServerKeys(self.url, self._vault, self._proofs, server_key=server_key)
        self._changed = asyncio.Condition()
        self._stirred = asyncio.Event()
        self._turns: dict[str, tuple[Place, asyncio.Task[None]]] = {}
        self._connection = Connection(
            self.url.replace("http", "ws", 1) + "/ws",
            token,
            on_frame=self._take,
            on_welcome=self._welcome,
            resume=self._places,
            on_sent=self._evidence.sent,
            on_not_resumed=self._lost_sight,
            on_line=on_line,
        )

    async def run(self) -> None:
        """Keep the socket up and answer what is due, until cancelled.

        Errors: Cheated at the first failed check, its evidence written; Stopped; Fault.
        """
        tasks = [
            asyncio.create_task(self._connection.run(), name="client-socket"),
            asyncio.create_task(self._attend(), name="client-attend"),
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except Cheated as cheated:
            self._evidence.write(cheated, server_key=self.server_pub, log=self._proofs.kept)
            raise
        finally:
            try:
                await end_all(*tasks)
            finally:
                await to_the_end(self._proofs.close())

    async def watch(self, table: str) -> TableWatch:
        """Look at a table. Errors: Refusal."""
        await self._connection.welcomed.wait()
        watch = self._watch_of(table)
        await self._connection.command({"t": "table.watch", "table": table})
        return watch

    async def sit(self, table: str, seat: int | None = None) -> TableWatch:
        """Take a seat, the first free one if none is named; one's own from before is found again.

        Errors: Refusal.
        """
        await self._connection.welcomed.wait()
        watch = self._watch_of(table)
        wish = {} if seat is None else {"seat": seat}
        try:
            await self._connection.command({"t": "table.sit", "table": table, "d": wish})
        except Refusal as refusal:
            if refusal.code != "already_seated":
                raise
            return await self.watch(table)
        return watch

    async def back(self, table: str) -> None:
        """Take the own seat back from a substitute, or be dealt in again. Errors: Refusal."""
        await self._connection.command({"t": "table.back", "table": table})

    async def leave(self, table: str) -> None:
        """Get up. Errors: Refusal."""
        await self._connection.command({"t": "table.leave", "table": table})

    async def drop_line(self) -> None:
        """Lose the connection, as a phone in a lift does; the client comes back by itself."""
        await self._connection.drop()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until `holds` says so after some frame."""
        async with self._changed:
            await self._changed.wait_for(holds)

    # --- from the socket

    @property
    def server_pub(self) -> bytes:
        """Give the server's signing key; empty before the first welcome."""
        return self._keys.current

    def _watch_of(self, table: str) -> TableWatch:
        if table not in self.tables:
            self.tables[table] = TableWatch(
                table,
                server_key_at=self._keys.at,
                vault=self._vault,
                with_seed=self._with_seed,
            )
        return self.tables[table]

    async def _welcome(self, frame: Frame) -> None:
        self._evidence.received(frame)
        await self._keys.welcome(bytes_of(frame, "server_key"), text_of(frame, "log_key"))
        self.name = str(frame["player"]["name"])
        self._stir()

    def _places(self) -> list[dict[str, Any]]:
        return [
            {"table": table, "seq": watch.seq, "stream": watch.stream}
            for table, watch in self.tables.items()
            if watch.seq
        ]

    def _lost_sight(self) -> None:
        """A table was not resumed, as when its lease has to run out first: ask for all anew."""
        for watch in self.tables.values():
            watch.needs_snapshot = True
        self._stir()

    def _take(self, frame: Frame) -> None:
        self._evidence.received(frame)
        watch = self.tables.get(str(frame.get("table")))
        if watch is not None:
            watch.take(frame)
            self._chooser.told(watch, frame)
            self._stir()

    def _stir(self) -> None:
        self._stirred.set()

    # --- to the socket

    async def _attend(self) -> None:
        """Answer what the tables ask for, in the order they ask."""
        try:
            while True:
                await self._stirred.wait()
                self._stirred.clear()
                for watch in tuple(self.tables.values()):
                    await self._answer(watch)
                async with self._changed:
                    self._changed.notify_all()
        finally:
            for _, task in self._turns.values():
                task.cancel()

    async def _answer(self, watch: TableWatch) -> None:
        if watch.needs_snapshot and watch.seq:
            await self._catch_up(watch)
        for head in tuple(watch.hand.unproved):
            if await self._proofs.prove(head):
                watch.hand.unproved.remove(head)
            else:
                asyncio.get_running_loop().call_later(ASK_AGAIN_S, self._stir)
        for frame in watch.due():
            await self._say(watch, frame)
        place = watch.place
        known, task = self._turns.get(watch.table, (None, None))
        if task is not None and task.done() and not task.cancelled():
            task.result()
        if place == known:
            return
        if task is not None:
            task.cancel()
            del self._turns[watch.table]
        if place is not None:
            turn = asyncio.create_task(self._play(watch, place), name=f"turn-{place}")
            turn.add_done_callback(lambda _: self._stir())
            self._turns[watch.table] = (place, turn)

    async def _catch_up(self, watch: TableWatch) -> None:
        """Ask for a snapshot, and ask again while the server has none just now."""
        try:
            await self._connection.command({"t": "table.watch", "table": watch.table})
        except Refusal as refusal:
            if refusal.code not in PASSING:
                self._chooser.refused(watch, refusal)
                return
        except TimeoutError:
            pass
        else:
            return
        asyncio.get_running_loop().call_later(ASK_AGAIN_S, self._stir)

    async def _play(self, watch: TableWatch, place: Place) -> None:
        """Ask for a move and send it, until one is taken or the turn has gone on."""
        for _ in range(TRIES):
            move = await self._chooser.choose(watch)
            if move is None or watch.place != place:
                return
            frame = {"t": "play", "table": watch.table, "hand": place.hand, "turn": place.turn}
            if await self._say(watch, {**frame, "d": move}):
                return

    async def _say(self, watch: TableWatch, frame: Frame) -> bool:
        """Send a command; a refusal is told to the chooser, a silence is left to the next frame."""
        try:
            await self._connection.command(frame)
        except Refusal as refusal:
            self._chooser.refused(watch, refusal)
            return False
        except TimeoutError:
            return False
        return True
