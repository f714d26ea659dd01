"""A hand's tokens against pgbench's TPC-B, on the same PostgreSQL fsync on, eight clients each.

A hand is two transactions, as the server makes them: the hold of six, then the settlement of six
with the commission. TPC-B's is one. pgbench is C; ours is the server's own Python in one process.
The second row leaves our Python out: pgbench itself calls the two functions.
"""

import asyncio
import re
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random
from uuid import UUID

from server.database import Database, HandId, PlayerId, TableId, Transaction
from server.embedded import EmbeddedPostgres, throwaway
from server.ledger import service as ledger
from server.schema import migrate
from tests.bench.rounds import Row, Size, Skipped, middle

CLIENTS = 8
SEATS = 6
PLAYERS = 600
SCALE = 10
STAKE, WELCOME, BPS = 130_000_000, 10**15, 1_000
TABLE = TableId(UUID(int=7))

HAND_SQL = f"""\\set hand random(1000000000, 900000000000)
\\set a random(1, {PLAYERS // SEATS - 1})
\\set b :a + 100
\\set c :a + 200
\\set d :a + 300
\\set e :a + 400
\\set f :a + 500
begin;
select ledger.hold_hand(:hand, '{TABLE}'::uuid, false, array[:a,:b,:c,:d,:e,:f]::bigint[],
  array_fill({STAKE}::bigint, array[{SEATS}]), {BPS}::smallint, '24 hours'::interval);
commit;
begin;
select * from ledger.settle_hand(:hand, :a, array[:b,:c,:d,:e,:f]::bigint[],
  array[13,20,30,40,80]::bigint[]);
commit;
"""


def rows(size: Size) -> list[Row | Skipped]:
    """Measure both ways of a hand."""
    with throwaway() as server:
        pgbench = server.bin_folder / "pgbench"
        if not pgbench.exists():
            return [Skipped("hand's tokens: TPC-B", "pgbench", "-e . (it comes with the wheel)")]
        migrate(server.url)
        return asyncio.run(_rows(server, Pgbench(pgbench, server.url), size))


async def _rows(server: EmbeddedPostgres, pgbench: "Pgbench", size: Size) -> list[Row | Skipped]:
    pgbench.fill(min(SCALE, size.repeats))
    async with _house(server.url) as hands:
        await hands.play(min(1, size.seconds / 5))
        rounds = []
        for _ in range(size.rounds):
            began = time.process_time()
            ours = await hands.play(size.seconds)
            cpu_ms = (time.process_time() - began) / (ours * size.seconds) * 1_000
            tpcb = await asyncio.to_thread(pgbench.transactions, size.seconds)
            bare = await asyncio.to_thread(pgbench.hands, size.seconds)
            rounds.append((ours, tpcb, bare, cpu_ms))
        await hands.check()
    against = f"{middle(tpcb for _, tpcb, _, _ in rounds):.0f} tps"
    cpu = f"{middle(cpu for *_, cpu in rounds):.2f} ms of Python's CPU a hand"
    whole = f"{middle(ours for ours, *_ in rounds):.0f} hands/s"
    alone = f"{middle(bare for _, _, bare, _ in rounds):.0f} hands/s"
    return [
        Row("hand's tokens: TPC-B", whole, against, [o / t for o, t, _, _ in rounds], cpu),
        Row(
            "the same, by pgbench itself",
            alone,
            against,
            [b / t for _, t, b, _ in rounds],
            "the functions alone: the limit of the first row",
        ),
    ]


class Hands:
    """Hands at many tables at once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._numbers = count(1)
        self._chance = Random(7)
        self.players = [PlayerId(number) for number in range(1, PLAYERS + 1)]

    async def play(self, seconds: float) -> float:
        """Hold and settle for so long; hands per second."""
        began = time.perf_counter()
        ends = began + seconds
        done = await asyncio.gather(*(self._client(ends) for _ in range(CLIENTS)))
        return sum(done) / (time.perf_counter() - began)

    async def _client(self, ends: float) -> int:
        done = 0
        while time.perf_counter() < ends:
            await self._hand()
            done += 1
        return done

    async def _hand(self) -> None:
        hand = HandId(next(self._numbers))
        winner, *losers = self._chance.sample(self.players, SEATS)
        seats = dict.fromkeys([winner, *losers], STAKE)
        payments = {player: self._chance.randint(2, 80) * 1_000_000 for player in losers}

        async def hold(tx: Transaction) -> None:
            await ledger.hold_hand(
                tx, hand_id=hand, table_id=TABLE, seats=seats, commission_bps=BPS
            )

        async def settle(tx: Transaction) -> None:
            await ledger.settle_hand(tx, hand_id=hand, winner=winner, payments=payments)

        await self._database.run(hold)
        await self._database.run(settle)

    async def open(self) -> None:
        """Give everybody an account."""

        async def work(tx: Transaction) -> None:
            for player in self.players:
                await ledger.open_player_account(tx, player, welcome_micro=WELCOME)

        await self._database.run(work)

    async def check(self) -> None:
        """Demand that nothing is held any more."""

        async def held(tx: Transaction) -> int:
            return sum([(await ledger.balance_of(tx, one)).held_micro for one in self.players])

        assert await self._database.run(held) == 0, "a hand was left open"


@asynccontextmanager
async def _house(url: str) -> AsyncIterator[Hands]:
    database = Database(url, pool_size=CLIENTS)
    try:
        hands = Hands(database)
        await hands.open()
        yield hands
    finally:
        await database.close()


class Pgbench:
    """The program that comes with PostgreSQL, on one database."""

    def __init__(self, program: Path, url: str) -> None:
        self._program = program
        self._url = url

    def fill(self, scale: int) -> None:
        """Make TPC-B's tables."""
        self._run("-i", "-q", "-s", str(scale))

    def transactions(self, seconds: int) -> float:
        """Run TPC-B; transactions per second."""
        return self._timed(seconds)

    def hands(self, seconds: int) -> float:
        """Run our two functions, in two transactions; hands per second."""
        with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
            script.write(HAND_SQL)
            script.flush()
            return self._timed(seconds, "-f", script.name)

    def _timed(self, seconds: int, *more: str) -> float:
        said = self._run("-n", "-c", str(CLIENTS), "-j", "2", "-T", str(seconds), *more)
        found = re.search(r"tps = ([\d.]+)", said)
        assert found is not None, said
        return float(found[1])

    def _run(self, *arguments: str) -> str:
        command = [str(self._program), *arguments, self._url]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout
