"""What a peer may do with a connection before the application hears of it, and while it answers.

How many connections there are, how long a request's head may take, how slowly an answer may be
read, how many frames may come in a second and into how many pieces one may be cut. A socket is a
connection that was upgraded: from then on the gateway counts it.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from server.errors import Refusal
from server.web.addresses import TRUSTED_ADDRESSES, address_of
from server.web.closing import CLOSE_RATE
from server.web.errors import response_of
from server.web.limits import Limits

FLUSH_MAX_S: Final = 5
"""After that a peer that takes no more bytes is cut off, or it would hold its memory for ever."""

SLICE_BYTES: Final = 4_096
"""How much is read at once: all that a system hands over may be some 40 000 pings, and seconds."""


class Doors:
    """The connections that are no sockets, counted all together and for each address."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.open = 0
        self._of: Counter[str] = Counter()
        self._proxies = tuple(ip_network(one) for one in limits.proxies)

    def come(self, address: str) -> bool:
        """Count one more; False, and nothing is counted, if that is one too many."""
        is_many = self._of[address] >= self.limits.of_address and not self._is_trusted(address)
        if is_many or self.open >= self.limits.connections:
            return False
        self.open += 1
        self._of[address] += 1
        return True

    def go(self, address: str) -> None:
        """Count one less."""
        self.open -= 1
        self._of[address] -= 1
        if not self._of[address]:
            del self._of[address]

    def _is_trusted(self, address: str) -> bool:
        if address in TRUSTED_ADDRESSES:
            return True
        peer = ip_address(address.split("/")[0])
        return any(peer in proxy for proxy in self._proxies)


class HttpProtocol(H11Protocol):
    """uvicorn's, but bounded: it has a door to come through, and deadlines."""

    doors: ClassVar[Doors]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._came_from: str | None = None
        self._head_timer: asyncio.TimerHandle | None = None
        self._reader_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = address_of({"client": self.client})
        if not self.doors.come(address):
            transport.write(_TOO_MANY)
            transport.close()
            return
        self._came_from = address
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        if self._came_from is None:
            return
        super().data_received(data)
        if self.conn.their_state.__name__ != "IDLE":  # h11's states are classes
            self._end_timer()
        elif self._head_timer is None:
            self._wait_for_head()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._leave()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give a reader who has fallen behind its time; then it is cut off."""
        super().pause_writing()
        wait_s = self.doors.limits.reader_ms / 1000
        self._reader_timer = self.loop.call_later(wait_s, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reader_timer is not None:
            self._reader_timer.cancel()
            self._reader_timer = None

    def _wait_for_head(self) -> None:
        wait_s = self.doors.limits.head_ms / 1000
        self._head_timer = self.loop.call_later(wait_s, self.transport.abort)

    def _end_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _leave(self) -> None:
        self._end_timer()
        if self._reader_timer is not None:
            self._reader_timer.cancel()
        if self._came_from is not None:
            self.doors.go(self._came_from)
            self._came_from = None


class SocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's, but bounded in what a peer holds that reads nothing, or sends no whole frame."""

    limits: ClassVar[Limits]
    _second_ends = 0.0
    _frames_in_second = 0

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE_BYTES):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + SLICE_BYTES])

    def handle_events(self) -> None:
        now = self.loop.time()
        if now >= self._second_ends:
            self._second_ends, self._frames_in_second = now + 1, 0
        self._frames_in_second += len(self.conn.events)
        if self._frames_in_second > self.limits.frames:
            self._fail(CLOSE_RATE, "too many frames")
        else:
            super().handle_events()

    async def run_asgi(self) -> None:
        try:
            await super().run_asgi()
        finally:  # closing politely would wait for ever for a peer that never reads
            self.loop.call_later(FLUSH_MAX_S, self.transport.abort)

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        if len(self.frames) > self.limits.pieces:
            self._fail(CloseCode.MESSAGE_TOO_BIG, "too many pieces")

    def handle_ping(self) -> None:
        """Answer, unless the peer reads nothing: its answers would wait here without a bound."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def _fail(self, code: int, reason: str) -> None:
        """Close with a code, and read nothing more of this peer."""
        self.conn.fail(code, reason)
        if self.conn.close_sent is None:
            self.transport.abort()
        else:
            self.handle_parser_exception()


def http_protocol(limits: Limits) -> type[HttpProtocol]:
    """Make the protocol of one listener, with doors of its own."""
    return type("Http", (HttpProtocol,), {"doors": Doors(limits)})


def socket_protocol(limits: Limits) -> type[SocketProtocol]:
    """Make the protocol of one listener's sockets."""
    return type("Socket", (SocketProtocol,), {"limits": limits})


def _raw(refusal: Refusal) -> bytes:
    """Write a refusal for a connection that no request was read from."""
    response = response_of(refusal)
    head: Sequence[tuple[bytes, bytes]] = [*response.raw_headers, (b"connection", b"close")]
    lines = [f"HTTP/1.1 {response.status_code} Busy".encode()]
    lines += [name + b": " + value for name, value in head]
    return b"\r\n".join([*lines, b"", bytes(response.body)])


_TOO_MANY: Final = _raw(Refusal("busy", "there are too many connections just now"))
