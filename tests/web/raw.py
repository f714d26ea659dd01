"""A connection without a client: a test writes what it likes, when it likes."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from server.main import House
from tests.web.wire import WAIT_S


class Raw:
    """An open connection to a house."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def say(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def all(self) -> bytes:
        """Read until the house closes."""
        async with asyncio.timeout(WAIT_S):
            try:
                return await self.reader.read()
            except ConnectionError:
                return b""

    async def refusal(self) -> tuple[int, str]:
        """Read a refusal to its end: status and code."""
        head, _, body = (await self.all()).partition(b"\r\n\r\n")
        refused: dict[str, Any] = json.loads(body)
        return int(head.split()[1]), refused["code"]


@asynccontextmanager
async def connected(house: House, *, source: str = "127.0.0.1") -> AsyncIterator[Raw]:
    """Open a connection from an address of this machine."""
    port = int(house.url.rsplit(":", 1)[1])
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    try:
        yield Raw(reader, writer)
    finally:
        writer.transport.abort()
        await asyncio.sleep(0)
