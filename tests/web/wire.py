"""A client of the tests: it can say anything, also what no honest client would."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from server.main import House

WAIT_S = 30
"""How long an answer may take: no clock of a test, only the patience with a slow machine."""

API = "/api/v1"
Frame = dict[str, Any]


def socket_url(house: House) -> str:
    return house.url.replace("http", "ws", 1) + "/ws"


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def guest(house: House, name: str = "Anu") -> str:
    """Come in as a guest; the token."""
    async with httpx.AsyncClient(base_url=house.url, timeout=WAIT_S, trust_env=False) as http:
        answer = await http.post(f"{API}/guests", json={"name": name})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["token"])


async def refused(answer: httpx.Response) -> tuple[int, str, str | None]:
    """Read an HTTP refusal: its form is always the same."""
    body = answer.json()
    assert set(body) == {"code", "text", "field"}, body
    assert "Traceback" not in body["text"]
    return answer.status_code, body["code"], body["field"]


class Line:
    """A socket with its frames sorted: replies by id, the rest in order."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[Frame] = []
        self._count = 0

    async def say(self, frame: Mapping[str, Any] | str | bytes) -> None:
        text = frame if isinstance(frame, str | bytes) else json.dumps(frame)
        await self.socket.send(text)

    async def hear(self) -> Frame:
        """Wait for the next frame but the server's pings."""
        while True:
            async with asyncio.timeout(WAIT_S):
                frame: Frame = json.loads(await self.socket.recv())
            if frame["t"] != "ping":
                return frame

    async def ask(self, t: str, **fields: Any) -> Frame:
        """Send a command and wait for its reply; what comes before it is kept in `frames`."""
        self._count += 1
        frame = {"t": t, "id": f"c{self._count}", **fields}
        await self.say(frame)
        return await self.reply_to(frame["id"])

    async def reply_to(self, re: str | None) -> Frame:
        while True:
            frame = await self.hear()
            if frame["t"] in {"ok", "refused"} and frame["re"] == re:
                return frame
            self.frames.append(frame)

    async def until(self, t: str, e: str | None = None) -> Frame:
        """Wait for a snapshot, or for an event of that name."""
        for place, frame in enumerate(self.frames):
            if _fits(frame, t, e):
                del self.frames[: place + 1]
                return frame
        self.frames.clear()
        while True:
            frame = await self.hear()
            if _fits(frame, t, e):
                return frame

    async def close_code(self) -> int:
        """Wait until the server closes; frames on the way are dropped."""
        async with asyncio.timeout(2 * WAIT_S):
            with suppress(ConnectionClosed):
                while True:
                    await self.socket.recv()
        code = self.socket.close_code
        assert code is not None, "the line broke without a close"
        return code


def _fits(frame: Frame, t: str, e: str | None) -> bool:
    return frame["t"] == t and (e is None or (frame["d"] or {}).get("e") == e)


@asynccontextmanager
async def line_to(
    house: House,
    *,
    protocols: tuple[str, ...] = ("pakka.v1",),
    origin: str | None = None,
    cookie: str | None = None,
    source: str = "127.0.0.1",
) -> AsyncIterator[Line]:
    """Open a socket that has said nothing yet, from an address of this machine."""
    headers = {"Cookie": cookie} if cookie else {}
    async with connect(
        socket_url(house),
        subprotocols=[Subprotocol(one) for one in protocols] or None,
        origin=Origin(origin) if origin else None,
        additional_headers=headers,
        local_addr=(source, 0),
        proxy=None,
        ping_interval=None,
        max_size=4 * 2**20,
    ) as socket:
        yield Line(socket)


@asynccontextmanager
async def signed_in(
    house: House, token: str, *, resume: list[Frame] | None = None
) -> AsyncIterator[Line]:
    """Open a socket and say hello."""
    async with line_to(house) as line:
        hello: Frame = {"t": "hello", "id": "h", "token": token}
        if resume is not None:
            hello["resume"] = resume
        await line.say(hello)
        welcome = await line.hear()
        assert welcome["t"] == "welcome", welcome
        yield line
