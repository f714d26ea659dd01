"""How a call may end, and what its caller makes of that."""

import asyncio
from dataclasses import dataclass

from server.errors import Fault, Refusal
from server.messenger.counts import Counts


@dataclass(frozen=True, slots=True)
class Done:
    """The service's answer."""

    body: bytes


@dataclass(frozen=True, slots=True)
class Refused:
    """The service's refusal, or that of a process with too much in hand."""

    code: str
    text: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """Something of ours is broken over there; the text says what."""

    text: str


Answer = Done | Refused | Failed

Awaited = asyncio.Future[Answer]
"""The answer that a caller waits for."""

TOO_MANY = Refused("busy", "the process has too many calls in hand")


def settle(awaited: Awaited, answer: Answer) -> None:
    """Give a caller its answer, unless it has one or is gone."""
    if not awaited.done():
        awaited.set_result(answer)


async def answer_in_time(awaited: Awaited, timeout_s: float, counts: Counts) -> bytes:
    """Wait for the answer to a call.

    Errors: Refusal, Fault as the answer says; Refusal("busy") if there is none in time.
    """
    try:
        async with asyncio.timeout(timeout_s):
            answer = await awaited
    except TimeoutError:
        counts.calls_timed_out += 1
        raise Refusal("busy", "the other process does not answer in time") from None
    match answer:
        case Done(body):
            return body
        case Refused(code, text, field):
            raise Refusal(code, text, field)
        case Failed(text):
            raise Fault(text)
