"""What is bounded before a request is even looked at: its body's size and time, and how many."""

import asyncio
from collections.abc import MutableMapping
from contextlib import ExitStack
from time import monotonic
from typing import Any, Final
from urllib.parse import quote

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.errors import Refusal
from server.web.addresses import TRUSTED_ADDRESSES, address_of
from server.web.errors import response_of
from server.web.limits import Limits
from server.web.parts import Parts

WATCHERS: Final = frozenset({"/healthz", "/readyz", "/metrics"})
"""Those who look after this process must see it when it is busiest."""

log = structlog.get_logger("web.http")


class Bounds:
    """The outermost layer: counts, logs and bounds every HTTP request; sockets pass through."""

    def __init__(self, app: ASGIApp, *, parts: Parts) -> None:
        self._app = app
        self._parts = parts
        self._metrics = parts.metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request of ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = monotonic(), 500

        async def counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._bounded(scope, receive, counted)
        finally:
            self._metrics.requested(status)
            log.info(
                "request",
                method=scope["method"],
                path=quote(scope["path"]),  # as it came: no control character reaches a terminal
                status=int(status),
                ms=round((monotonic() - began) * 1000),
            )

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._take_token(scope)
            body = await _body_of(receive, self._parts.limits)
            room = self._room_for(scope)
        except Refusal as refusal:
            self._metrics.refused(refusal.code)
            await response_of(refusal)(scope, receive, send)
            return
        with room:

            async def begun(message: Message) -> None:
                room.close()  # from here on it is the reader's time
                await send(message)

            await self._app(scope, _replayed(body, receive), begun)

    def _room_for(self, scope: Scope) -> ExitStack:
        room = ExitStack()
        if scope["path"] not in WATCHERS:
            try:
                room.enter_context(self._parts.working.begun())
            except Refusal:
                raise Refusal("busy", "too many requests are being worked on") from None
        return room

    def _take_token(self, scope: MutableMapping[str, Any]) -> None:
        address = address_of(scope)
        if address not in TRUSTED_ADDRESSES and not self._parts.requests.take(address):
            raise Refusal("slow_down", "too many requests from this address")


async def _body_of(receive: Receive, limits: Limits) -> bytes:
    """Read the whole body. Raises Refusal `too_large` or `too_slow`."""
    parts: list[bytes] = []
    size, is_more = 0, True
    try:
        async with asyncio.timeout(limits.body_ms / 1000):
            while is_more:
                message = await receive()
                part = message.get("body", b"")
                size += len(part)
                if size > limits.body_bytes:
                    raise Refusal("too_large", f"a body has at most {limits.body_bytes} bytes")
                parts.append(part)
                is_more = message.get("more_body", False)
    except TimeoutError:
        raise Refusal("too_slow", "the body did not come in time") from None
    return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    is_given = False

    async def replay() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
