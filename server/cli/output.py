"""What a command prints: JSON for programs, tables for people, one line for a mistake."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import typer
from rich.console import Console, JustifyMethod
from rich.table import Table

Json = Annotated[bool, typer.Option("--json", help="Print JSON alone.")]

ID: Final = "id"
"""The column of a table that is never cut: it is there to be copied."""

PIPE_WIDTH: Final = 200
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
    """Give the console that people read; a pipe has no width, so nothing is cut short there."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)


def table_of(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], right: str = ""
) -> Table:
    """Build a table; `right` names the columns of numbers, separated by spaces."""
    numbers = right.split()
    table = Table(title=title, title_justify="left")
    for column in columns:
        justify: JustifyMethod = "right" if column in numbers else "left"
        table.add_column(column, justify=justify, no_wrap=column == ID, overflow="fold")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    return table
