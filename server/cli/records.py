"""`pakka verify` and `pakka replay`: what a record of a hand is worth, and what it tells."""

from typing import Annotated

import typer

from server.cli.output import Json, Wrong, emit
from server.fairness.canonical import RefusedRecord
from server.fairness.record import Record, read_record
from server.verify import replay_lines, verify_record
from server.verify.source import Unreadable, key_of, log_key_of, read_source

Source = Annotated[str, typer.Argument(metavar="RECORD", help="A file, - or an http(s) address.")]


def add_to(app: typer.Typer) -> None:
    """Add both commands."""
    app.command("verify")(verify)
    app.command("replay")(replay)


def verify(
    record: Source,
    server_key: Annotated[
        str | None, typer.Option(metavar="HEX", help="The server's pinned key, 64 hex digits.")
    ] = None,
    log_key: Annotated[
        str | None, typer.Option(metavar="VKEY", help="The log's pinned key, name+id+key.")
    ] = None,
    json_: Json = False,
) -> int:
    """Make every check of fairdeal/1 on a record; exit 1 if one fails."""
    try:
        pinned = None if server_key is None else key_of(server_key)
        of_log = None if log_key is None else log_key_of(log_key)
        report = verify_record(read_source(record), pinned, log_key=of_log)
    except Unreadable as problem:
        raise Wrong(str(problem)) from None
    typer.echo(report.json() if json_ else report.text())
    return report.exit_code


def replay(
    record: Source,
    seat: Annotated[
        int | None, typer.Option(min=0, max=7, help="Show also what this seat saw.")
    ] = None,
    json_: Json = False,
) -> None:
    """Tell a hand move by move; verify its record first."""
    try:
        lines = replay_lines(_read(record), seat)
    except ValueError as error:
        raise Wrong(str(error)) from None
    for line in lines:
        if json_:
            emit({"line": line})
        else:
            typer.echo(line)


def _read(source: str) -> Record:
    try:
        return read_record(read_source(source)).record
    except Unreadable as problem:
        raise Wrong(str(problem)) from None
    except RefusedRecord as refusal:
        raise Wrong(f"{source} is not a record: {refusal.text}") from None
