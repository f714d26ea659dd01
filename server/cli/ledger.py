"""`pakka ledger`: whether it is whole, and what happened to a player's tokens."""

import sys
from typing import Annotated

import typer

from server.cli.house import in_database, player_named
from server.cli.output import Json, Wrong, console, emit, table_of
from server.database import Transaction
from server.fairness.keyring import public_keys
from server.ledger import audit
from server.ledger.statements import Line, statement, statement_csv
from server.ledger.transfers import ht_text
from server.sealing.check import check_all
from server.sealing.proofs import prove
from server.settings import read_settings

app = typer.Typer(help="The ledger.")


def add_to(parent: typer.Typer) -> None:
    """Add the group."""
    parent.add_typer(app, name="ledger")


@app.command("check")
def check(json_: Json = False) -> int:
    """State every invariant over the whole ledger, with figures; exit 1 if one does not hold."""
    keys = public_keys(read_settings().home)
    found = in_database(lambda tx: check_all(tx, keys))
    in_database(lambda tx: audit.keep(tx, found))
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
    proof: Annotated[
        bool, typer.Option("--proof", help="The proof of each sealed line, as JSON lines.")
    ] = False,
    json_: Json = False,
) -> None:
    """Show what happened to a player's tokens."""
    if csv and proof:
        raise Wrong("--csv and --proof: choose one")
    if proof:
        in_database(lambda tx: _write_proofs(tx, player))
        return
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
            line.seal or "",
        )
        for line in lines
    ]
    columns = ("number", "time (UTC)", "kind", "HT", "balance", "hand", "reason", "seal")
    right = "number HT balance seal"
    console().print(table_of(f"Statement of {player}", columns, rows, right=right))


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
        "seal": line.seal,
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


async def _write_proofs(tx: Transaction, text: str) -> None:
    player = await player_named(tx, text)
    for line in await _lines_of(tx, text):
        if line.seal is not None:
            emit((await prove(tx, player.id, line.number)).document())
