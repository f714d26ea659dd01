"""`pakka ledger`: whether it is whole, and what happened to a player's tokens."""

import sys
from typing import Annotated

import typer

from server.cli.house import in_database, player_named
from server.cli.output import Json, console, emit, table_of
from server.database import Transaction
from server.ledger import audit
from server.ledger.statements import Line, statement, statement_csv
from server.ledger.transfers import ht_text

app = typer.Typer(help="The ledger.")


def add_to(parent: typer.Typer) -> None:
    """Add the group."""
    parent.add_typer(app, name="ledger")


@app.command("check")
def check(json_: Json = False) -> int:
    """State every invariant over the whole ledger, with figures; exit 1 if one does not hold."""
    found = in_database(audit.check)
    holds = all(one.holds for one in found)
    if json_:
        rows = [
            {"invariant": one.name, "holds": one.holds, "figures": dict(one.figures)}
            for one in found
        ]
        emit({"ok": holds, "invariants": rows})
    else:
        figures = [
            ", ".join(f"{name} {figure}" for name, figure in one.figures.items()) for one in found
        ]
        rows_shown = [
            ("holds" if one.holds else "FAILS", one.name, text)
            for one, text in zip(found, figures, strict=True)
        ]
        console().print(table_of("The ledger", ("verdict", "invariant", "figures"), rows_shown))
    return 0 if holds else 1


@app.command("statement")
def show_statement(
    player: Annotated[str, typer.Argument(help="The player's number or name.")],
    csv: Annotated[bool, typer.Option("--csv", help="The whole statement as CSV.")] = False,
    json_: Json = False,
) -> None:
    """Show what happened to a player's tokens."""
    if csv:
        in_database(lambda tx: _write_csv(tx, player))
        return
    lines = in_database(lambda tx: _lines_of(tx, player))
    if json_:
        for line in lines:
            emit(_document(line))
        return
    rows = [
        (
            line.number,
            f"{line.at:%Y-%m-%d %H:%M:%S}",
            line.kind.name.lower(),
            ht_text(line.amount_micro),
            ht_text(line.balance_micro),
            line.hand_id or "",
            line.reason,
        )
        for line in lines
    ]
    columns = ("number", "time (UTC)", "kind", "HT", "balance", "hand", "reason")
    console().print(table_of(f"Statement of {player}", columns, rows, right="number HT balance"))


def _document(line: Line) -> dict[str, object]:
    return {
        "number": line.number,
        "at": line.at.isoformat(),
        "entry": str(line.entry_id),
        "kind": line.kind.name.lower(),
        "amount": str(line.amount_micro),
        "balance": str(line.balance_micro),
        "hand": None if line.hand_id is None else str(line.hand_id),
        "table": None if line.table_id is None else str(line.table_id),
        "reason": line.reason,
    }


async def _lines_of(tx: Transaction, text: str) -> list[Line]:
    player = await player_named(tx, text)
    lines: list[Line] = []
    after: int | None = 0
    while after is not None:
        page = await statement(tx, player.id, after=after)
        lines += page.lines
        after = page.next_after
    return lines


async def _write_csv(tx: Transaction, text: str) -> None:
    player = await player_named(tx, text)
    async for piece in statement_csv(tx, player.id):
        sys.stdout.write(piece)
