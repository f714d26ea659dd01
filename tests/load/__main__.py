"""A house under load, beside an echo of the same frames.

    python -m tests.load [--tables 500] [--seats 6] [--every 3] [--minutes 1] [--json]

With several numbers of tables each is measured by itself, on a house of its own.
"""

import argparse
import asyncio
import json
import resource
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from tests.load.measured import Order, Row, measure


def main(arguments: Sequence[str]) -> int:
    """Measure and print; 1 if a table failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[500])
    parser.add_argument("--seats", type=int, choices=(4, 6, 8), default=6)
    parser.add_argument("--every", type=float, default=3, help="seconds between moves of a table")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--json", action="store_true", help="one JSON document a line")
    asked = parser.parse_args(arguments)
    if min(asked.tables) < 1 or asked.every <= 0 or asked.minutes <= 0:
        parser.error("there must be a table, a time between moves and a time to measure")
    _raise_file_limit()
    rows = []
    for tables in asked.tables:
        print(f"{tables} tables ...", file=sys.stderr)
        order = Order(tables, asked.seats, asked.every, asked.minutes * 60)
        rows.append(asyncio.run(measure(order)))
        if asked.json:
            print(json.dumps(rows[-1].document()), flush=True)
    if not asked.json:
        show(rows, Console())
    return int(any(row.failures for row in rows))


def show(rows: Sequence[Row], console: Console) -> None:
    """Print the table."""
    table = Table(caption="echo: the same frames, sockets and moments; a ratio above 1 is slower")
    for heading in (
        "tables",
        "sockets",
        "moves/s",
        "ok p50, p99 ms",
        "last seat p50, p99 ms",
        "echo p50, p99 ms",
        "ratio p50, p99",
        "CPU ms/move",
        "KB/table",
        "KB/socket",
        "late",
    ):
        table.add_column(heading, justify="right")
    for row in rows:
        pairs = (row.ok_ms, row.all_ms, row.echo_ms, row.ratio)
        table.add_row(
            str(row.tables),
            str(row.sockets),
            f"{row.moves_per_s:.1f}",
            *(f"{half:.1f}, {most:.1f}" for half, most in pairs),
            f"{row.cpu_ms:.1f}",
            f"{row.table_kb:.0f}",
            f"{row.socket_kb:.0f}",
            f"{row.late + row.clock_moves}",
        )
    console.print(table)
    for row in rows:
        for failure in row.failures[:3]:
            console.print(f"{row.tables} tables: {failure}", markup=False)


def _raise_file_limit() -> None:
    """Open as many sockets as the machine lets us; the processes that we start inherit it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
