"""A socket server that does as a test says: each connection is one handler of a list."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from server.bots.proofs import KEYS
from tests.bots.shoes import LOG_SIGNER

Frame = dict[str, Any]
KEY = "ab" * 32


class Line:
    """The server's side of one connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket
        self.heard: list[Frame] = []

    async def hear(self) -> Frame:
        """Wait for the client's next frame."""
        frame: Frame = json.loads(await self._socket.recv())
        self.heard.append(frame)
        return frame

    async def say(self, frame: Frame) -> None:
        """Send a frame."""
        await self._socket.send(json.dumps(frame))

    async def welcome(self, key: str = KEY, log_key: str = LOG_SIGNER.key.vkey) -> Frame:
        """Take the hello and welcome the client; the answer is the hello."""
        hello = await self.hear()
        player = {"id": "1", "name": "P", "kind": "bot"}
        await self.say(
            {
                "t": "welcome",
                "re": hello["id"],
                "player": player,
                "now": 0,
                "heartbeat_ms": 15_000,
                "server_key": key,
                "log_key": log_key,
            }
        )
        return hello

    async def close(self, code: int) -> None:
        """Close with a code."""
        await self._socket.close(code)

    async def cut(self) -> None:
        """Lose the line without a word."""
        self._socket.transport.abort()


Handler = Callable[[Line], Awaitable[None]]


class Server:
    """Where it listens, and every connection that came."""

    def __init__(self) -> None:
        self.url = ""
        self.lines: list[Line] = []


@asynccontextmanager
async def serving(*handlers: Handler) -> AsyncIterator[Server]:
    """Serve the n-th connection by the n-th handler, later ones by the last."""
    server = Server()

    async def handle(socket: ServerConnection) -> None:
        line = Line(socket)
        server.lines.append(line)
        handler = handlers[min(len(server.lines), len(handlers)) - 1]
        try:
            await handler(line)
            await socket.wait_closed()
        except ConnectionClosed:
            pass

    def over_http(connection: ServerConnection, request: Request) -> Response | None:
        """Answer that no key was ever rotated, and that no proof is to be had just now."""
        if request.path == KEYS:
            return connection.respond(HTTPStatus.NOT_FOUND, "")
        if request.headers.get("Upgrade") is None:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "")
        return None

    async with serve(
        handle,
        "127.0.0.1",
        0,
        subprotocols=[Subprotocol("pakka.v1")],
        process_request=over_http,
        ping_interval=None,
    ) as listening:
        port = next(iter(listening.sockets)).getsockname()[1]
        server.url = f"http://127.0.0.1:{port}"
        yield server
