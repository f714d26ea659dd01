"""The messenger against a real Valkey: ready, gone, and never there."""

import pytest

from server.embedded import EmbeddedValkey
from server.errors import Fault
from server.messenger import Messenger


async def test_without_an_address_there_is_nothing_to_wait_for() -> None:
    messenger = Messenger(None)
    await messenger.connect()
    assert await messenger.is_ready()
    await messenger.close()


async def test_it_is_ready_as_long_as_the_server_answers() -> None:
    server = EmbeddedValkey.start()
    messenger = Messenger(server.url)
    try:
        await messenger.connect()
        assert await messenger.is_ready()
        server.stop()
        assert not await messenger.is_ready()
    finally:
        server.stop()
        await messenger.close()


async def test_a_server_that_does_not_answer_stops_the_start() -> None:
    messenger = Messenger("redis://:s3cret@127.0.0.1:1/0")
    with pytest.raises(Fault, match="REDIS_URL") as fault:
        await messenger.connect()
    assert "s3cret" not in str(fault.value)
    await messenger.close()


def test_a_wrong_address_is_named_without_its_password() -> None:
    with pytest.raises(Fault, match="REDIS_URL") as fault:
        Messenger("ftp://:s3cret@somewhere")
    assert "s3cret" not in str(fault.value)
