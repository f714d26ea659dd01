"""`pakka bots`: marked bots that sit down at a practice table."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from server.bots.close_checks import HandOver
from server.bots.evidence import Cheated
from server.bots.run import NAMES, run_bots
from server.cli.http import URL_HELP, table_named, url_or_own
from server.cli.output import Json, Wrong, complain, emit
from server.logs import set_up_logging
from server.secret_files import BOT_TOKEN_FILE, read_or_make_token
from server.settings import read_settings

CHEATED = 1


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bots")(bots)


def bots(
    table: Annotated[str, typer.Argument(help="The table's id or name.")],
    count: Annotated[
        int, typer.Option("--number", "-n", min=1, max=len(NAMES), help="How many.")
    ] = 1,
    url: Annotated[str | None, typer.Option(help=URL_HELP)] = None,
    pace: Annotated[int, typer.Option(min=0, metavar="MS", help="Time a bot thinks.")] = 600,
    hands: Annotated[int | None, typer.Option(min=1, help="Get up after so many.")] = None,
    bot_seed: Annotated[int | None, typer.Option(help="Makes the bots' taste repeatable.")] = None,
    folder: Annotated[Path | None, typer.Option(help="Keeps their seeds and any evidence.")] = None,
    json_: Json = False,
) -> int:
    """Seat bots at a table; each checks every frame, and they end with exit 1 if one fails.

    They come in by the house's own secret, bot.token in PAKKA_HOME.
    """
    settings = read_settings()
    set_up_logging(level=settings.log_level, form=settings.log_format)
    home = settings.home
    if not (home / BOT_TOKEN_FILE).exists():
        raise Wrong(f"there is no {BOT_TOKEN_FILE} in {home}: start pakka serve there first")
    secret = read_or_make_token(home, BOT_TOKEN_FILE)
    server = url_or_own(url)

    async def play() -> None:
        await run_bots(
            server,
            await table_named(server, table),
            count,
            secret=secret,
            hands=hands,
            pace_ms=pace,
            seed=bot_seed,
            folder=folder,
            on_over=lambda over: _tell(over, json_=json_),
        )

    try:
        asyncio.run(play())
    except Cheated as cheated:
        complain(str(cheated))
        return CHEATED
    return 0


def _tell(over: HandOver, *, json_: bool) -> None:
    if json_:
        emit(
            {
                "hand": over.hand_no,
                "id": over.hand_id,
                "end": over.end,
                "winner": over.winner,
                "result": [
                    {"seat": seat, "points": points, "amount": str(amount)}
                    for seat, points, amount in over.result
                ],
            }
        )
    elif over.end == "closed":
        typer.echo(f"hand {over.hand_no}: seat {over.winner} wins")
    else:
        typer.echo(f"hand {over.hand_no}: {over.end}")
