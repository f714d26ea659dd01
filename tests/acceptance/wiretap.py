"""A tap on one receiver's line: a proxy that keeps every byte which the server sends to it."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

BLOCK = 65_536
TEXT = 1
FINAL = 0x80


class Heard(NamedTuple):
    """A frame of a socket: when it was whole, its text, and what it says."""

    at_s: float
    text: str
    frame: dict[str, Any]


@dataclass(slots=True)
class Connection:
    """The bytes of one connection, and when each block came."""

    data: bytearray = field(default_factory=bytearray)
    blocks: list[tuple[int, float]] = field(default_factory=list)

    @property
    def is_socket(self) -> bool:
        """Tell whether it has become a WebSocket."""
        return self.data.startswith(b"HTTP/1.1 101")

    def frames(self) -> list[Heard]:
        """Read the server's frames; all are whole, unmasked and not compressed."""
        at = self.data.index(b"\r\n\r\n") + 4
        found = []
        while (one := frame_at(self.data, at)) is not None:
            opcode, start, at = one
            if opcode == TEXT:
                text = self.data[start:at].decode("utf-8")
                found.append(Heard(self._when(at), text, json.loads(text)))
        return found

    def _when(self, end: int) -> float:
        return next(at_s for upto, at_s in self.blocks if upto >= end)


def frame_at(data: bytearray, at: int) -> tuple[int, int, int] | None:
    """Find (opcode, begin, end) of the payload of the frame at `at`; None if it is not whole."""
    if len(data) < at + 10 and len(data) < at + 2 + (
        data[at + 1] & 0x7F if len(data) > at + 1 else 9
    ):
        return None
    assert data[at] & 0x70 == 0, "a frame is compressed"
    assert data[at] & FINAL, "a frame is in parts"
    assert data[at + 1] & 0x80 == 0, "a server's frame is masked"
    size, start = data[at + 1], at + 2
    if size >= 126:
        width = 2 if size == 126 else 8
        size, start = int.from_bytes(data[start : start + width], "big"), start + width
    return (data[at] & 0x0F, start, start + size) if start + size <= len(data) else None


class Tap:
    """One receiver's line. Its client knows the server by `url` alone."""

    def __init__(self, name: str, port: int) -> None:
        self.name = name
        self.url = ""
        self.connections: list[Connection] = []
        self._port = port

    def frames(self) -> list[Heard]:
        """All frames that came, in order, over every socket that this receiver had."""
        sockets = [one for one in self.connections if one.is_socket]
        return sorted((heard for one in sockets for heard in one.frames()), key=lambda h: h.at_s)

    def answers(self) -> list[bytes]:
        """What came over HTTP, whole connections."""
        return [bytes(one.data) for one in self.connections if not one.is_socket]

    @property
    def size(self) -> int:
        """Count the bytes."""
        return sum(len(one.data) for one in self.connections)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection both ways until either end has gone."""
        connection = Connection()
        self.connections.append(connection)
        with suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
            both = [
                asyncio.create_task(_pump(reader, far_writer, None)),
                asyncio.create_task(_pump(far_reader, writer, connection)),
            ]
            try:
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in both:
                    task.cancel()
                await asyncio.gather(*both, return_exceptions=True)
                far_writer.close()
        writer.close()


async def _pump(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kept: Connection | None
) -> None:
    while block := await reader.read(BLOCK):
        if kept is not None:
            kept.data += block
            kept.blocks.append((len(kept.data), time.time()))
        writer.write(block)
        await writer.drain()


@asynccontextmanager
async def tapped(name: str, port: int) -> AsyncIterator[Tap]:
    """Put a tap between a receiver and the server at `port`."""
    tap = Tap(name, port)
    server = await asyncio.start_server(tap.carry, "127.0.0.1", 0)
    tap.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield tap
    finally:
        server.close()
