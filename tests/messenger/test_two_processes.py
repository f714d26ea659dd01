"""Two processes that are really two."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.embedded import EmbeddedValkey
from server.errors import Refusal
from tests.messenger.conftest import Open
from tests.messenger.ears import listening, numbered, until

ROOT = Path(__file__).parents[2]

# answers calls and publishes when it is called, until its standard input ends
FAR = """
import asyncio, sys
from server.messenger import open_messenger

async def main():
    url, key = sys.stdin.readline().split()
    far = open_messenger(url, owner="far", key=bytes.fromhex(key))

    async def count(body):
        for number in range(int(body)):
            far.publish("numbers", str(number).encode())
        return b"counted " + body

    far.serve("count", count)
    await far.connect()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await far.close()

asyncio.run(main())
"""


@pytest.fixture
async def far(valkey: EmbeddedValkey, key: bytes) -> AsyncIterator[asyncio.subprocess.Process]:
    """The other process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", FAR,
        cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{valkey.url} {key.hex()}\n".encode())
    assert await process.stdout.readline() == b"ready\n"
    yield process
    process.stdin.close()
    assert await process.wait() in {0, -signal.SIGKILL}


async def test_calls_and_topics_go_from_process_to_process(
    valkey: EmbeddedValkey, opened: Open, far: asyncio.subprocess.Process
) -> None:
    near = await opened(valkey.url, "near")
    ear = await listening(near, "numbers")
    assert await near.call("far", "count", b"100", timeout_s=20) == b"counted 100"
    await ear.until_heard(b"99")
    assert ear.heard[1:] == numbered(100)


async def test_what_a_call_published_is_heard_before_its_answer(
    valkey: EmbeddedValkey, opened: Open, far: asyncio.subprocess.Process
) -> None:
    near = await opened(valkey.url, "near")
    ear = await listening(near, "numbers")
    for _ in range(20):
        await near.call("far", "count", b"1", timeout_s=20)
        await asyncio.sleep(0)  # the handler is a task: it was told, and runs now
    assert ear.heard[1:] == [b"0"] * 20


async def test_a_call_to_a_process_that_was_killed_is_refused(
    valkey: EmbeddedValkey, opened: Open, far: asyncio.subprocess.Process
) -> None:
    near = await opened(valkey.url, "near")
    far.send_signal(signal.SIGKILL)
    await far.wait()

    async def refused() -> bool:
        try:
            await near.call("far", "count", b"1", timeout_s=5)
        except Refusal as refusal:
            return refusal.code == "busy"
        return False

    assert await refused()


async def test_a_stopped_process_answers_when_it_goes_on(
    valkey: EmbeddedValkey, opened: Open, far: asyncio.subprocess.Process
) -> None:
    near = await opened(valkey.url, "near")
    far.send_signal(signal.SIGSTOP)
    with pytest.raises(Refusal, match="busy"):
        await near.call("far", "count", b"1", timeout_s=0.3)
    far.send_signal(signal.SIGCONT)
    assert await near.call("far", "count", b"2", timeout_s=20) == b"counted 2"
    await until(lambda: near.counts.unknown == 1)
