"""A socket of `pakka.v1` that comes back: hello, replies by id, pings, resume, back-off."""

import asyncio
import contextlib
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from server.errors import Fault, Refusal

SUBPROTOCOL: Final = "pakka.v1"
FRAME_BYTES_MAX: Final = 4 * 2**20
"""A snapshot of a long hand, with a proof for each card, is some hundred KB."""

REPLY_S: Final = 30
"""How long a command may wait for its reply, reconnections included."""

QUIET_S: Final = 45
"""The server pings every 15 s; after three missed ones the connection is dead."""

BACK_OFF_MS: Final = 100
BACK_OFF_MAX_MS: Final = 10_000
COME_BACK: Final = frozenset({1001, 1005, 1006, 1011, 1012, 1013, 4429})
"""Restart, overload, a lost line; every other code means that it is over."""

SIGNED_OUT: Final = 4401

PASSING: Final = frozenset({"slow_down", "busy"})
"""Refusals that a later attempt may not meet."""

SLOW_DOWN_MS: Final = 200
SLOW_DOWN_TIMES: Final = 5

Frame = Mapping[str, Any]


class Stopped(Fault):
    """The server closed the connection for good; `code` says why."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(f"the server closed the connection: {code} {text}".rstrip())
        self.code = code


@dataclass(slots=True)
class _Pending:
    frame: dict[str, Any]
    reply: asyncio.Future[Frame]


class Connection:
    """One player's socket. `run` keeps it up; commands wait for their one terminal reply.

    `on_frame` gets every event and snapshot in order, `on_welcome` each welcome; what they raise
    ends `run`. `resume` lists the places to resume from, as `hello` has them; `on_not_resumed`
    hears that the server could not resume one of them just now. `on_line` hears once that a line
    that had been welcomed is lost, False, and once that it is back, True.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        on_frame: Callable[[Frame], None],
        on_welcome: Callable[[Frame], Awaitable[None]],
        resume: Callable[[], list[dict[str, Any]]],
        on_sent: Callable[[Frame], None] = lambda frame: None,
        on_not_resumed: Callable[[], None] = lambda: None,
        on_line: Callable[[bool], None] = lambda is_back: None,
    ) -> None:
        self._url = url
        self._token = token
        self._on_frame = on_frame
        self._on_welcome = on_welcome
        self._on_sent = on_sent
        self._on_not_resumed = on_not_resumed
        self._on_line = on_line
        self._resume = resume
        self._socket: ClientConnection | None = None
        self._pending: dict[str, _Pending] = {}
        self._prefix = secrets.token_hex(6)
        self._count = 0
        self._failures = 0
        self._has_line: bool | None = None
        self.welcomed = asyncio.Event()

    async def run(self) -> None:
        """Connect, and come back after every passing failure, until cancelled.

        Errors: Stopped if the server says that it is over; Fault if the address is none of ours.
        """
        try:
            while True:
                await self._one_socket()
                self._note_line(False)
                await asyncio.sleep(_jittered_s(self._failures))
                self._failures += 1
        finally:
            for pending in self._pending.values():
                pending.reply.cancel()

    async def command(self, frame: Frame) -> Frame:
        """Send a command and wait for `ok`; a lost connection sends it again, under the same id.

        Errors: Refusal with the server's code; TimeoutError after `REPLY_S`.
        """
        for attempt in range(SLOW_DOWN_TIMES + 1):
            reply = await self._exchange(dict(frame))
            if reply["t"] == "ok":
                return reply
            if reply.get("code") not in PASSING or attempt == SLOW_DOWN_TIMES:
                break
            await asyncio.sleep(SLOW_DOWN_MS * 2**attempt / 1000)
        raise Refusal(str(reply.get("code")), str(reply.get("text", "")), reply.get("field"))

    async def drop(self) -> None:
        """Close the present socket, as a lost line would; `run` then comes back."""
        if self._socket is not None:
            await self._socket.close(1001)

    def next_id(self) -> str:
        """Make an id that no other process of this player has used: replies are kept by it."""
        self._count += 1
        return f"{self._prefix}-{self._count}"

    def _note_line(self, has_line: bool) -> None:
        """Tell of a line that was lost or is back: not of the first, and once for many tries."""
        had_line = self._has_line
        if has_line or had_line is not None:
            self._has_line = has_line
        if had_line is not None and had_line != has_line:
            self._on_line(has_line)

    async def _exchange(self, frame: dict[str, Any]) -> Frame:
        frame["id"] = self.next_id()
        pending = _Pending(frame, asyncio.get_running_loop().create_future())
        self._pending[frame["id"]] = pending
        try:
            if self.welcomed.is_set():
                await self._send(frame)
            async with asyncio.timeout(REPLY_S):
                return await pending.reply
        finally:
            self._pending.pop(frame["id"], None)

    async def _send(self, frame: Frame) -> None:
        self._on_sent(frame)
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(json.dumps(frame, separators=(",", ":")))

    async def _one_socket(self) -> None:
        try:
            async with connect(
                self._url,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                max_size=FRAME_BYTES_MAX,
                max_queue=64,
                ping_interval=None,
                proxy=None,
            ) as socket:
                self._socket = socket
                await self._serve(socket)
        except ConnectionClosed as closed:
            end = closed.rcvd
            if end is not None and end.code not in COME_BACK:
                raise Stopped(end.code, end.reason) from None
        except InvalidStatus as refused:
            if refused.response.status_code < 500:
                status = refused.response.status_code
                raise Fault(f"{self._url} answers {status}, not a socket") from None
        except InvalidHandshake as refused:
            if isinstance(refused.__cause__, EOFError):
                return  # the line was lost in mid-handshake
            raise Fault(f"{self._url} does not speak {SUBPROTOCOL}: {refused}") from None
        except (OSError, TimeoutError):
            pass
        finally:
            self._socket = None
            self.welcomed.clear()

    async def _serve(self, socket: ClientConnection) -> None:
        hello = {
            "t": "hello",
            "id": self.next_id(),
            "token": self._token,
            "resume": self._resume(),
        }
        await self._send(hello)
        while True:
            async with asyncio.timeout(QUIET_S):
                text = await socket.recv()
            await self._receive(_frame_of(text), hello["id"])

    async def _receive(self, frame: Frame, hello_id: object) -> None:
        match frame["t"]:
            case "welcome":
                await self._on_welcome(frame)
                self._failures = 0
                self._note_line(True)
                self.welcomed.set()
                for pending in list(self._pending.values()):
                    await self._send(pending.frame)
            case "refused" if frame.get("re") == hello_id and not self.welcomed.is_set():
                raise Stopped(SIGNED_OUT, str(frame.get("code")))
            case "refused" if frame.get("re") == hello_id:
                self._on_not_resumed()
            case "ok" | "refused":
                pending_or_none = self._pending.get(str(frame.get("re")))
                if pending_or_none is not None and not pending_or_none.reply.done():
                    pending_or_none.reply.set_result(frame)
            case "ping":
                await self._send({"t": "pong"})
            case "event" | "snapshot":
                self._on_frame(frame)
            case _:
                pass


def _frame_of(text: str | bytes) -> Frame:
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError):
        frame = None
    if not isinstance(frame, dict) or not isinstance(frame.get("t"), str):
        raise Fault("the server sent something that is not a frame")
    return frame


def _jittered_s(failures: int) -> float:
    """Wait a random time up to a bound that doubles: a crowd must not come back as one."""
    bound_ms = min(BACK_OFF_MAX_MS, BACK_OFF_MS * 2 ** min(failures, 10))
    return (20 + secrets.randbelow(bound_ms)) / 1000
