"""`pakka operator`: who may use the operator's console."""

import sys
from typing import Annotated, Final, Literal

import segno
import typer

from server.cli.house import actor, in_database
from server.cli.output import Json, Wrong, emit
from server.database import Transaction
from server.errors import Refusal
from server.fairness.seal import Sealer
from server.identity.operators import (
    Role,
    clean_reason,
    create_operator,
    disable_operator,
    end_operator_sessions,
    get_operator,
    record_act,
    set_role,
)
from server.identity.two_step import CODE_MAX, SecretBox, disable, enrol, new_secret, uri_of
from server.settings import Settings, read_settings

CODES_ASKED_MAX: Final = 3

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


@app.command("two-step")
def two_step(
    name: Annotated[str, typer.Argument(help="The operator's name.")],
    off: Annotated[
        bool, typer.Option("--off", help="Demand no code any more; it needs --reason.")
    ] = False,
    reason: Annotated[str, typer.Option(help="Why it is turned off.")] = "",
    json_: Json = False,
) -> None:
    """Have an operator sign in with the codes of an app, too: show the app what to scan, ask one.

    Errors: Wrong if the codes that are given aren't the app's; nothing has changed then.
    """
    if off:
        _turn_off(name, reason, json_=json_)
        return
    settings = read_settings()
    operator = in_database(lambda tx: get_operator(tx, name))
    secret = new_secret()
    uri = uri_of(secret, operator.name)
    _show(uri, json_=json_)
    box = SecretBox.of(Sealer.from_file(settings.home))
    for _ in range(CODES_ASKED_MAX):
        code = _asked_code(json_=json_)
        try:
            codes = in_database(
                lambda tx, code=code: enrol(  # type: ignore[misc]  # the default binds the loop's
                    tx, operator, secret, code, box=box, actor=actor()
                )
            )
        except Refusal as refusal:
            if refusal.code != "bad_code":
                raise
            typer.echo("That is not the code of this moment.", err=True)
            continue
        _tell_recovery(codes, operator.name, json_=json_)
        return
    raise Wrong("no code was right: nothing has changed")


@app.command("disable")
def disable_one(
    name: Annotated[str, typer.Argument(help="The operator's name.")],
    reason: Annotated[str, typer.Option(help="Why; it stands in the audit.")],
    undo: Annotated[bool, typer.Option("--undo", help="Let it in again.")] = False,
    json_: Json = False,
) -> None:
    """Let an operator in no more: its sign-ins and its link end at once."""

    async def work(tx: Transaction) -> bool:
        operator = await get_operator(tx, name)
        has_changed = await disable_operator(tx, operator, disabled=not undo)
        await record_act(
            tx,
            operator=actor(),
            act="operator.enable" if undo else "operator.disable",
            subject=f"operator:{operator.id}",
            reason=reason,
        )
        return has_changed

    has_changed = in_database(work)
    if json_:
        emit({"operator": name, "disabled": not undo, "changed": has_changed})
    else:
        may = "may" if undo else "may not"
        typer.echo(f"{name} {may} sign in{'' if has_changed else ', as before'}.")


@app.command("role")
def set_role_of(
    name: Annotated[str, typer.Argument(help="The operator's name.")],
    role: Annotated[RoleName, typer.Argument(help="What it may do from now on.")],
    reason: Annotated[str, typer.Option(help="Why; it stands in the audit.")],
    json_: Json = False,
) -> None:
    """Give an operator another role: its sign-ins and its link end at once."""

    async def work(tx: Transaction) -> tuple[Role, bool]:
        operator = await get_operator(tx, name)
        has_changed = await set_role(tx, operator, Role[role.upper()])
        why = clean_reason(reason)
        if has_changed:
            await record_act(
                tx,
                operator=actor(),
                act="operator.role",
                subject=f"operator:{operator.id}",
                reason=f"{operator.role.name.lower()} to {role}: {why}",
            )
        return operator.role, has_changed

    before, has_changed = in_database(work)
    was = before.name.lower()
    if json_:
        emit({"operator": name, "role": role, "was": was, "changed": has_changed})
    elif has_changed:
        typer.echo(f"{name} is {role} now, no longer {was}; its sign-ins have ended.")
    else:
        typer.echo(f"{name} is {role}, as before.")


@app.command("sign-out")
def sign_out(
    name: Annotated[str, typer.Argument(help="The operator's name.")],
    reason: Annotated[str, typer.Option(help="Why; it stands in the audit.")],
    json_: Json = False,
) -> None:
    """End every sign-in of an operator, wherever it is; a new link signs in again."""

    async def work(tx: Transaction) -> int:
        operator = await get_operator(tx, name)
        ended = await end_operator_sessions(tx, operator)
        await record_act(
            tx,
            operator=actor(),
            act="operator.sign_out",
            subject=f"operator:{operator.id}",
            reason=reason,
        )
        return ended

    ended = in_database(work)
    if json_:
        emit({"operator": name, "ended": ended})
    else:
        typer.echo(f"{ended} sign-ins of {name} ended.")


def _turn_off(name: str, reason: str, *, json_: bool) -> None:
    async def work(tx: Transaction) -> bool:
        operator = await get_operator(tx, name)
        return await disable(tx, operator, actor=actor(), reason=reason)

    was_on = in_database(work)
    if json_:
        emit({"operator": name, "was_on": was_on})
    else:
        typer.echo(f"{name} signs in by a link alone{'' if was_on else ', as before'}.")


def _show(uri: str, *, json_: bool) -> None:
    if json_:
        emit({"uri": uri})
        return
    segno.make(uri, micro=False).terminal(compact=True)
    typer.echo(f"Scan this with an authenticator app, or give it the address:\n{uri}")


def _asked_code(*, json_: bool) -> str:
    if not json_:
        typer.echo("Its code of this moment: ", nl=False)
    line = sys.stdin.readline()
    if not line:
        raise Wrong("no code was given: nothing has changed")
    return line.strip()[:CODE_MAX]


def _tell_recovery(codes: list[str], name: str, *, json_: bool) -> None:
    if json_:
        emit({"operator": name, "recovery": codes})
        return
    typer.echo(f"{name} needs a code to sign in from now on. If the app is lost, each of these")
    typer.echo("stands in for one, once; they are not shown again:")
    for code in codes:
        typer.echo(f"  {code}")


def _link_of(settings: Settings, token: str) -> str:
    """Write the link; its secret stands behind the `#`, where no log of a server sees it."""
    own = f"http://{settings.host}:{settings.port}"
    return f"{next(iter(settings.public_origins), own)}/operator#link={token}"
