"""Redis, or nothing: what carries messages between processes.

One process does it all on its own: then there is nothing to carry and the messenger is always
ready. With `REDIS_URL` given it must be reachable, at the start and whenever `/readyz` asks.
"""

from typing import Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.errors import Fault

ANSWER_MAX_S: Final = 2


class Messenger:
    """The connection to Redis, if there is one."""

    def __init__(self, url: str | None) -> None:
        """Take a `redis://` address; nothing is opened before the first use.

        Errors: Fault if it is no such address; its password is not repeated.
        """
        try:
            self._redis = None if url is None else _client(url)
        except ValueError:
            raise Fault("REDIS_URL is not an address of the form redis://...") from None

    async def connect(self) -> None:
        """Find out at the start whether Redis answers.

        Errors: Fault if it does not.
        """
        if not await self.is_ready():
            raise Fault("REDIS_URL: there is no Redis that answers at that address")

    async def is_ready(self) -> bool:
        """Tell whether messages would go through just now."""
        if self._redis is None:
            return True
        try:
            return bool(await self._redis.ping())
        except (RedisError, OSError, TimeoutError):
            return False

    async def close(self) -> None:
        """Close the connections."""
        if self._redis is not None:
            await self._redis.aclose()


def _client(url: str) -> Redis:
    return Redis.from_url(
        url, socket_timeout=ANSWER_MAX_S, socket_connect_timeout=ANSWER_MAX_S, protocol=3
    )
