"""What is bounded before a request is even looked at: its body's size and time, and how many."""

import asyncio
from collections.abc import MutableMapping
from ipaddress import IPv6Network
from time import monotonic
from typing import Any, Final
from urllib.parse import quote

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.errors import Refusal
from server.observability.metrics import Metrics
from server.web.errors import response_of
from server.web.limits import Buckets

BODY_MAX_BYTES: Final = 16_384
BODY_MAX_S: Final = 10
SUBSCRIBER_BITS: Final = 64
TRUSTED_ADDRESSES: Final = frozenset({"127.0.0.1", "::1"})
"""This machine: its bots, its commands, or a proxy, which has limits of its own."""

log = structlog.get_logger("web.http")


class Bounds:
    """The outermost layer: counts, logs and bounds every HTTP request; sockets pass through."""

    def __init__(self, app: ASGIApp, *, requests: Buckets[str], metrics: Metrics) -> None:
        self._app = app
        self._requests = requests
        self._metrics = metrics

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
            body = await _body_of(receive)
        except Refusal as refusal:
            self._metrics.refused(refusal.code)
            await response_of(refusal)(scope, receive, send)
            return
        await self._app(scope, _replayed(body, receive), send)

    def _take_token(self, scope: MutableMapping[str, Any]) -> None:
        address = address_of(scope)
        if address not in TRUSTED_ADDRESSES and not self._requests.take(address):
            raise Refusal("slow_down", "too many requests from this address")


def address_of(scope: MutableMapping[str, Any]) -> str:
    """Tell the address that a request came from, of IPv6 the network that one subscriber has.

    Proxies' headers are not read here: the listener has, of those that are trusted.
    """
    client = scope.get("client")
    written = str(client[0]) if client else ""
    if ":" not in written or written in TRUSTED_ADDRESSES:
        return written
    return str(IPv6Network((written.split("%")[0], SUBSCRIBER_BITS), strict=False))


async def _body_of(receive: Receive) -> bytes:
    """Read the whole body. Raises Refusal `too_large` or `too_slow`."""
    parts: list[bytes] = []
    size, is_more = 0, True
    try:
        async with asyncio.timeout(BODY_MAX_S):
            while is_more:
                message = await receive()
                part = message.get("body", b"")
                size += len(part)
                if size > BODY_MAX_BYTES:
                    raise Refusal("too_large", f"a body has at most {BODY_MAX_BYTES} bytes")
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
