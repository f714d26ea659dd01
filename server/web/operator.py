"""The operator's door: signing in, players, and what operators did.

Every writing act needs a role and a reason, and is recorded in the transaction that does it.
"""

from datetime import datetime
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field, StringConstraints

from server.database import PlayerId, Transaction
from server.errors import Refusal
from server.identity import service as identity
from server.identity import two_step
from server.identity.operators import (
    OPERATOR_SESSION_HOURS,
    REASON_MAX,
    Operator,
    acts,
    operator_sign_in_by_link,
    operator_sign_out,
    record_act,
)
from server.identity.passwords import TOKEN_MAX
from server.identity.service import Player
from server.identity.two_step import CODE_MAX
from server.web.addresses import TRUSTED_ADDRESSES, address_of
from server.web.auth import (
    OPERATOR_COOKIE,
    Anybody,
    OperatorRole,
    OperatorToken,
    TheParts,
    ViewerRole,
    check_origin,
    set_cookie,
)
from server.web.errors import refuses
from server.web.me import BalanceBody, balance_body
from server.web.pages import LIST_MAX, After, Id, Limit
from server.web.player import CREATED, Asked, Done, SessionForm
from server.web.writing import Answered, TheWriting

TEXT_MAX: Final = 64

router = APIRouter(prefix="/operator", tags=["operator"])

ReasonText = Annotated[str, StringConstraints(max_length=REASON_MAX, pattern=r"\S")]
SearchText = Annotated[
    str, Query(max_length=TEXT_MAX, pattern=r"^[^\x00-\x1f]*$", description="how a name begins")
]
SubjectText = Annotated[str | None, Query(max_length=TEXT_MAX, pattern=r"^[\x21-\x7e]+$")]


class LinkSignIn(Asked):
    link: Annotated[str, StringConstraints(min_length=1, max_length=TOKEN_MAX)]
    code: Annotated[str, StringConstraints(min_length=1, max_length=CODE_MAX)] | None = Field(
        None, description="of the operator's app, or a recovery code; after `code_needed`"
    )
    session: SessionForm = "token"


class Reason(Asked):
    reason: ReasonText


class Suspension(Reason):
    suspended: bool


class OperatorBody(BaseModel):
    """An operator and what it may do."""

    name: str
    role: str


class OperatorSignedIn(BaseModel):
    """A new sign-in of an operator; `token` is None if it went into a cookie."""

    operator: OperatorBody
    token: str | None


class PlayerRowBody(BaseModel):
    """A player as operators see it."""

    id: str
    name: str
    kind: Literal["human", "bot"]
    guest: bool
    suspended: bool
    deleted: bool
    created_at: datetime


class PlayerPage(BaseModel):
    players: list[PlayerRowBody]
    next: int | None


class PlayerAbout(BaseModel):
    player: PlayerRowBody
    balance: BalanceBody


class ActBody(BaseModel):
    """What an operator did, to whom, why."""

    id: str
    operator: str
    act: str
    subject: str
    reason: str
    at: datetime


class ActPage(BaseModel):
    acts: list[ActBody]
    next: int | None


@router.post(
    "/session",
    status_code=CREATED,
    response_model=OperatorSignedIn,
    dependencies=[Anybody],
    openapi_extra=refuses("bad_link", "bad_origin", "code_needed", "bad_code", "two_step_needed"),
)
async def sign_in(
    body: LinkSignIn, request: Request, parts: TheParts, writing: TheWriting
) -> Response:
    """Sign in by a one-time link, which a refused code leaves unused; five codes end it."""
    if body.session == "cookie":
        check_origin(request, parts)
    address = address_of(request.scope)
    if address not in TRUSTED_ADDRESSES and not parts.sign_ins.take(address):
        raise Refusal("slow_down", "too many sign-ins from this address")

    if body.code is not None:
        await parts.database.run(lambda tx: two_step.count_try(tx, body.link))

    async def work(tx: Transaction) -> OperatorSignedIn:
        operator, token = await operator_sign_in_by_link(tx, body.link)
        await two_step.demand_code(
            tx, operator, body.code, box=parts.secret_box, of_all=parts.two_step_of_all
        )
        return OperatorSignedIn(operator=_operator_body(operator), token=token)

    answer = await writing.do("operator", work, status=CREATED)
    if body.session == "token":
        return answer.response()
    response = Answered(answer.status, {**answer.body, "token": None}).response()
    set_cookie(
        response,
        parts,
        name=OPERATOR_COOKIE,
        token=str(answer.body["token"]),
        seconds=OPERATOR_SESSION_HOURS * 3_600,
    )
    return response


