"""`pakka play` on a line that is lost for some tries, and found again."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from server.cli.terminal import LINE_BACK, LINE_LOST
from tests.chaos.line import Line
from tests.cli.conftest import COMMAND_S, Served

NOWHERE = 9
"""A port where nobody listens."""

TRIES = 3


class Wire:
    """A line to the house that can be cut until it is mended."""

    def __init__(self, url: str) -> None:
        self._port = int(url.rsplit(":", 1)[1])
        self._is_cut = False
        self.tries = 0
        self.line = Line("play", self._ports, Random(1))

    def _ports(self) -> list[int]:
        self.tries += self._is_cut
        return [NOWHERE if self._is_cut else self._port]

    def cut(self) -> None:
        self._is_cut = True
        self.line.drop()

    async def mend_after_tries(self) -> None:
        while self.tries < TRIES:
            await asyncio.sleep(0.02)
        self._is_cut = False


@pytest.fixture
async def wire(served: Served) -> AsyncIterator[Wire]:
    wire = Wire(served.url)
    await wire.line.start()
    yield wire
    await wire.line.stop()


async def _until(out: asyncio.StreamReader, said: list[str], text: str) -> None:
    while True:
        line = (await out.readline()).decode()
        assert line, f"it ended without {text!r}: {said}"
        said.append(line)
        if text in line:
            return


async def _played(served: Served, wire: Wire, folder: Path, *options: str) -> list[str]:
    """Play on a line that is lost and found again, then quit; the lines of standard output."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server.cli", "play", "--url", wire.line.url),
        *("--folder", str(folder), *options),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        env=served.environment(),
    )
    assert process.stdout is not None
    said: list[str] = []
    try:
        async with asyncio.timeout(COMMAND_S):
            await _until(process.stdout, said, "groups")  # its turn: it sits and plays
            wire.cut()
            await _until(process.stdout, said, LINE_LOST)
            await wire.mend_after_tries()
            await _until(process.stdout, said, LINE_BACK)
            out, err = await process.communicate(b"quit\n")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert (process.returncode, err) == (0, b"")
    return said + out.decode().splitlines()


async def test_a_line_that_is_lost_and_found_again_is_told_once_each(
    served: Served, wire: Wire, tmp_path: Path
) -> None:
    said = [line.strip() for line in await _played(served, wire, tmp_path)]
    assert [line for line in said if "the line" in line] == [LINE_LOST, LINE_BACK]


async def test_a_program_is_told_of_its_line_by_documents(
    served: Served, wire: Wire, tmp_path: Path
) -> None:
    said = [json.loads(line) for line in await _played(served, wire, tmp_path, "--json")]
    told = [one for one in said if str(one.get("say")).startswith("line")]
    assert told == [
        {"say": "line_lost", "text": LINE_LOST},
        {"say": "line_back", "text": LINE_BACK},
    ]
