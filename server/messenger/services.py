"""The calls that this process answers: each in a task of its own, a bounded number at once."""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from server.errors import Refusal
from server.messenger.answers import (
    TOO_MANY,
    Answer,
    Awaited,
    Done,
    Failed,
    Refused,
    answer_in_time,
    settle,
)
from server.messenger.counts import Counts
from server.messenger.heard import BODY_MAX_BYTES, Service
from server.messenger.subscriptions import is_cancelled

CALLS_MAX: Final = 512
"""Calls that this process answers at once."""

ANSWERING_MAX_S: Final = 60
"""Time after which a service that still answers is cancelled: its place is needed."""

STOPPING: Final = Refused("busy", "the process stopped before it had an answer")

_log = structlog.get_logger(__name__)


class Services:
    """What a process answers, by kind."""

    def __init__(self, owner: str, counts: Counts) -> None:
        self._owner = owner
        self._counts = counts
        self._of: dict[str, Service] = {}
        self._tasks: set[asyncio.Task[Answer]] = set()
        self._is_closed = False

    def add(self, kind: str, service: Service) -> None:
        """Answer a kind of calls from now on."""
        assert kind not in self._of, f"{kind} is served already"
        self._of[kind] = service

    def take(self, kind: str, body: bytes, reply: Callable[[Answer], None]) -> None:
        """Answer a call in a task; `reply` is told how it ended, at once if there is no place."""
        if self._is_closed or len(self._tasks) >= CALLS_MAX:
            reply(TOO_MANY)
            return
        self._counts.calls_answered += 1
        task = asyncio.create_task(self._answer(kind, body), name=f"call {kind}")
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._end(done, reply))

    async def ask(self, kind: str, body: bytes, timeout_s: float) -> bytes:
        """Call our own service: as from outside, it goes on when the caller is cancelled.

        Errors: as `Messenger.call`.
        """
        awaited: Awaited = asyncio.get_running_loop().create_future()
        self.take(kind, body, lambda answer: settle(awaited, answer))
        return await answer_in_time(awaited, timeout_s, self._counts)

    async def close(self) -> None:
        """Cancel what is in hand, and take no more."""
        self._is_closed = True
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(set(self._tasks))

    def _end(self, task: asyncio.Task[Answer], reply: Callable[[Answer], None]) -> None:
        self._tasks.discard(task)
        reply(STOPPING if task.cancelled() else task.result())

    async def _answer(self, kind: str, body: bytes) -> Answer:
        service = self._of.get(kind)
        if service is None:
            return Failed(f"{self._owner} answers no calls of the kind {kind}")
        try:
            async with asyncio.timeout(ANSWERING_MAX_S):
                return _sized(kind, await service(body))
        except Refusal as refusal:
            return Refused(refusal.code, refusal.text, refusal.field)
        except asyncio.CancelledError:
            if is_cancelled():
                raise
            _log.error("service_failed", kind=kind, where="CancelledError")
        except Exception as error:
            _log.error("service_failed", kind=kind, exc_info=error)
        return Failed(f"{self._owner} failed to answer a call of the kind {kind}")


def _sized(kind: str, body: bytes) -> Answer:
    if len(body) > BODY_MAX_BYTES:
        return Failed(f"the answer to a call of the kind {kind} is too large: {len(body)} bytes")
    return Done(body)
