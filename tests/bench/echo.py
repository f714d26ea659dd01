"""A server that sends every text to everybody who is connected, and knows nothing else.

    python -m tests.bench.echo        prints its port

What a move can't be told faster than: the same sockets, the same event loop, no table behind them.
"""

import asyncio

import uvloop
from websockets.asyncio.server import ServerConnection, serve


async def main() -> None:
    """Serve until killed."""
    lines: set[ServerConnection] = set()

    async def handle(line: ServerConnection) -> None:
        lines.add(line)
        try:
            async for text in line:
                for one in tuple(lines):
                    await one.send(text)
        finally:
            lines.discard(line)

    async with serve(handle, "127.0.0.1", 0, compression=None) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    uvloop.run(main())