@router.delete("/session", response_model=Done)
async def sign_out(operator: ViewerRole, token: OperatorToken, writing: TheWriting) -> Response:
    """End this sign-in."""

    async def work(tx: Transaction) -> Done:
        await operator_sign_out(tx, token)
        return Done()

    answer = await writing.do(actor_of(operator), work)
    response = answer.response()
    response.delete_cookie(OPERATOR_COOKIE, httponly=True, samesite="lax")
    return response


@router.get("/me")
async def get_me(operator: ViewerRole) -> OperatorBody:
    """Show the operator."""
    return _operator_body(operator)


@router.get("/players")
async def find_players(
    operator: ViewerRole,
    parts: TheParts,
    prefix: SearchText = "",
    limit: Limit = LIST_MAX,
    after: After = None,
) -> PlayerPage:
    """List players by id, those whose name begins with `prefix`."""
    async with parts.database.transaction() as tx:
        found = await identity.players(tx, prefix=prefix, after=after or 0, limit=limit)
    rows = [_player_row(player) for player in found]
    return PlayerPage(players=rows, next=int(rows[-1].id) if len(rows) == limit else None)


@router.get("/players/{player}", openapi_extra=refuses("unknown_player", "unknown_account"))
async def get_player(operator: ViewerRole, parts: TheParts, player: Id) -> PlayerAbout:
    """Show a player and its tokens."""
    async with parts.database.transaction() as tx:
        found = await identity.get_player(tx, PlayerId(player))
        balance = await balance_body(tx, PlayerId(player))
    return PlayerAbout(player=_player_row(found), balance=balance)


@router.post(
    "/players/{player}/suspension",
    response_model=Done,
    openapi_extra=refuses("unknown_player", "bad_reason"),
)
async def suspend_player(
    operator: OperatorRole, parts: TheParts, writing: TheWriting, player: Id, body: Suspension
) -> Response:
    """Put a player out, whose sign-ins end, or let it come back."""

    async def work(tx: Transaction) -> Done:
        await identity.suspend(tx, PlayerId(player), suspended=body.suspended)
        act = "player.suspend" if body.suspended else "player.restore"
        await record(tx, operator, act, f"player:{player}", body.reason)
        return Done()

    answer = await writing.do(actor_of(operator), work)
    if body.suspended:
        parts.gateway.put_out(PlayerId(player))
    return answer.response()


@router.get("/audit")
async def get_audit(
    operator: ViewerRole,
    parts: TheParts,
    subject: SubjectText = None,
    limit: Limit = LIST_MAX,
    after: After = None,
) -> ActPage:
    """List what operators did, newest first; of one subject such as `player:12`."""
    async with parts.database.transaction() as tx:
        found = await acts(tx, subject=subject, before=after, limit=limit)
    rows = [
        ActBody(
            id=str(act.id),
            operator=act.operator,
            act=act.act,
            subject=act.subject,
            reason=act.reason,
            at=act.at,
        )
        for act in found
    ]
    return ActPage(acts=rows, next=int(rows[-1].id) if len(rows) == limit else None)


def actor_of(operator: Operator) -> str:
    """Derive how an operator is named in stored answers."""
    return f"operator:{operator.id}"


async def record(tx: Transaction, operator: Operator, act: str, subject: str, reason: str) -> None:
    """Append what an operator does, in the transaction that does it."""
    await record_act(tx, operator=operator.name, act=act, subject=subject, reason=reason)


def _operator_body(operator: Operator) -> OperatorBody:
    return OperatorBody(name=operator.name, role=operator.role.name.lower())


def _player_row(player: Player) -> PlayerRowBody:
    return PlayerRowBody(
        id=str(player.id),
        name=player.name,
        kind="bot" if player.kind.name == "BOT" else "human",
        guest=player.is_guest,
        suspended=player.is_suspended,
        deleted=player.is_deleted,
        created_at=player.created_at,
    )
