"""All measurements, or those that are named, in one table.

    python -m tests.bench [NAME ...] [--json] [--tiny]

A ratio is our rate over the other's, or the other's size over ours: above 1 ours is the better.
What is not installed is named and left out; the extra `bench` brings most of it.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

from rich.console import Console
from rich.table import Table

from tests.bench.rounds import FULL, TINY, Row, Size, Skipped, is_missing

BENCHES = {
    "melds": ("highspy", "ortools"),
    "gin": (),
    "deal": (),
    "settlement": (),
    "moves": (),
    "log_proofs": (),
}
"""The modules here that measure, and the packages without which they can't begin."""

EXTRA = "-e '.[bench]'"


def measured(name: str, size: Size) -> list[Row | Skipped]:
    """Run one of them."""
    missing = is_missing(*BENCHES[name])
    if missing is not None:
        return [Skipped(name, missing, EXTRA)]
    with _only_ours_on_stdout():
        rows: Callable[[Size], list[Row | Skipped]] = import_module(f"tests.bench.{name}").rows
        return rows(size)


@contextmanager
def _only_ours_on_stdout() -> Iterator[None]:
    """Send to standard error what libraries print by themselves: HiGHS greets from C++."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("name", nargs="*", help=", ".join(BENCHES))
    parser.add_argument("--json", action="store_true", help="one JSON document a line")
    parser.add_argument("--tiny", action="store_true", help="only to see that they run")
    asked = parser.parse_args(arguments)
    for name in asked.name:
        if name not in BENCHES:
            parser.error(f"there is no measurement {name!r}; there are {', '.join(BENCHES)}")
    found: list[Row | Skipped] = []
    for name in asked.name or BENCHES:
        print(f"{name} ...", file=sys.stderr)
        found += measured(name, TINY if asked.tiny else FULL)
    if asked.json:
        for one in found:
            print(json.dumps(document(one)))
    else:
        show(found, Console())


def document(one: Row | Skipped) -> dict[str, object]:
    """Write a row as JSON holds it."""
    if isinstance(one, Skipped):
        return {"name": one.name, "skipped": one.missing, "install": one.install}
    least, middle, most = one.spread
    return {
        "name": one.name,
        "ours": one.ours,
        "against": one.against,
        "ratio": {"min": least, "median": middle, "max": most, "rounds": list(one.ratios)},
        "note": one.note,
    }


def show(found: Sequence[Row | Skipped], console: Console) -> None:
    """Print the table, then what was left out."""
    table = Table(caption="ratio: median (least..most) of the rounds; above 1 ours is the better")
    for heading in ("what: against what", "ours", "the other", "ratio", "note"):
        table.add_column(heading)
    for one in found:
        if isinstance(one, Row):
            least, middle, most = (f"{ratio:.3g}" for ratio in one.spread)
            ratio = f"{middle} ({least}..{most})"
            table.add_row(one.name, one.ours, one.against, ratio, one.note)
    console.print(table)
    for one in found:
        if isinstance(one, Skipped):
            console.print(f"left out: {one.name}; pip install {one.install}", markup=False)


if __name__ == "__main__":
    main(sys.argv[1:])
