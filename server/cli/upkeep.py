"""`pakka backup` and `pakka restore`: the whole house as one file."""

from pathlib import Path
from typing import Annotated

import typer

from server.cli.house import database_of, owned
from server.cli.output import Json, emit
from server.schema import prepare
from server.settings import read_settings
from server.upkeep.archive import Manifest
from server.upkeep.backup import back_up
from server.upkeep.restore import restore as bring_back

File = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, one file.")]


def add_to(app: typer.Typer) -> None:
    """Add both commands."""
    app.command("backup")(backup)
    app.command("restore")(restore)


def backup(file: File, json_: Json = False) -> None:
    """Write the database and the keys to FILE, which only you may read. The server may run."""
    settings = read_settings()
    manifest = back_up(lambda: owned(settings), settings.home, file.absolute())
    _say(manifest, file, "The house is in", json_=json_)


def restore(file: File, json_: Json = False) -> None:
    """Bring a backup into an empty PAKKA_HOME and an empty database.

    Hands that were open are given up at the next start; what happened after the backup is lost.
    """
    settings = read_settings()
    manifest = bring_back(lambda: owned(settings), settings.home, file.absolute())
    if settings.owner_database_url is not None:  # a backup holds no logins
        with database_of(settings) as addresses:
            prepare(addresses)
    _say(manifest, settings.home, "The house is back in", json_=json_)


def _say(manifest: Manifest, where: Path, done: str, *, json_: bool) -> None:
    names = sorted(manifest.files)
    if json_:
        emit(
            {
                "where": str(where),
                "made_at": manifest.made_at,
                "revision": manifest.revision,
                "files": names,
            }
        )
    else:
        typer.echo(f"{done} {where}: {', '.join(names)}; as of {manifest.made_at}.")
