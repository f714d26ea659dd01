"""One player's line to the house: it finds any process, keeps what comes, and can be hurt."""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from tests.acceptance.wiretap import TEXT, frame_at

BLOCK = 65_536


class Came(NamedTuple):
    """A frame as it came: its text, and what it says."""

    text: str
    frame: dict[str, Any]


class Line:
    """A relay that knows the ports of all processes: a client that knows `url` knows them all."""

    def __init__(self, name: str, ports: Callable[[], Sequence[int]], random: Random) -> None:
        self.name = name
        self.url = ""
        self.delay_s = 0.0
        self.drops = 0
        self._ports = ports
        self._random = random
        self._server: asyncio.Server | None = None
        self._kept: list[bytearray] = []
        self._near: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen for the client."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Close everything."""
        assert self._server is not None
        self._server.close()
        self.drop()
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    def drop(self) -> None:
        """Lose every connection, in mid-frame if it so happens."""
        self.drops += len(self._near)
        for writer in self._near:
            writer.transport.abort()

    def frames(self) -> Iterator[Came]:
        """Give every frame that the house has sent to this player, socket after socket."""
        for data in self._kept:
            if not data.startswith(b"HTTP/1.1 101"):
                continue
            at = data.index(b"\r\n\r\n") + 4
            while (one := frame_at(data, at)) is not None:
                opcode, start, at = one
                if opcode == TEXT:
                    said = data[start:at].decode("utf-8")
                    yield Came(said, json.loads(said))

    def answers(self) -> Iterator[bytes]:
        """Give what came over HTTP."""
        return (bytes(data) for data in self._kept if not data.startswith(b"HTTP/1.1 101"))

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._near.add(writer)
        with suppress(OSError):
            await self._carry(reader, writer)
        self._near.discard(writer)
        self._tasks.discard(task)
        writer.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await self._reach()
        kept = bytearray()
        self._kept.append(kept)
        both = [
            asyncio.create_task(self._pump(reader, far_writer, None)),
            asyncio.create_task(self._pump(far_reader, writer, kept)),
        ]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            far_writer.close()

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to a process, any that listens. Errors: OSError if none does."""
        ports = list(self._ports())
        self._random.shuffle(ports)
        for port in ports[:-1]:
            with suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", port)
        return await asyncio.open_connection("127.0.0.1", ports[-1])

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kept: bytearray | None
    ) -> None:
        while block := await reader.read(BLOCK):
            if kept is not None:
                kept += block
            if self.delay_s:
                await asyncio.sleep(self.delay_s)
            writer.write(block)
            await writer.drain()
