"""The long form.

    python -m tests.chaos [--minutes 20] [--faults 100] [--seed N] [--json]

Breaks a house of three processes on purpose, one fault after the other, looks at everything after
each, and prints a report; exit 1 at the first thing that is not as it must be.
"""

import argparse
import asyncio
import json
import secrets
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from random import Random

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tests.chaos.report import Done
from tests.chaos.run import long_form, play


def main(arguments: Sequence[str]) -> int:
    """Run it; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20, help="at least so long")
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    parser.add_argument("--json", action="store_true", help="the report as one JSON document")
    asked = parser.parse_args(arguments)
    if asked.faults < 1 or not 0 <= asked.minutes <= 24 * 60:
        parser.error("there must be a fault, and an end within a day")
    form = long_form(minutes=asked.minutes, faults=asked.faults, random=Random(asked.seed))
    errors = Console(stderr=True)
    errors.print(f"seed {asked.seed}", highlight=False)
    with tempfile.TemporaryDirectory(prefix="pakka-chaos-") as folder, _bar(errors) as bar:
        task = bar.add_task("the house opens", total=asked.faults)

        def tell(done: Done) -> None:
            bar.update(task, advance=1, description=f"{done.name}: back after {done.back_s:.1f} s")

        try:
            report = asyncio.run(play(form, seed=asked.seed, folder=Path(folder), tell=tell))
        except Exception as error:
            traceback.print_exc()
            errors.print(f"not as it must be: {type(error).__name__}; seed {asked.seed}")
            return 1
    if asked.json:
        print(json.dumps(report.document()))
    else:
        report.show(Console())
    return 0


def _bar(console: Console) -> Progress:
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(TextColumn("{task.description}"), *columns, console=console)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
