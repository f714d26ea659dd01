"""`pakka demo`: everything in one go, on a database that is thrown away."""

import asyncio
import signal
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.progress import Progress

from server.bots.evidence import Cheated
from server.cli.demo_house import DemoHouse, demo_house
from server.cli.demo_report import HandReport, hand_document, hand_line, judge, summary_of
from server.cli.output import Json, Wrong, complain, console, emit
from server.games import GAMES
from server.logs import set_up_logging

FAILED = 1


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo")(demo)


def demo(
    game: Annotated[str, typer.Option(help="The game.")] = "rummy",
    seats: Annotated[int | None, typer.Option(help="Seats: 4, 6 or 8 for rummy.")] = None,
    hands: Annotated[int | None, typer.Option(min=1, max=10_000, help="Hands to play.")] = None,
    matches: Annotated[
        int | None, typer.Option(min=1, max=10_000, help="Matches to play; of rummy, hands.")
    ] = None,
    bot_seed: Annotated[int, typer.Option(help="Makes the bots' taste repeatable.")] = 0,
    json_: Json = False,
) -> int:
    """Start a server, let bots play on real sockets, verify every record, check the ledger.

    Exit 1 if anything does not hold.
    """
    if game not in GAMES:
        raise Wrong(f"--game: there is no game {game[:32]!r}")
    if hands is not None and matches is not None:
        raise Wrong("--hands and --matches: give one of them")
    offered = GAMES[game].seats
    chosen = offered[0] if seats is None else seats
    if chosen not in offered:
        raise Wrong(f"--seats must be one of {', '.join(map(str, offered))}")
    wanted = hands or matches or 3
    set_up_logging(level="warning", form="text")
    signal.signal(signal.SIGTERM, _interrupt)
    with demo_house() as house:
        return asyncio.run(_demo(house, game, chosen, wanted, bot_seed, json_=json_))


def _interrupt(number: int, frame: object) -> NoReturn:
    """End as Ctrl-C does: the server of the demo must not outlive it."""
    raise KeyboardInterrupt


async def _demo(
    house: DemoHouse, game: str, seats: int, wanted: int, bot_seed: int, *, json_: bool
) -> int:
    reports: list[HandReport] = []
    screen = console()
    with Progress(console=screen, transient=True, disable=json_ or not screen.is_terminal) as bar:
        task = bar.add_task(f"{wanted} hands of {game}, {seats} seats", total=wanted)
        try:
            async for over in house.play(game, seats, wanted, bot_seed):
                report = await judge(house, over, seats)
                reports.append(report)
                if json_:
                    emit(hand_document(report))
                else:
                    bar.console.print(hand_line(report))
                bar.advance(task)
        except Cheated as cheated:
            kept = house.keep_evidence(Path.cwd())
            complain(f"a bot's live check failed: {cheated}; what it saw: {kept}")
            return FAILED
    summary = await summary_of(house, reports, wanted)
    if json_:
        emit(summary.document())
    else:
        screen.print(summary.table())
    return 0 if summary.holds else FAILED
