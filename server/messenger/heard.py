"""What a subscriber hears of its topic, and how much of it may wait."""

from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Final

BODY_MAX_BYTES: Final = 2 * 1_048_576
"""The largest body that is carried: twice a client's largest frame, and any fact's."""


class Lost(Enum):
    """Word that a topic's messages may be missing: what they said is to be read elsewhere."""

    LOST = "lost"


LOST: Final = Lost.LOST

Heard = bytes | Lost
Handler = Callable[[Heard], Awaitable[None]]
"""Hears one topic, one message after the other. If it raises, it hears `LOST` a second later."""

Service = Callable[[bytes], Awaitable[bytes]]
"""Answers one kind of call; it may raise Refusal, which the caller gets as its own."""
