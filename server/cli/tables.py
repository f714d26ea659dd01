"""`pakka table`: opening, listing and closing tables; the running server takes it up."""

from typing import Annotated
from uuid import UUID

import typer

from server.cards.options import options_fields
from server.cli.house import actor, in_database
from server.cli.output import Json, Wrong, console, emit, table_of
from server.database import TableId, Transaction
from server.identity.operators import record_act
from server.tables import service
from server.tables.service import OpenTable

app = typer.Typer(help="Tables.")


def add_to(parent: typer.Typer) -> None:
    """Add the group."""
    parent.add_typer(app, name="table")


NO_PROCESS = "none"
"""Said of a table that nobody runs: the house is down, or the table is between two processes."""

FROM_HERE = "from the command line"
Why = Annotated[str, typer.Option(help="Why; it stays in the audit.")]


@app.command("open")
def open_table(
    game: Annotated[str, typer.Argument(help="The game: rummy.")],
    name: Annotated[str, typer.Option(help="The table's name; the game's if there is none.")] = "",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="An option of the game, as in -o seats=6."),
    ] = None,
    reason: Why = FROM_HERE,
    json_: Json = False,
) -> None:
    """Open a table."""
    options = dict(_option_of(text) for text in option or [])

    async def work(tx: Transaction) -> TableId:
        table = await service.open_table(
            tx, game=game, options=options, name=name or game.replace("_", " ").title()
        )
        await _record(tx, "table.open", table, reason)
        return table

    table = in_database(work)
    if json_:
        emit({"table": str(table)})
    else:
        typer.echo(f"Table {table} is open.")


@app.command("list")
def list_tables(json_: Json = False) -> None:
    """List the open tables, and the process that runs each."""
    tables = in_database(service.open_tables)
    if json_:
        for table in tables:
            emit(_document(table))
        return
    rows = [
        (table.table_id, table.name, table.game.name, table.owner or NO_PROCESS, _plain(table))
        for table in tables
    ]
    console().print(table_of("Tables", ("id", "name", "game", "process", "options"), rows))


@app.command("close")
def close_table(
    table: Annotated[str, typer.Argument(help="The table's id.")],
    drain: Annotated[bool, typer.Option("--drain", help="After the hand in play.")] = False,
    reason: Why = FROM_HERE,
    json_: Json = False,
) -> None:
    """Close a table, now, voiding its hand, or with --drain after it."""
    known = _table_id(table)

    async def work(tx: Transaction) -> None:
        await service.ask_to_close(tx, known, drain=drain)
        await _record(tx, "table.drain" if drain else "table.close", known, reason)

    in_database(work)
    if json_:
        emit({"table": str(known), "closing": "drain" if drain else "now"})
    else:
        typer.echo(f"Table {known} closes {'after its hand' if drain else 'now'}.")


def _option_of(text: str) -> tuple[str, int | bool | str]:
    key, sign, value = text.partition("=")
    if not sign or not key:
        raise Wrong(f"--option must be name=value, not {text[:40]!r}")
    if value in {"true", "false"}:
        return key, value == "true"
    digits = value.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= 18:
        return key, int(value)
    return key, value


def _table_id(text: str) -> TableId:
    try:
        return TableId(UUID(text))
    except ValueError:
        raise Wrong(f"{text[:40]!r} is not the id of a table") from None


async def _record(tx: Transaction, act: str, table: TableId, reason: str) -> None:
    subject = f"table:{table}"
    await record_act(tx, operator=actor(), act=act, subject=subject, reason=reason)


def _document(table: OpenTable) -> dict[str, object]:
    return {
        "table": str(table.table_id),
        "name": table.name,
        "game": table.game.name,
        "process": table.owner,
        "options": options_fields(table.options),
    }


def _plain(table: OpenTable) -> str:
    return " ".join(f"{key}={value}" for key, value in options_fields(table.options).items())
