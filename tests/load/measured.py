"""One measurement: a house, its tables, players in a process of their own, and the echo."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx

from server.database import Database, Transaction
from server.tables.service import open_table
from tests.acceptance.served import HTTP_S, Served, serving, wait_for_table
from tests.bench.moves import cpu_of

LINE_BYTES_MAX: Final = 2**26
TURN_MS: Final = 120_000
GUESTS_AT_ONCE: Final = 4
END_S: Final = 300
"""The wait for some thousand sockets to be closed in an orderly way."""

SETTINGS: Final = {
    "PAKKA_PRACTICE_BOTS": "0",
    "PAKKA_SOCKETS_MAX": "100000",
    "PAKKA_COMMIT_MS": "60000",
    "PAKKA_REVEAL_MS": "60000",
    "PAKKA_PRESENCE_MS": "600000",
}


@dataclass(frozen=True, slots=True)
class Order:
    """What to measure. Units: seconds between two moves of a table, and of the measurement."""

    tables: int
    seats: int
    every_s: float
    play_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What was found. Units: pairs are the median and the 99th percentile; KB are 1 024 bytes."""

    tables: int
    sockets: int
    moves: int
    moves_per_s: float
    ok_ms: tuple[float, float]
    all_ms: tuple[float, float]
    echo_ms: tuple[float, float]
    cpu_ms: float
    table_kb: float
    socket_kb: float
    frame_bytes: float
    late: int
    clock_moves: int
    failures: list[str] = field(default_factory=list)

    @property
    def ratio(self) -> tuple[float, float]:
        """How much slower than the echo the last seat hears, at the median and at the 99th."""
        (half, most), (echo_half, echo_most) = self.all_ms, self.echo_ms
        return half / echo_half, most / echo_most

    def document(self) -> dict[str, object]:
        """Write it as JSON holds it."""
        return {**asdict(self), "ratio": self.ratio}


async def measure(order: Order) -> Row:
    """Measure the house, then the echo of as many frames of the same size."""
    async with serving(SETTINGS) as served:
        bare_kb = _rss_kb(served.pid)
        tables = await _open_tables(served, order)
        tables_kb = _rss_kb(served.pid)
        common = {"every_s": order.every_s, "play_s": order.play_s}
        async with _bots({**common, "echo": False, "url": served.url, "tables": tables}) as bots:
            seated_kb = _rss_kb(served.pid)
            cpu_s = cpu_of(served.pid) or 0.0
            found = await bots.play()
            cpu_s = (cpu_of(served.pid) or 0.0) - cpu_s
    echo = await _measure_echo(order, round(found["frame_bytes"]))
    moves, sockets = len(found["ok_s"]), order.tables * order.seats
    return Row(
        tables=order.tables,
        sockets=sockets,
        moves=moves,
        moves_per_s=moves / found["took_s"],
        ok_ms=_pair_ms(found["ok_s"]),
        all_ms=_pair_ms(found["all_s"]),
        echo_ms=_pair_ms(echo["all_s"]),
        cpu_ms=cpu_s * 1000 / max(1, moves),
        table_kb=(tables_kb - bare_kb) / order.tables,
        socket_kb=(seated_kb - tables_kb) / sockets,
        frame_bytes=found["frame_bytes"],
        late=found["late"],
        clock_moves=found["clock_moves"],
        failures=found["failures"],
    )


async def _measure_echo(order: Order, size: int) -> dict[str, Any]:
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.load.echo", stdout=asyncio.subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        url = f"ws://127.0.0.1:{int(await server.stdout.readline())}"
        rooms = {"rooms": order.tables, "seats": order.seats, "frame": size}
        common = {"every_s": order.every_s, "play_s": order.play_s}
        async with _bots({**common, **rooms, "echo": True, "url": url}) as bots:
            return await bots.play()
    finally:
        server.kill()
        await server.wait()


async def _open_tables(served: Served, order: Order) -> dict[str, list[str]]:
    """Open the tables and let their players in; the tokens of each table.

    A turn is long: tables whose seats are taken first wait for the last, and nobody plays yet.
    """
    options = {"seats": order.seats, "min_players": order.seats, "turn_ms": TURN_MS}
    database = Database(served.database_url, pool_size=2)
    found: dict[str, list[str]] = {}
    try:
        for number in range(order.tables):

            async def work(tx: Transaction, name: str = f"Load {number}") -> str:
                return str(await open_table(tx, game="rummy", options=options, name=name))

            found[await database.run(work)] = []
    finally:
        await database.close()
    gate = asyncio.Semaphore(GUESTS_AT_ONCE)
    async with httpx.AsyncClient(base_url=served.url, timeout=HTTP_S, trust_env=False) as http:

        async def come_in(name: str) -> str:
            async with gate:
                answer = await http.post("/api/v1/guests", json={"name": name})
            assert answer.status_code == 201, answer.text
            return str(answer.json()["token"])

        for number, table in enumerate(found):
            await wait_for_table(served, table)
            names = [f"Guest {number} {seat}" for seat in range(order.seats)]
            found[table] = await asyncio.gather(*map(come_in, names))
    return found


class _Bots:
    """The process that plays."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def play(self) -> dict[str, Any]:
        """Have it begin, and wait for its figures."""
        self.say("begin")
        return await self.hear()

    def say(self, line: str) -> None:
        """Send a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")

    async def hear(self) -> dict[str, Any]:
        """Read a line."""
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        assert line, "the players' process has ended"
        said: dict[str, Any] = json.loads(line)
        return said


@asynccontextmanager
async def _bots(order: dict[str, object]) -> AsyncIterator[_Bots]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.load.bots",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LINE_BYTES_MAX,
    )
    bots = _Bots(process)
    try:
        bots.say(json.dumps(order))
        await bots.hear()
        yield bots
        bots.say("end")
        async with asyncio.timeout(END_S):
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _pair_ms(times_s: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(times_s)
    assert ordered, "no move was made"
    return (
        ordered[len(ordered) // 2] * 1000,
        ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)] * 1000,
    )


def _rss_kb(pid: int) -> int:
    """Read how much memory a process holds; 0 where Linux is not."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return 0
    rows = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(rows["VmRSS"].split()[0])
