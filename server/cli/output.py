"""What a command prints: JSON for programs, tables for people, one line for a mistake."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Table

Json = Annotated[bool, typer.Option("--json", help="Print JSON alone.")]

COMPLAINT_MAX: Final = 400
"""Characters of a complaint: it is one line, whatever a file or a server made it of."""


class Wrong(Exception):
    """The call or its input is wrong; the text says what and where, in one line."""


def complain(text: str) -> int:
    """Write one line to standard error and give the exit code of a wrong call."""
    line = " ".join(text.split())[:COMPLAINT_MAX]
    print(f"pakka: {line}", file=sys.stderr)
    return 2


def emit(document: Mapping[str, Any] | Sequence[Any]) -> None:
    """Write one JSON document on one line of standard output."""
    print(json.dumps(document, separators=(", ", ": ")), flush=True)


def console() -> Console:
    """Give the console that people read."""
    return Console(highlight=False)


def table_of(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], right: str = ""
) -> Table:
    """Build a table; `right` names the columns of numbers, separated by spaces."""
    numbers = right.split()
    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column, justify="right" if column in numbers else "left")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    return table


def ht(micro: int) -> str:
    """Write an amount of micro-HT as people see it: exact, trailing zeros cut."""
    whole, rest = divmod(abs(micro), 1_000_000)
    sign = "-" if micro < 0 else ""
    digits = f"{rest:06d}".rstrip("0")
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"
