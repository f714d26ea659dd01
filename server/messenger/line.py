"""One connection to Redis, with a deadline on all that could hang and no repair of its own.

redis-py's pub/sub connects again by itself, in ways that have been known to end in silence. Here a
line that breaks stays broken: its user opens another one and knows what that means.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from redis.asyncio.connection import ConnectionPool, parse_url
from redis.exceptions import RedisError

from server.errors import Fault

ANSWER_MAX_S: Final = 2
"""Time in which Redis must take a command, or answer one."""

FIRST_DELAY_S: Final = 0.05
DELAY_MAX_S: Final = 1.0
"""The waits before a line is opened again: the first, which doubles, and the longest."""

BROKEN: Final = (RedisError, OSError, TimeoutError)
"""What a broken line raises."""


class Address:
    """Where Redis is, and how to speak with it."""

    def __init__(self, url: str) -> None:
        """Take a `redis://` address. Errors: Fault if it is none; its password is not repeated."""
        try:
            given: Mapping[str, Any] = parse_url(url)
        except ValueError:
            raise Fault("REDIS_URL is not an address of the form redis://...") from None
        # deadlines are the line's; RESP2 alone has all that is said to a subscriber in one stream
        ours = {"protocol": 2, "decode_responses": False, "socket_timeout": None}
        self._pool: Any = ConnectionPool(
            **{**given, **ours, "socket_connect_timeout": ANSWER_MAX_S}
        )

    async def open_line(self) -> "Line":
        """Connect and sign in. Errors: one of `BROKEN`."""
        line = Line(self._pool.make_connection())
        try:
            async with asyncio.timeout(ANSWER_MAX_S):
                await line.connect()
        except BaseException:
            await line.close()
            raise
        return line

    def __repr__(self) -> str:
        return "<Address>"


class Line:
    """A connection; one task writes to it, and one reads."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def connect(self) -> None:
        """Connect, once."""
        await self._connection.connect()

    async def send(self, *commands: tuple[bytes, ...]) -> None:
        """Write commands in one go. Errors: one of `BROKEN`."""
        async with asyncio.timeout(ANSWER_MAX_S):
            await self._connection.send_packed_command(
                self._connection.pack_commands(commands), check_health=False
            )

    async def read(self) -> Any:
        """Wait for the next thing that Redis says. Errors: one of `BROKEN`."""
        return await self._connection.read_response()

    async def close(self) -> None:
        """Close the connection, without a word."""
        await self._connection.disconnect(nowait=True)
