"""The start of a messenger, and what `/readyz` asks of it."""

import pytest

from server.embedded import EmbeddedValkey
from server.errors import Fault
from server.messenger import LocalMessenger, RedisMessenger, fresh_owner, open_messenger
from tests.messenger.conftest import Open

KEY = bytes(32)


async def test_without_an_address_there_is_nothing_to_wait_for() -> None:
    messenger = open_messenger(None, owner="one", key=KEY)
    assert isinstance(messenger, LocalMessenger)
    await messenger.connect()
    assert await messenger.is_ready()
    await messenger.close()


async def test_it_is_ready_as_long_as_the_server_answers(
    own_valkey: EmbeddedValkey, opened: Open
) -> None:
    messenger = await opened(own_valkey.url, "one")
    assert await messenger.is_ready()
    own_valkey.stop()
    assert not await messenger.is_ready()


async def test_a_server_that_does_not_answer_stops_the_start() -> None:
    messenger = open_messenger("redis://:s3cret@127.0.0.1:1/0", owner="one", key=KEY)
    assert isinstance(messenger, RedisMessenger)
    with pytest.raises(Fault, match="REDIS_URL") as fault:
        await messenger.connect()
    assert "s3cret" not in str(fault.value)
    await messenger.close()


async def test_a_wrong_password_stops_the_start(valkey: EmbeddedValkey) -> None:
    messenger = RedisMessenger(valkey.url.replace("//:", "//:not-"), owner="one", key=KEY)
    with pytest.raises(Fault, match="REDIS_URL"):
        await messenger.connect()
    await messenger.close()


def test_a_wrong_address_is_named_without_its_password() -> None:
    with pytest.raises(Fault, match="REDIS_URL") as fault:
        open_messenger("ftp://:s3cret@somewhere", owner="one", key=KEY)
    assert "s3cret" not in str(fault.value)


async def test_what_was_never_connected_can_be_closed(valkey: EmbeddedValkey) -> None:
    await RedisMessenger(valkey.url, owner="one", key=KEY).close()


def test_no_two_starts_have_the_same_name() -> None:
    assert len({fresh_owner() for _ in range(100)}) == 100
