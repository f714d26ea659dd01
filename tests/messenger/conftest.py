"""A real Valkey, and messengers that are closed again."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest

from server.embedded import EmbeddedValkey
from server.messenger import LocalMessenger, Messenger, RedisMessenger
from tests.messenger.relay import Relay

Open = Callable[..., Awaitable[RedisMessenger]]


@pytest.fixture(scope="session")
def valkey() -> Iterator[EmbeddedValkey]:
    """A server that nobody may break."""
    server = EmbeddedValkey.start()
    yield server
    server.stop()


@pytest.fixture
def own_valkey() -> Iterator[EmbeddedValkey]:
    """A server of the test's own."""
    server = EmbeddedValkey.start()
    yield server
    server.stop()


@pytest.fixture
def key() -> bytes:
    """The key of a house of the test's own: nobody else hears it, on the same server too."""
    return secrets.token_bytes(32)


@pytest.fixture
async def opened(key: bytes) -> AsyncIterator[Open]:
    """Opens messengers, as other processes would, that are closed after the test."""
    messengers: list[RedisMessenger] = []

    async def open_one(url: str, owner: str, *, key: bytes = key) -> RedisMessenger:
        messenger = RedisMessenger(url, owner=owner, key=key)
        messengers.append(messenger)
        await messenger.connect()
        return messenger

    yield open_one
    for messenger in messengers:
        await messenger.close()


@pytest.fixture(params=["local", "redis"])
async def both(
    request: pytest.FixtureRequest, opened: Open
) -> AsyncIterator[tuple[Messenger, Messenger]]:
    """One who asks and one who is called `far`: the same in a house of one process."""
    if request.param == "local":
        messenger = LocalMessenger(owner="far")
        await messenger.connect()
        yield messenger, messenger
        await messenger.close()
    else:
        url = request.getfixturevalue("valkey").url
        yield await opened(url, "near"), await opened(url, "far")


@pytest.fixture
async def relay(own_valkey: EmbeddedValkey) -> AsyncIterator[Relay]:
    """A line to the test's own server that can be broken."""
    relay = Relay(own_valkey.url)
    yield relay
    await relay.stop()
