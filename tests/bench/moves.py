"""A durable move: from the command to its `ok`, and to the last of six seats; what it weighs.

`pakka serve` in a process of its own, on its embedded PostgreSQL with fsync on; six seats on real
sockets, which play on and on (reshuffles and new hands are paid for by the moves).
Against: one INSERT and COMMIT by asyncpg on the same PostgreSQL, and a text that an echo server
sends to six sockets. The CPU time is that of the server's process, without its PostgreSQL.
"""

import asyncio
import json
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

import asyncpg
from websockets.asyncio.client import ClientConnection, connect

from tests.acceptance.served import Served, new_guest, open_new_table, serving
from tests.bench.rounds import Row, Size, Skipped, in_words, middle
from tests.bench.seats import SEATS, Company, Move, seated

WARM_MOVES = 40
LINE = "3 draw closed @0.53"
QUIET = {"PAKKA_LOG_LEVEL": "error", "PAKKA_RESULT_MS": "0", "PAKKA_PRACTICE_BOTS": "0"}
MAKE = "create table if not exists public.bench_line (id bigserial primary key, line text)"
INSERT = "insert into public.bench_line (line) values ($1)"


@dataclass(frozen=True, slots=True)
class Round:
    """What one round took. Units: seconds, and bytes a move."""

    ok_s: float
    all_s: float
    insert_s: float
    echo_s: float
    cpu_s: float | None
    wal: float
    insert_wal: float
    received: float
    sent: float
    packed: float


def rows(size: Size) -> list[Row | Skipped]:
    """Play, and measure against the two that can't be beaten."""
    rounds = asyncio.run(_rounds(size))

    cpus = [one.cpu_s for one in rounds if one.cpu_s is not None]
    cpu = f"{middle(cpus) * 1_000:.2f} ms of CPU a move" if cpus else "CPU: Linux only"
    line = len(LINE)
    received = middle(one.received for one in rounds)
    packed = middle(one.packed for one in rounds)
    return [
        Row(
            "move to ok: INSERT and COMMIT",
            in_words(middle(one.ok_s for one in rounds)),
            in_words(middle(one.insert_s for one in rounds)),
            [one.insert_s / one.ok_s for one in rounds],
            cpu,
        ),
        Row(
            "move to the sixth seat: echo to six",
            in_words(middle(one.all_s for one in rounds)),
            in_words(middle(one.echo_s for one in rounds)),
            [one.echo_s / one.all_s for one in rounds],
            "no database behind the echo",
        ),
        Row(
            "bytes a move and seat: the bare line",
            f"{received:.0f} B in, {middle(one.sent for one in rounds):.0f} B out",
            f"{line} B",
            [line / one.received for one in rounds],
            f"zlib would make it {packed:.0f} B",
        ),
        Row(
            "WAL a move: INSERT of the line",
            f"{middle(one.wal for one in rounds):.0f} B",
            f"{middle(one.insert_wal for one in rounds):.0f} B",
            [one.insert_wal / one.wal for one in rounds],
            "fact, reply, lease; first writes of a page are whole pages",
        ),
    ]


async def _rounds(size: Size) -> list[Round]:
    moves = size.repeats * 4
    async with AsyncExitStack() as stack:
        served = await stack.enter_async_context(serving(QUIET))
        table = await open_new_table(served, "Bench", seats=SEATS, min_players=SEATS)
        tokens = [await new_guest(served.url, f"Guest {n}") for n in range(SEATS)]
        company = await stack.enter_async_context(seated(served.url, str(table), tokens))
        echo = await stack.enter_async_context(_echo())
        pool = await stack.enter_async_context(
            asyncpg.create_pool(served.database_url, min_size=1, max_size=2)
        )
        await pool.execute(MAKE)
        for _ in range(WARM_MOVES):
            await company.move()
        await _inserts(pool, WARM_MOVES)
        return [await _round(served, company, pool, echo, moves) for _ in range(size.rounds)]


async def _round(
    served: Served,
    company: Company,
    pool: asyncpg.Pool,
    echo: Sequence[ClientConnection],
    moves: int,
) -> Round:
    traffic = [seat.traffic for seat in company.seats]
    received, sent = sum(t.received for t in traffic), sum(t.sent for t in traffic)
    texts = len(traffic[0].texts)
    lsn, cpu = await _lsn(pool), cpu_of(served.pid)
    made: list[Move] = [await company.move() for _ in range(moves)]
    used = None if cpu is None else ((cpu_of(served.pid) or 0) - cpu) / moves
    wal = (await _lsn(pool) - lsn) / moves
    fresh = "\n".join(traffic[0].texts[texts:])
    lsn = await _lsn(pool)
    insert_s = await _inserts(pool, moves)
    return Round(
        ok_s=median(one.ok_s for one in made),
        all_s=median(one.all_s for one in made),
        insert_s=insert_s,
        echo_s=await _echoed(echo, moves),
        cpu_s=used,
        wal=wal,
        insert_wal=(await _lsn(pool) - lsn) / moves,
        received=(sum(t.received for t in traffic) - received) / moves / SEATS,
        sent=(sum(t.sent for t in traffic) - sent) / moves,
        packed=len(zlib.compress(fresh.encode())) / moves,
    )


def cpu_of(pid: int) -> float | None:
    """Tell what a process's threads have used, in seconds; None where Linux is not."""
    used = 0
    for task in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        used += int(task.read_text().split()[0])
    return used / 1e9 if used else None


async def _lsn(pool: asyncpg.Pool) -> int:
    return int(await pool.fetchval("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn"))


async def _inserts(pool: asyncpg.Pool, times: int) -> float:
    """Write lines, a transaction each; the median in seconds."""
    took = []
    async with pool.acquire() as connection:
        for _ in range(times):
            began = perf_counter()
            async with connection.transaction():
                await connection.execute(INSERT, LINE)
            took.append(perf_counter() - began)
    return median(took)


async def _echoed(lines: Sequence[ClientConnection], times: int) -> float:
    """Send a line and wait until all have it; the median in seconds."""
    took = []
    for number in range(times):
        began = perf_counter()
        await lines[number % len(lines)].send(json.dumps({"line": LINE}))
        await asyncio.gather(*(line.recv() for line in lines))
        took.append(perf_counter() - began)
    return median(took)


@asynccontextmanager
async def _echo() -> AsyncIterator[Sequence[ClientConnection]]:
    """Run the echo server, with six lines to it."""
    command = [sys.executable, "-m", "tests.bench.echo"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        url = f"ws://127.0.0.1:{int(await asyncio.to_thread(process.stdout.readline))}"
        async with AsyncExitStack() as stack:
            yield [
                await stack.enter_async_context(connect(url, compression=None))
                for _ in range(SEATS)
            ]
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
