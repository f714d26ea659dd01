"""`pakka tokens`: house tokens into circulation and out of it, each time with a reason."""

import secrets
from collections.abc import Awaitable, Callable
from typing import Annotated

import typer

from server.cli.house import actor, in_database, player_named
from server.cli.output import Json, emit
from server.database import Transaction
from server.identity.operators import record_act
from server.ledger import service as ledger
from server.ledger.transfers import ht_text, micro_of

app = typer.Typer(help="House tokens of a player.")


def add_to(parent: typer.Typer) -> None:
    """Add the group."""
    parent.add_typer(app, name="tokens")


PlayerName = Annotated[str, typer.Argument(help="The player's number or name.")]
Amount = Annotated[str, typer.Argument(help="In HT, at most six decimals.")]
Reason = Annotated[str, typer.Option(help="Why; it stays in the audit.")]
Key = Annotated[
    str | None, typer.Option(help="The same key again moves nothing; without one, each call moves.")
]
Move = Callable[..., Awaitable[int]]


@app.command("grant")
def grant(
    player: PlayerName, amount: Amount, reason: Reason, key: Key = None, json_: Json = False
) -> None:
    """Give new tokens to a player."""
    _book(ledger.issue, "tokens.issue", player, amount, reason, key, json_)


@app.command("withdraw")
def withdraw(
    player: PlayerName, amount: Amount, reason: Reason, key: Key = None, json_: Json = False
) -> None:
    """Take tokens of a player out of circulation."""
    _book(ledger.withdraw, "tokens.withdraw", player, amount, reason, key, json_)


def _book(
    move: Move, act: str, player: str, amount: str, reason: str, key: str | None, json_: bool
) -> None:
    amount_micro = micro_of(amount)
    once = f"cli:{key or secrets.token_hex(16)}"

    async def work(tx: Transaction) -> tuple[str, int, int]:
        found = await player_named(tx, player)
        entry = await move(
            tx, found.id, amount_micro=amount_micro, key=once, reason=reason, actor=actor()
        )
        await record_act(tx, operator=actor(), act=act, subject=f"player:{found.id}", reason=reason)
        balance = await ledger.balance_of(tx, found.id)
        return found.name, entry, balance.available_micro

    name, entry, available = in_database(work)
    if json_:
        emit(
            {
                "player": name,
                "entry": str(entry),
                "amount": str(amount_micro),
                "available": str(available),
            }
        )
    else:
        done = "granted to" if act == "tokens.issue" else "withdrawn from"
        typer.echo(f"{ht_text(amount_micro)} HT {done} {name}, who now has {ht_text(available)} HT")
