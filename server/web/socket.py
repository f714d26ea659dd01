"""The player's socket: `/ws`, protocol pakka.v1.

One task reads, so that commands are carried out and answered in the order they came; one writes
what the outbox holds; one keeps the heartbeat and tells the tables of a player who fell silent.
"""

import asyncio
import json
from collections.abc import Iterable
from contextlib import suppress
from time import monotonic
from typing import Final

import structlog
from fastapi import WebSocket
from starlette.websockets import WebSocketDisconnect

from server.cancellation import end_all
from server.database import is_transient
from server.errors import Refusal
from server.web.addresses import TRUSTED_ADDRESSES, address_of
from server.web.auth import person_of_socket, session_is_good
from server.web.closing import (
    CLOSE_OVERLOAD,
    CLOSE_RATE,
    CLOSE_RESTART,
    CLOSE_SIGNED_OUT,
    CLOSE_VERSION,
    Closing,
)
from server.web.conversation import Conversation
from server.web.dispatch import refused_frame
from server.web.messages import Hello
from server.web.parts import Parts
from server.web.person import Person
from server.web.reading import id_of, read_frame, read_json

SUBPROTOCOL: Final = "pakka.v1"
CLOSE_WAIT_S: Final = 5
"""How long the last frames and the close may take."""

log = structlog.get_logger("web.socket")


async def serve_socket(socket: WebSocket, parts: Parts) -> None:
    """Serve one connection from its upgrade to its end."""
    if SUBPROTOCOL not in socket.scope["subprotocols"]:
        await socket.accept()
        await socket.close(CLOSE_VERSION)
        return
    await socket.accept(subprotocol=SUBPROTOCOL)
    address = address_of(socket.scope)
    if address not in TRUSTED_ADDRESSES and not parts.requests.take(address):
        await socket.close(CLOSE_RATE)
        return
    if parts.gateway.is_stopping:
        await socket.close(CLOSE_RESTART)
        return
    if parts.gateway.is_full(address):
        await socket.close(CLOSE_OVERLOAD)
        return
    with parts.gateway.counted(address), suppress(WebSocketDisconnect):
        try:
            hello, person = await _greet(socket, parts)
            _refuse_if_crowded(parts, person)
        except Closing as closing:
            await socket.close(closing.code)
            return
        await Connection(socket, parts, person).run(hello)


def _refuse_if_crowded(parts: Parts, person: Person) -> None:
    """Keep an overload from those who play: who has no seat comes later. Raises Closing."""
    is_crowded = parts.gateway.is_crowded or parts.strain.is_over
    if is_crowded and person.seat is None and not parts.host.has_seat(person.player):
        raise Closing(CLOSE_OVERLOAD)


async def _greet(socket: WebSocket, parts: Parts) -> tuple[Hello, Person]:
    """Wait for `hello` and find who says it. Raises Closing."""
    try:
        async with parts.gateway.at_door():
            text = await _text_of(socket)
    except TimeoutError:
        is_stopping = parts.gateway.is_stopping
        raise Closing(CLOSE_RESTART if is_stopping else CLOSE_SIGNED_OUT) from None
    re: str | None = None
    try:
        raw = read_json(text or "")
        re = id_of(raw)
        frame = read_frame(raw)
        if not isinstance(frame, Hello):
            raise Refusal("not_signed_in", "the first frame is hello", "t")
        return frame, await person_of_socket(socket, parts, frame.token)
    except Refusal as refusal:
        parts.metrics.refused(refusal.code)
        await socket.send_text(_encoded(refused_frame(re, refusal)))
        raise Closing(CLOSE_SIGNED_OUT) from None
    except Exception as error:
        if not is_transient(error):
            raise
        raise Closing(CLOSE_OVERLOAD) from None


