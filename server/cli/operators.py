"""`pakka operator`: who may use the operator's console."""

from typing import Annotated, Literal

import typer

from server.cli.house import actor, in_database
from server.cli.output import Json, emit
from server.database import Transaction
from server.identity.operators import Role, create_operator, record_act
from server.settings import Settings, read_settings

app = typer.Typer(help="Operators of the house.")


def add_to(parent: typer.Typer) -> None:
    """Add the group."""
    parent.add_typer(app, name="operator")


RoleName = Literal["viewer", "operator", "treasurer", "admin"]


@app.callback()
def _group() -> None:
    """Operators of the house."""


@app.command("create")
def create(
    name: Annotated[str, typer.Argument(help="The operator's name.")],
    role: Annotated[RoleName, typer.Option(help="What it may do; each role has the ones before.")],
    json_: Json = False,
) -> None:
    """Make an operator, or a new sign-in link for one, and print the link; it works once."""
    settings = read_settings()

    async def work(tx: Transaction) -> str:
        operator, token = await create_operator(
            tx, name=name, role=Role[role.upper()], link_ms=settings.sign_in_link_ms
        )
        await record_act(
            tx,
            operator=actor(),
            act="operator.create",
            subject=f"operator:{operator.id}",
            reason=f"role {role}",
        )
        return token

    link = _link_of(settings, in_database(work))
    minutes = settings.sign_in_link_ms // 60_000
    if json_:
        emit({"operator": name, "role": role, "link": link, "valid_ms": settings.sign_in_link_ms})
    else:
        typer.echo(f"Sign in as {name} within {minutes} minutes, once:\n{link}")


def _link_of(settings: Settings, token: str) -> str:
    """Write the link; its secret stands behind the `#`, where no log of a server sees it."""
    own = f"http://{settings.host}:{settings.port}"
    return f"{next(iter(settings.public_origins), own)}/operator#link={token}"
