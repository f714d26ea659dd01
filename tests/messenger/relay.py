"""A line between one process and Redis that can be cut, or fall silent without a word."""

import asyncio
from contextlib import suppress
from urllib.parse import urlsplit

CHUNK_BYTES = 65_536


class Relay:
    """Passes bytes on between whoever connects and a server."""

    def __init__(self, url: str) -> None:
        self._there = urlsplit(url)
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self._is_cut = False
        self.accepted = 0

    async def start(self) -> str:
        """Listen; the server's address by way of here."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        return f"redis://:{self._there.password}@127.0.0.1:{port}/0"

    def freeze(self) -> None:
        """Pass nothing on, on lines that are open and on new ones; none of them is closed."""
        self._flows.clear()

    def thaw(self) -> None:
        """Pass on again, on new lines: those that were silent stay so."""
        self._flows = asyncio.Event()
        self._flows.set()

    def cut(self) -> None:
        """Close all lines, and each new one at once."""
        self._is_cut = True
        for task in self._tasks:
            task.cancel()

    def mend(self) -> None:
        """Let lines be opened again."""
        self._is_cut = False

    async def stop(self) -> None:
        """Close everything."""
        assert self._server is not None
        self._server.close()
        self.cut()
        while self._tasks:
            await asyncio.wait(set(self._tasks))
        await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        if self._is_cut:
            writer.close()
            return
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        # a task of asyncio's server that ends cancelled is reported as an error
        with suppress(asyncio.CancelledError, OSError, ExceptionGroup):
            await self._pass_on(reader, writer)
        writer.close()
        self._tasks.discard(task)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = self._there.hostname, self._there.port
        there_reader, there_writer = await asyncio.open_connection(host, port)
        flows = self._flows

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            while some := await source.read(CHUNK_BYTES):
                await flows.wait()
                sink.write(some)
                await sink.drain()
            raise ConnectionResetError  # ends the other direction too

        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(pump(reader, there_writer))
                group.create_task(pump(there_reader, writer))
        finally:
            there_writer.close()