class Connection:
    """A signed-in socket and its tasks."""

    def __init__(self, socket: WebSocket, parts: Parts, person: Person) -> None:
        self._socket = socket
        self._parts = parts
        self._person = person
        self._conversation = Conversation(parts, person)
        self._heard_s = self._told_s = monotonic()
        self._is_here = True
        self._sending_since_s: float | None = None

    async def run(self, hello: Hello) -> None:
        """Welcome the player, then read, write and beat until one of them ends."""
        player, gateway = self._person.player, self._parts.gateway
        gateway.join(player, self._conversation)
        writer = asyncio.create_task(self._write(), name="socket-write")
        others = [
            asyncio.create_task(self._read(hello), name="socket-read"),
            asyncio.create_task(self._beat(), name="socket-beat"),
            asyncio.create_task(self._closed(), name="socket-closed"),
        ]
        try:
            await asyncio.wait([writer, *others], return_when=asyncio.FIRST_COMPLETED)
            if self._is_ended_by_us(others):
                await asyncio.wait([writer], timeout=CLOSE_WAIT_S)
        finally:
            gateway.leave(player, self._conversation)
            await end_all(writer, *others)

    async def _closed(self) -> None:
        """End the wait when somebody closes this socket, though the writer may be stuck."""
        await self._conversation.outbox.closed.wait()

    def _is_ended_by_us(self, tasks: Iterable[asyncio.Task[None]]) -> bool:
        """Close the outbox with the reason that a task ended for; False if the peer has gone."""
        for task in tasks:
            error = task.exception() if task.done() else None
            match error:
                case None:
                    continue
                case Closing(code=code):
                    self._conversation.close(code)
                case WebSocketDisconnect():
                    return False
                case _:
                    log.error("socket_fault", player=self._person.player, exc_info=error)
                    self._conversation.close(CLOSE_OVERLOAD)
        return True

    async def _write(self) -> None:
        while True:
            frame = await self._conversation.outbox.get()
            if isinstance(frame, int):
                await self._socket.close(frame)
                return
            self._sending_since_s = monotonic()
            await self._socket.send_text(_encoded(frame))
            self._sending_since_s = None

    async def _read(self, hello: Hello) -> None:
        await self._conversation.welcome(hello)
        while True:
            text = await _text_of(self._socket)
            self._heard()
            await self._conversation.hear(text)
            # A burst of commands must neither fill its own outbox nor hold up everybody else.
            await asyncio.sleep(0)
            await self._conversation.outbox.room(self._parts.limits.outbox // 2)

    def _heard(self) -> None:
        """Tell the tables that the player is here, at once after a silence, else now and then."""
        now = self._heard_s = monotonic()
        if not self._is_here or now - self._told_s >= self._parts.limits.here_every_ms / 1000:
            self._is_here, self._told_s = True, now
            self._parts.gateway.heard(self._person.player, self._conversation)

    async def _beat(self) -> None:
        limits = self._parts.limits
        stall_s = limits.presence_ms / 1000
        next_beat = monotonic() + limits.heartbeat_ms / 1000
        next_check = monotonic() + limits.recheck_ms / 1000
        while True:
            now = monotonic()
            quiet_at = self._heard_s + limits.presence_ms / 1000
            if self._is_here and now >= quiet_at:
                self._is_here = False
                self._parts.gateway.quiet(self._person.player, self._conversation)
            if self._sending_since_s is not None and now >= self._sending_since_s + stall_s:
                raise Closing(CLOSE_OVERLOAD)
            if now >= next_beat:
                next_beat = now + limits.heartbeat_ms / 1000
                self._conversation.take({"t": "ping", "now": self._parts.host.now_ms()})
            if now >= next_check:
                next_check = now + limits.recheck_ms / 1000
                if not await session_is_good(self._parts, self._person):
                    raise Closing(CLOSE_SIGNED_OUT)
            due = min(next_beat, next_check, quiet_at if self._is_here else next_beat)
            await asyncio.sleep(max(0.0, due - monotonic()))


async def _text_of(socket: WebSocket) -> str | None:
    """Wait for a frame; None if it is binary. Raises WebSocketDisconnect."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1005)
    text: str | None = message.get("text")
    return text


def _encoded(frame: dict[str, object]) -> str:
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
