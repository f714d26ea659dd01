"""How proofs of the public log cost with its length: 1 000 entries against 1 000 000.

    .venv/bin/python -m tests.bench.log_proofs

It fills a throwaway PostgreSQL with a tree of made-up leaves by SQL (the rows that as many appends
would have left) and prints medians and their ratio. The ratio is the promise: by RFC 6962 a proof
has at most twice as many hashes, so it must cost about the same.
"""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Final

import asyncpg

from server.database import Database, Transaction
from server.embedded import throwaway
from server.fairness import log, merkle
from server.schema import migrate
from tests.bench.rounds import Row, Size, Skipped

SIZES: Final = (1_000, 1_000_000)
ROUNDS: Final = 200

LEAVES: Final = """
insert into fairness.log_node (level, index, hash)
select 0, n, sha256('\\x00'::bytea || int8send(n)) from generate_series($1::bigint, $2::bigint) n
"""
LEVEL: Final = """
insert into fairness.log_node (level, index, hash)
select l.level + 1, l.index / 2, sha256('\\x01'::bytea || l.hash || r.hash)
  from fairness.log_node l join fairness.log_node r on r.level = l.level and r.index = l.index + 1
 where l.level = $1 and l.index % 2 = 0 and l.index / 2 >= $2
"""
GROWS: Final = "alter table fairness.log_head {} trigger log_head_grows"


async def fill(url: str, before: int, size: int) -> None:
    """Grow the tree from `before` leaves to `size`."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(LEAVES, before, size - 1)
        for level in range(size.bit_length()):
            await connection.execute(LEVEL, level, before >> level + 1)
        await connection.execute(GROWS.format("disable"))
        await connection.execute("update fairness.log_head set size = $1", size)
        await connection.execute(GROWS.format("enable"))
        await connection.execute("analyze fairness.log_node")
    finally:
        await connection.close()


async def timed(database: Database, work: Callable[[Transaction], Awaitable[object]]) -> float:
    """Milliseconds of one proof in a transaction of its own."""
    began = time.perf_counter()
    async with database.transaction() as tx:
        await work(tx)
    return (time.perf_counter() - began) * 1_000


async def checked(database: Database, size: int, random: Random) -> None:
    """Demand that the tree in the database is a tree: proofs must lead to its root."""
    async with database.transaction() as tx:
        root = await log.root_at(tx, size)
        for index in (0, size - 1, random.randrange(size)):
            leaf = merkle.leaf_hash(index.to_bytes(8, "big"))
            path = await log.inclusion(tx, index, size)
            assert merkle.root_from_path(leaf, index, size, path) == root
        old = random.randrange(1, size)
        proof = await log.consistency(tx, old, size)
        old_root = await log.root_at(tx, old)
        assert merkle.is_consistent(
            old=old, old_root=old_root, new=size, new_root=root, proof=proof
        )


async def measure(database: Database, size: int, rounds: int) -> dict[str, float]:
    """Medians, in milliseconds, by what is asked for."""
    random = Random(size)
    await checked(database, size, random)
    asked: dict[str, Callable[[Transaction], Awaitable[object]]] = {
        "root": lambda tx: log.root_at(tx, size),
        "inclusion": lambda tx: log.inclusion(tx, random.randrange(size), size),
        "consistency": lambda tx: log.consistency(tx, random.randrange(1, size), size),
    }
    return {
        name: statistics.median([await timed(database, work) for _ in range(rounds)])
        for name, work in asked.items()
    }


async def appended(database: Database, rounds: int) -> float:
    """Median of an append, with its proof."""
    entries = iter(b"bench %d" % at for at in range(rounds))
    times = [await timed(database, lambda tx: log.append(tx, next(entries))) for _ in range(rounds)]
    return statistics.median(times)


def rows(size: Size) -> list[Row | Skipped]:
    """Measure the proofs of a long log against those of a short one, by medians of one run."""
    sizes = SIZES if size.repeats > 10 else (SIZES[0], SIZES[0] * 2)
    small, large = asyncio.run(medians(sizes, size.repeats * 5))
    return [
        Row(
            name=f"log's {name} proof: {sizes[0]:,} entries",
            ours=f"{large[name]:.2f} ms at {sizes[1]:,}",
            against=f"{ms:.2f} ms",
            ratios=[ms / large[name]],
            note="by RFC 6962 twice as many hashes at most",
        )
        for name, ms in small.items()
    ]


async def main() -> None:
    """Measure both sizes and print their ratios."""
    small, large = await medians(SIZES, ROUNDS)
    for name, ms in large.items():
        ratio = f"{ms / small[name]:.2f} times that of {SIZES[0]:,}" if name in small else ""
        print(f"{name:12} {ms:7.2f} ms at {SIZES[-1]:,} entries  {ratio}")


async def medians(sizes: Sequence[int], rounds: int) -> list[dict[str, float]]:
    """Measure a log at each size; the last with what an append takes, too."""
    found: dict[int, dict[str, float]] = {}
    with throwaway() as server:
        await asyncio.to_thread(migrate, server.url)
        database, before = Database(server.url), 0
        for size in sizes:
            await fill(server.url, before, size)
            found[size] = await measure(database, size, rounds)
            before = size
        found[sizes[-1]]["append"] = await appended(database, rounds)
        await database.close()
    return [found[size] for size in sizes]


if __name__ == "__main__":
    asyncio.run(main())
