"""`pakka demo`: everything in one go, on a database that is thrown away."""

import asyncio
import signal
from contextlib import aclosing
from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer
from rich.progress import Progress

from server.bots.evidence import Cheated
from server.bots.games import PROGRAMS
from server.cli.demo_house import DemoHouse, Plan, demo_house, is_free
from server.cli.demo_match import Standing, standing_after
from server.cli.demo_report import HandReport, judge, summary_of, told
from server.cli.output import Json, Wrong, complain, console, emit
from server.games import GAMES
from server.logs import set_up_logging

FAILED: Final = 1
HANDS: Final = 3
MATCHES: Final = 1
"""What is played if nothing is said: hands of rummy, or a match of another game."""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo")(demo)


def demo(
    game: Annotated[str, typer.Option(help="The game.")] = "rummy",
    seats: Annotated[int | None, typer.Option(help="Seats: as many as the game allows.")] = None,
    hands: Annotated[
        int | None, typer.Option(min=1, max=10_000, help="Hands of rummy to play.")
    ] = None,
    matches: Annotated[
        int | None, typer.Option(min=1, max=10_000, help="Matches to play; of rummy, hands.")
    ] = None,
    bot_seed: Annotated[int, typer.Option(help="Makes the bots' taste repeatable.")] = 0,
    json_: Json = False,
) -> int:
    """Start a server, let bots play on real sockets, verify every record, check the ledger.

    Exit 1 if anything does not hold.
    """
    plan = _plan(game, seats, hands, matches, bot_seed)
    set_up_logging(level="warning", form="text")
    signal.signal(signal.SIGTERM, _interrupt)
    with demo_house() as house:
        return _until_interrupted(house, plan, json_=json_)


def _plan(
    game: str, seats: int | None, hands: int | None, matches: int | None, bot_seed: int
) -> Plan:
    """Read what is wished for. Errors: Wrong, naming the option."""
    if game not in GAMES:
        raise Wrong(f"--game: there is no game {game[:32]!r}")
    if game not in PROGRAMS:
        raise Wrong(f"--game: no bot plays {game}")
    if hands is not None and matches is not None:
        raise Wrong("--hands and --matches: give one of them")
    if hands is not None and is_free(game):
        raise Wrong(f"--hands: {game} is played in matches of several hands; give --matches")
    offered = GAMES[game].seats
    chosen = offered[0] if seats is None else seats
    if seats is None and is_free(game):
        chosen = int(GAMES[game].options_type().seats)
    if chosen not in offered:
        raise Wrong(f"--seats must be one of {', '.join(map(str, offered))}")
    if is_free(game):
        hands, matches = None, matches or MATCHES
    else:
        hands, matches = hands or matches or HANDS, None
    return Plan(game=game, seats=chosen, hands=hands, matches=matches, bot_seed=bot_seed)


def _interrupt(number: int, frame: object) -> NoReturn:
    """End as Ctrl-C does: the server of the demo must not outlive it."""
    raise KeyboardInterrupt


def _until_interrupted(house: DemoHouse, plan: Plan, *, json_: bool) -> int:
    """Play; what interrupts cancels the play, and reaches no task of it in the middle of a step.

    Errors: KeyboardInterrupt after SIGINT or SIGTERM.
    """
    try:
        return asyncio.run(_demo(house, plan, json_=json_))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        signal.signal(signal.SIGTERM, _interrupt)


def _cancel_at_sigterm() -> None:
    """Let SIGTERM cancel this task, as asyncio lets SIGINT; the loop takes it back when it ends."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


async def _demo(house: DemoHouse, plan: Plan, *, json_: bool) -> int:
    _cancel_at_sigterm()
    reports: list[HandReport] = []
    screen = console()
    with Progress(console=screen, transient=True, disable=json_ or not screen.is_terminal) as bar:
        task = bar.add_task(str(plan), total=plan.matches or plan.hands)
        standing: Standing | None = None
        try:
            async with aclosing(house.play(plan)) as overs:
                async for over in overs:
                    standing = standing_after(standing, over)
                    reports.append(await judge(house, over, plan, standing))
                    for document, line in told(reports[-1]):
                        if json_:
                            emit(document)
                        else:
                            bar.console.print(line)
                    bar.advance(task, int(plan.matches is None or reports[-1].ends_match))
        except Cheated as cheated:
            kept = house.keep_evidence(Path.cwd())
            complain(f"a bot's live check failed: {cheated}; what it saw: {kept}")
            return FAILED
    summary = await summary_of(house, reports, plan)
    if json_:
        emit(summary.document())
    else:
        screen.print(summary.table())
    return 0 if summary.holds else FAILED
