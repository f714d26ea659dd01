"""What carries bytes between the processes of a house: Redis, or nothing but this process.

Owns:     topics and who listens to them, calls and who answers them, the connections to Redis and
          the encryption of all that crosses it.
Promises: a topic's messages come in order, and where one may be missing the subscriber hears `LOST`
          and reads the journal instead; a call ends in time; nobody waits for a slow handler but
          itself; who reads Redis reads neither a body nor the name of a topic. Nothing here is
          kept: PostgreSQL is the judge.
Imports:  redis-py, cryptography, pydantic; `errors` below. It knows no table and no web.
"""

import os
import secrets
import socket

from server.messenger.by_redis import RedisMessenger
from server.messenger.contract import Messenger
from server.messenger.counts import Counts
from server.messenger.heard import LOST, Handler, Heard, Lost, Service
from server.messenger.local import LocalMessenger
from server.messenger.subscriptions import Subscription

__all__ = [
    "KEY_PURPOSE",
    "LOST",
    "Counts",
    "Handler",
    "Heard",
    "LocalMessenger",
    "Lost",
    "Messenger",
    "RedisMessenger",
    "Service",
    "Subscription",
    "fresh_owner",
    "open_messenger",
]

KEY_PURPOSE = "pakka/messenger/1"
"""What the messenger's key is derived for from the house's sealing key."""


def fresh_owner() -> str:
    """Name this process for this start alone: leases and calls go by it."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def open_messenger(url: str | None, *, owner: str, key: bytes) -> Messenger:
    """Choose the messenger of a process: by Redis, or without an address a local one.

    Shape:  `owner` is this process's name, unique for each start; `key` 32 bytes that all
            processes of the house have. Nothing is opened before `connect`.
    Errors: Fault if the address is not one of Redis; its password is not repeated.
    """
    if url is None:
        return LocalMessenger(owner=owner)
    return RedisMessenger(url, owner=owner, key=key)
