"""What a messenger has carried and dropped since its start, for those who watch this process."""

from dataclasses import dataclass


@dataclass(slots=True)
class Counts:
    """Numbers that only grow."""

    published: int = 0
    heard: int = 0
    """Messages that subscriptions here were told."""

    lost: int = 0
    """Times that a subscription was told that messages may be missing; its start is one."""

    reconnects: int = 0
    """Connections to Redis that were opened again, of both."""

    calls: int = 0
    """Calls to a process, this one too."""

    calls_timed_out: int = 0
    """Calls that had no answer in time."""

    calls_answered: int = 0
    """Calls that this process took to answer."""

    unreadable: int = 0
    """Messages that the house did not seal for where they came, or that were changed."""

    unknown: int = 0
    """Answers that nobody awaited any more."""
