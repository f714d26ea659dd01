"""The actor: one task per table, one bounded inbox, one state.

Everything that happens at a table, time included, goes through here one at a time: a step is
worked out, written and committed in one transaction, then believed, then told.
"""

import asyncio
from dataclasses import dataclass
from time import monotonic
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from server.database import Database, PlayerId, Transaction
from server.errors import Refusal
from server.fairness.entries import VoidReason
from server.observability.traces import carried, span
from server.tables import journal, play, recovery, steps
from server.tables.announcing import announce
from server.tables.answering import answer
from server.tables.audience import Audience
from server.tables.clock import OwnStep, due, wake_ms
from server.tables.commands import Command, Presence, Reply, Request
from server.tables.faults import name_of, place_of, where
from server.tables.moment import Moment
from server.tables.state import Closed, TableState
from server.tables.told import Numbered
from server.tables.work import Parts, Work

INBOX_MAX: Final = 64
"""Commands that wait at a table; one more is refused."""

RETRY_MS: Final = 500
"""The wait after a step that failed, so that a broken database isn't hammered."""

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Item:
    request: Request
    reply: asyncio.Future[Reply] | None
    trace: str | None = None


class Actor:
    """One table. `run` is its task; `ask` and `tell` are the only doors."""

    def __init__(
        self,
        state: TableState,
        *,
        fence: int,
        database: Database,
        parts: Parts,
        moment: Moment,
        audience: Audience,
        inbox_max: int = INBOX_MAX,
    ) -> None:
        self.state = state
        self.fence = fence
        self.audience = audience
        self._database = database
        self._parts = parts
        self._moment = moment
        self._inbox: asyncio.Queue[_Item] = asyncio.Queue(inbox_max)
        self._is_doubtful = False
        self._own_not_before_ms = 0
        self._is_stopping = False
        self._is_busy = False

    async def ask(self, request: Request) -> Reply:
        """Send a command and wait for its one answer.

        Errors: Refusal("busy") if the inbox is full.
        """
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._put(_Item(request, reply, request.trace or carried()))
        return await reply

    def tell(self, player: PlayerId, command: Command) -> None:
        """Send a command of the house's own; nobody waits for an answer, and none is kept."""
        self._put(_Item(Request(player, "", b"", command), None))

    def _put(self, item: _Item) -> None:
        if self._is_stopping:
            raise Refusal("table_moved", "the table is moving to another process")
        try:
            self._inbox.put_nowait(item)
        except asyncio.QueueFull:
            raise Refusal("busy", "the table has too many commands waiting") from None

    async def run(self) -> None:
        """Serve until the table is closed, lost to another owner, or stopped.

        Errors: Fenced if another process owns the table now; AssertionError and the like if the
                table can't go on: the host rebuilds it from the journal.
        """
        try:
            while not self._is_stopping and not isinstance(self.state.phase, Closed):
                await self._once()
        finally:
            self._is_stopping = True
            self._refuse_waiting()

    def stop(self) -> None:
        """Finish the command in hand and serve no other."""
        self._is_stopping = True
        if not self._is_busy:
            self._wake()

    def _wake(self) -> None:
        nobody = Request(PlayerId(-1), "", b"", Presence(True))
        if not self._inbox.full():
            self._inbox.put_nowait(_Item(nobody, None))

    def _refuse_waiting(self) -> None:
        while not self._inbox.empty():
            item = self._inbox.get_nowait()
            if item.reply is not None and not item.reply.done():
                item.reply.set_exception(Refusal("table_moved", "the table stopped serving"))

    async def _once(self) -> None:
        if self._is_doubtful:
            await self._reload()
        now_ms = self._moment.now_ms()
        step = due(self.state, now_ms, self._parts.clocks)
        if step is not None and now_ms >= self._own_not_before_ms:
            await self._own(step)
            return
        item = await self._next(now_ms, self._own_not_before_ms if step else None)
        if item is not None:
            self._is_busy = True
            try:
                await self._traced(item)
            finally:
                self._is_busy = False

    async def _next(self, now_ms: int, retry_at_ms: int | None) -> _Item | None:
        """Wait for a command, until the clock has something to say."""
        wake = retry_at_ms or wake_ms(self.state, self._parts.clocks, after_ms=now_ms)
        if wake is None:
            return await self._inbox.get()
        try:
            async with asyncio.timeout(max(0, wake - now_ms) / 1000 + 0.001):
                return await self._inbox.get()
        except TimeoutError:
            return None

    async def _own(self, step: OwnStep) -> None:
        """Do what is due. A step that fails is tried again, after the commands that wait."""

        async def work(tx: Transaction) -> Work:
            work = self._work(tx)
            await steps.do(work, step)
            await work.write(fence=self.fence)
            return work

        began = monotonic()
        try:
            with span("step", table=self.state.table, kind=type(step).__name__):
                done = await self._database.run(work)
            self._parts.metrics.committed("clock", monotonic() - began)
            self._believe(done)
        except Refusal as refusal:
            self._later(step, refusal.code)
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            self._is_doubtful = True
            self._later(step, name_of(error))
        except journal.Fenced:
            raise
        except Exception:
            await self._give_up(type(step).__name__)

    def _later(self, step: OwnStep, why: str) -> None:
        _log.warning("step_failed", **place_of(self.state), step=type(step).__name__, why=why)
        self._own_not_before_ms = self._moment.now_ms() + RETRY_MS

    async def _traced(self, item: _Item) -> None:
        kind = type(item.request.command).__name__
        with span("table", parent=item.trace, table=self.state.table, kind=kind) as traced:
            await self._serve(item)
            opened = self.state.opened
            traced.tell(hand=opened.hand_id if opened else None, seq=self.state.seq)

    async def _serve(self, item: _Item) -> None:
        reply: Reply | None = None
        try:
            reply = await self._answer(item.request)
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            _log.warning("command_failed", **place_of(self.state), why=name_of(error))
            self._is_doubtful = True
            reply = Reply(
                False, self.state.seq, "unavailable", "the outcome is not known: send it again"
            )
        except journal.Fenced:
            raise  # nothing was written: whoever asked may ask the new owner
        except Exception:
            reply = Reply(False, self.state.seq, "server_fault", "the table could not do that")
            await self._give_up(type(item.request.command).__name__)
        finally:
            if item.reply is not None and not item.reply.done():
                if reply is None:
                    item.reply.set_exception(Refusal("table_moved", "the table stopped serving"))
                else:
                    item.reply.set_result(reply)

    async def _answer(self, request: Request) -> Reply:
        began = monotonic()
        answered = await answer(self._database, self._work, request, fence=self.fence)
        self._parts.metrics.committed("command", monotonic() - began)
        if answered is None:
            return await self._stored(request)
        work, reply = answered
        self._believe(work)
        return reply

    async def _stored(self, request: Request) -> Reply:
        """Give the answer that the command got before, once we know all that was then written."""

        async def find(tx: Transaction) -> Reply | None:
            return await journal.find_reply(
                tx, self.state.table, request.player, request.id, request.digests
            )

        stored = await self._database.run(find)
        assert stored is not None, "a reply that exists can be read"
        if stored.seq > self.state.seq:
            await self._reload()
        return stored

    async def _give_up(self, doing: str) -> None:
        """Our own fault: void the hand, so that nobody pays for it.

        Errors: whatever hinders even that, or a fault without a hand; the host then rebuilds.
        """
        _log.error("table_fault", **place_of(self.state), doing=doing, where=where())
        if self.state.hand is None and not self.state.is_held:
            raise AssertionError(f"table {self.state.table} can't go on")

        async def work(tx: Transaction) -> Work:
            work = self._work(tx)
            await play.give_up(work, VoidReason.SERVER)
            await work.write(fence=self.fence)
            return work

        self._believe(await self._database.run(work))

    def _work(self, tx: Transaction | None) -> Work:
        return Work(within=tx, state=self.state, now_ms=self._moment.now_ms(), parts=self._parts)

    def _believe(self, work: Work) -> None:
        """After the commit: take the new state, and tell what happened."""
        first = self.state.seq + 1
        self.state = work.state
        numbered = [
            Numbered(seq=first + i, stream=work.state.stream, now_ms=work.now_ms, told=told)
            for i, told in enumerate(work.told)
        ]
        self.audience.publish(work.state, numbered)
        announce(work.state, work.entries, self._parts)

    async def _reload(self) -> None:
        """Fold the journal again: something was written whose outcome we did not learn."""
        try:
            rebuilt = await self._database.run(self._rebuild)
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            _log.warning("reload_failed", **place_of(self.state), why=name_of(error))
            await asyncio.sleep(RETRY_MS / 1000)
            return
        known = self.state.seq
        self.state = rebuilt.state
        self._is_doubtful = False
        fresh = [event for event in rebuilt.events if event.seq > known]
        self.audience.publish(self.state, fresh)
        missed = [entry for entry in rebuilt.entries if entry.seq > known]
        announce(self.state, missed, self._parts)

    async def _rebuild(self, tx: Transaction) -> recovery.Rebuilt:
        entries = await journal.read_since_opening(tx, self.state.table)
        blank = recovery.blank(
            table=self.state.table,
            name=self.state.name,
            game=self.state.game,
            options=self.state.options,
            stream=self.state.stream,
        )
        return await recovery.rebuild(tx, blank, entries, self._parts)
