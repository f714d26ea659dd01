"""`pakka play`: a terminal client, enough to play a hand of rummy."""

import asyncio
import secrets
from pathlib import Path
from typing import Annotated, Any, Final

import httpx
import typer

from server.bots.client import Client
from server.bots.evidence import Cheated
from server.bots.vault import Vault
from server.cancellation import end_all
from server.cli.http import ASK_S, URL_HELP, table_named, tables, url_or_own
from server.cli.output import Json, Wrong, complain
from server.cli.terminal import HELP, Keyboard, Terminal
from server.errors import Fault, Refusal
from server.settings import read_settings

CHEATED: Final = 1
PLAYED: Final = "rummy"
"""The game that the terminal draws."""

TOKEN: Final = "token"  # noqa: S105 - the name under which the vault keeps it


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play")(play)


def play(
    url: Annotated[str | None, typer.Option(help=URL_HELP)] = None,
    table: Annotated[
        str | None, typer.Option(help="The table's id or name; else the emptiest practice table.")
    ] = None,
    name: Annotated[str, typer.Option(help="Your name at the table.")] = "Guest",
    hands: Annotated[int | None, typer.Option(min=1, help="Get up after so many.")] = None,
    folder: Annotated[
        Path | None, typer.Option(help="Keeps your sign-in, seeds and any evidence.")
    ] = None,
    json_: Json = False,
) -> int:
    """Play rummy in the terminal; every frame of the deal is checked.

    Type ? for the moves. With --json each line on standard output is one JSON document.
    """
    home = folder or read_settings().home / "play"
    try:
        return asyncio.run(_play(url_or_own(url), table, name, hands, home, json_=json_))
    except Cheated as cheated:
        complain(f"{cheated}; what was seen is kept in {home}")
        return CHEATED


async def _play(
    url: str, wished: str | None, name: str, hands: int | None, home: Path, *, json_: bool
) -> int:
    token, known_as = await _sign_in(url, name, home)
    table = await _table_of(url, wished, known_as)
    keyboard = Keyboard()
    terminal = Terminal(keyboard, url=url, json_=json_, hands=hands)
    client = Client(url, token, terminal, folder=home, on_line=terminal.line)
    running = asyncio.create_task(client.run())
    sitting = asyncio.create_task(client.sit(table))
    leaving = asyncio.create_task(terminal.done.wait())
    keyboard.start()
    try:
        if not json_:
            typer.echo(HELP)
        await asyncio.wait([running, sitting], return_when=asyncio.FIRST_COMPLETED)
        if sitting.done():
            sitting.result()
        await asyncio.wait([running, leaving], return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        await client.leave(table)
    finally:
        await end_all(running, sitting, leaving)
    return 0


async def _table_of(url: str, wished: str | None, known_as: str) -> str:
    """Find the table that was named, else the practice table where one sits, or the emptiest.

    Errors: Wrong if there is none, or another game is played there.
    """
    offered = await tables(url)
    if wished is not None:
        named = await table_named(url, wished)
        game = {str(table["id"]): table["game"] for table in offered}.get(named, PLAYED)
        if game != PLAYED:
            raise Wrong(f"at that table {game} is played; this terminal plays {PLAYED}")
        return named
    practice = [table for table in offered if table["practice"] and table["game"] == PLAYED]
    own = [table for table in practice if known_as in [seat["name"] for seat in table["seats"]]]
    free = [table for table in practice if len(table["seats"]) < table["seat_count"]]
    if not own and not free:
        raise Wrong(f"there is no practice table with a free seat at {url}; name one by --table")
    return str(min(own or free, key=lambda table: len(table["seats"]))["id"])


async def _sign_in(url: str, name: str, home: Path) -> tuple[str, str]:
    """Come in as the guest of last time, or as a new one; gives the token and the name."""
    vault = Vault(home)
    key = f"{TOKEN} {url}"
    kept = vault.find(key)
    headers = {"Idempotency-Key": secrets.token_hex(16)}
    try:
        async with httpx.AsyncClient(base_url=url, timeout=ASK_S, trust_env=False) as http:
            if kept is not None:
                me = await http.get("/api/v1/me", headers={"Authorization": f"Bearer {kept}"})
                if me.is_success:
                    return str(kept), str(me.json()["player"]["name"])
            answer = await http.post("/api/v1/guests", json={"name": name}, headers=headers)
            body: dict[str, Any] = answer.json()
    except (httpx.HTTPError, ValueError) as error:
        raise Fault(f"no server answers at {url}: {error}") from None
    if answer.is_error:
        raise Refusal(str(body.get("code")), str(body.get("text")), body.get("field"))
    vault.keep(key, body["token"])
    return str(body["token"]), str(body["player"]["name"])
