"""A server that sends each text to the six who are in the sender's room, and knows nothing else.

python -m tests.load.echo        prints its port
"""

import asyncio
from collections import defaultdict
from contextlib import suppress

import uvloop
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

BACKLOG = 1024


async def main() -> None:
    """Serve until killed; the path names the room."""
    rooms: dict[str, set[ServerConnection]] = defaultdict(set)

    async def handle(line: ServerConnection) -> None:
        assert line.request is not None
        room = rooms[line.request.path]
        room.add(line)
        try:
            with suppress(ConnectionClosed):
                async for text in line:
                    for one in tuple(room):
                        await one.send(text)
        finally:
            room.discard(line)

    async with serve(handle, "127.0.0.1", 0, compression=None, backlog=BACKLOG) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    uvloop.run(main())
