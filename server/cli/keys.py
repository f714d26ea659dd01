"""`pakka keys`: which keys a house has, and new ones in their place."""

import asyncio
from typing import Annotated

import typer

from server.cli.house import database_of, demand_schema
from server.cli.output import Json, console, emit, table_of
from server.database import Database
from server.fairness.entries import KeyRole
from server.secret_files import old_files, read_or_make_key
from server.settings import read_settings
from server.upkeep import holding
from server.upkeep.key_files import FILES
from server.upkeep.rotation import Rotated, name_of
from server.upkeep.rotation import rotate as replace_key

app = typer.Typer(help="The house's keys.")


def add_to(parent: typer.Typer) -> None:
    """Add the group."""
    parent.add_typer(app, name="keys")


@app.command("list")
def list_keys(json_: Json = False) -> None:
    """List the keys in force and those that they replaced: public halves, never secrets."""
    home = read_settings().home
    rows = [
        (role.value, name_of(role, read_or_make_key(home, file)).hex(), state, file)
        for role, name in FILES.items()
        for state, files in (("in force", [name]), ("replaced", old_files(home, name)))
        for file in files
        if (home / file).exists()
    ]
    columns = ("role", "key", "state", "file")
    if json_:
        emit([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        console().print(table_of("Keys", columns, rows))


@app.command("rotate")
def rotate(
    role: Annotated[KeyRole, typer.Argument(help="Which key: signing, log or sealing.")],
    json_: Json = False,
) -> None:
    """Put a new key in the place of one; no server may run. The public log hands over to it."""
    settings = read_settings()
    with holding.alone(settings.home), database_of(settings) as addresses:
        demand_schema(settings, addresses)

        async def work() -> Rotated:
            database = Database(addresses.owner, pool_size=1)
            try:
                return await replace_key(database, settings.home, role, origin=settings.log_name)
            finally:
                await database.close()

        rotated = asyncio.run(work())
    if json_:
        emit(
            {
                "role": role.value,
                "old": rotated.old.hex(),
                "new": rotated.new.hex(),
                "entry": rotated.index,
                "seeds": rotated.seeds,
            }
        )
    else:
        typer.echo(
            f"The {role} key is now {rotated.new.hex()}; entry {rotated.index} of the public log"
            " hands over to it."
        )
