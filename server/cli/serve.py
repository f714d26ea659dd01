"""`pakka serve` and `pakka migrate`."""

from typing import Annotated, Final

import typer

from server import main as house
from server import workers as several
from server.cli.house import database_of, reached
from server.cli.output import Json, Wrong, emit
from server.schema import is_current, prepare
from server.settings import Settings, read_settings

WORKERS_MAX: Final = 64


def add_to(app: typer.Typer) -> None:
    """Add both commands."""
    app.command("serve")(serve)
    app.command("migrate")(migrate)


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, help="Port; 0 takes a free one.")
    ] = None,
    workers: Annotated[
        int, typer.Option(min=1, max=WORKERS_MAX, help="Processes that share the address.")
    ] = 1,
    fd: Annotated[
        int | None, typer.Option(min=3, help="Socket to serve on, inherited and listening.")
    ] = None,
    json_: Json = False,
) -> None:
    """Migrate, start the server, open its tables; end at SIGTERM or Ctrl-C.

    With several workers SIGHUP renews them one after the other.
    """
    if fd is not None and (workers > 1 or port is not None):
        raise Wrong("--fd: the socket is there already, for one process")
    given = {"host": host, "port": port}
    changes = {name: value for name, value in given.items() if value is not None}
    settings = read_settings().model_copy(update=changes)
    with reached():
        if workers > 1:
            several.serve(settings, workers, lambda url: _announce(url, settings, json_=json_))
        else:
            house.serve(settings, lambda url: _announce(url, settings, json_=json_), fd=fd)


def _announce(url: str, settings: Settings, *, json_: bool) -> None:
    if json_:
        emit({"url": url, "home": str(settings.home)})
    else:
        typer.echo(f"Pakka is at {url}, its keys and data in {settings.home}. Ctrl-C ends it.")


def migrate(
    check: Annotated[bool, typer.Option("--check", help="Only say whether it is.")] = False,
    json_: Json = False,
) -> int:
    """Bring the database's schema up to date; with --check, exit 1 if it is not."""
    with database_of(read_settings()) as addresses:
        if not check:
            prepare(addresses)
        current = is_current(addresses.owner)
    if json_:
        emit({"current": current})
    else:
        typer.echo(f"The schema is {'' if current else 'not '}up to date.")
    return 0 if current else 1
