"""Where a request or a socket comes from, as limits count it."""

from collections.abc import Mapping
from ipaddress import IPv6Network
from typing import Any, Final

SUBSCRIBER_BITS: Final = 64
TRUSTED_ADDRESSES: Final = frozenset({"127.0.0.1", "::1"})
"""This machine: its bots, its commands, or a proxy, which has limits of its own."""


def address_of(scope: Mapping[str, Any]) -> str:
    """Tell the address that a request came from, of IPv6 the network that one subscriber has.

    Proxies' headers are not read here: the server has put in their word, if they are ours.
    """
    client = scope.get("client")
    written = str(client[0]) if client else ""
    if ":" not in written or written in TRUSTED_ADDRESSES:
        return written
    try:
        return str(IPv6Network((written.split("%")[0], SUBSCRIBER_BITS), strict=False))
    except ValueError:
        return written  # a proxy's own way to write it
