"""Coming in and going out: guests, accounts, sign-ins; and the house's own bots."""

import hmac
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from server.cards.game import SeatKind
from server.database import PlayerId, Transaction
from server.errors import Refusal
from server.identity import service as identity
from server.identity.names import key_of
from server.identity.passwords import PASSWORD_MAX
from server.identity.service import Player, SignedIn, actor_of
from server.ledger import service as ledger
from server.web.addresses import TRUSTED_ADDRESSES, address_of
from server.web.auth import (
    DAY_S,
    SESSION_COOKIE,
    Anybody,
    Caller,
    PerhapsPlayer,
    TheParts,
    bearer_of,
    check_origin,
    is_signed_in,
    set_cookie,
)
from server.web.errors import refuses
from server.web.parts import Parts
from server.web.writing import ANYONE, Answered, TheWriting

NAME_TEXT_MAX: Final = 64
CREATED: Final = 201
BOT_FLOAT_MICRO: Final = 100_000 * 1_000_000
"""What a bot that comes in is filled up to, from promo, when it has less than half of it."""

router = APIRouter(tags=["player"])

NameText = Annotated[str, StringConstraints(min_length=1, max_length=NAME_TEXT_MAX)]
PasswordText = Annotated[str, StringConstraints(min_length=1, max_length=PASSWORD_MAX)]
SessionForm = Annotated[
    Literal["token", "cookie"],
    Field(description="`cookie`: the token is set as a cookie and isn't in the answer"),
]


class Asked(BaseModel):
    """The base of all bodies: strict and closed."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class NewGuest(Asked):
    name: NameText
    kind: Literal["human", "bot"] = "human"
    session: SessionForm = "token"


class NewAccount(Asked):
    name: NameText
    password: PasswordText
    session: SessionForm = "token"


class SignIn(Asked):
    name: NameText
    password: PasswordText
    session: SessionForm = "token"


class PlayerBody(BaseModel):
    """A player as it is shown to itself."""

    id: str
    name: str
    kind: Literal["human", "bot"]
    guest: bool


class SignedInBody(BaseModel):
    """A new sign-in; `token` is None if it went into a cookie."""

    player: PlayerBody
    token: str | None


class Done(BaseModel):
    """It is done."""

    ok: Literal[True] = True


@router.post(
    "/guests",
    status_code=CREATED,
    response_model=SignedInBody,
    dependencies=[Anybody],
    openapi_extra=refuses("bad_name", "name_taken", "not_allowed", "bad_origin"),
)
async def create_guest(
    body: NewGuest, request: Request, parts: TheParts, writing: TheWriting
) -> Response:
    """Let somebody play under a name; the house's own bots come in here too, marked as such."""
    if body.kind == "bot":
        _check_bot_secret(request, parts)
    else:
        _check_newcomer(request, parts, body.session)

    async def work(tx: Transaction) -> SignedInBody:
        if body.kind == "bot":
            come = await identity.bot_named(tx, body.name, session_days=parts.session_days)
            await _fill_up(tx, come.player.id)
        else:
            come = await identity.create_guest(tx, body.name, session_days=parts.session_days)
            await ledger.open_player_account(tx, come.player.id, welcome_micro=parts.welcome_micro)
        return _signed_in(come)

    answer = await writing.do(ANYONE, work, status=CREATED)
    return _given(answer, body.session, parts)


@router.post(
    "/accounts",
    status_code=CREATED,
    response_model=SignedInBody,
    dependencies=[PerhapsPlayer],
    openapi_extra=refuses(
        "bad_name", "bad_password", "name_taken", "not_a_guest", "unknown_player"
    ),
)
async def create_account(
    body: NewAccount, request: Request, parts: TheParts, writing: TheWriting
) -> Response:
    """Open an account; a guest who is signed in becomes its owner and keeps tokens and seats."""
    _check_newcomer(request, parts, body.session)
    guest = await is_signed_in(request, parts)

    async def work(tx: Transaction) -> SignedInBody:
        come = await identity.sign_up(
            tx,
            name=body.name,
            password=body.password,
            guest=None if guest is None else guest.player,
            session_days=parts.session_days,
        )
        await ledger.open_player_account(tx, come.player.id, welcome_micro=parts.welcome_micro)
        return _signed_in(come)

    actor = ANYONE if guest is None else actor_of(guest.player)
    async with parts.passwords.taken():
        answer = await writing.do(actor, work, status=CREATED)
    if guest is not None:
        parts.gateway.rename(guest.player, str(answer.body["player"]["name"]))
    return _given(answer, body.session, parts)


@router.post(
    "/sessions",
    status_code=CREATED,
    response_model=SignedInBody,
    dependencies=[Anybody],
    openapi_extra=refuses("bad_credentials", "suspended", "bad_origin"),
)
async def sign_in(body: SignIn, request: Request, parts: TheParts, writing: TheWriting) -> Response:
    """Sign in to an account."""
    _check_newcomer(request, parts, body.session)
    if not parts.sign_ins.take(f"name:{key_of(body.name)}"):
        raise Refusal("slow_down", "too many sign-ins for this name")

    async def work(tx: Transaction) -> SignedInBody:
        return _signed_in(
            await identity.sign_in(
                tx, name=body.name, password=body.password, session_days=parts.session_days
            )
        )

    async with parts.passwords.taken():
        answer = await writing.do(ANYONE, work, status=CREATED)
    return _given(answer, body.session, parts)


@router.delete("/sessions", response_model=Done)
async def sign_out(caller: Caller, parts: TheParts, writing: TheWriting) -> Response:
    """End the sign-in by which this request came; its socket is closed."""

    async def work(tx: Transaction) -> Done:
        await identity.sign_out(tx, caller.token)
        return Done()

    answer = await writing.do(actor_of(caller.player), work)
    parts.gateway.sign_out(caller.player, caller.token)
    response = answer.response()
    response.delete_cookie(SESSION_COOKIE, httponly=True, samesite="lax")
    return response


def player_body(player: Player) -> PlayerBody:
    """Write a player as it is shown to itself."""
    return PlayerBody(
        id=str(player.id),
        name=player.name,
        kind="bot" if player.kind is SeatKind.BOT else "human",
        guest=player.is_guest,
    )


def _signed_in(come: SignedIn) -> SignedInBody:
    return SignedInBody(player=player_body(come.player), token=come.token)


def _given(answer: Answered, form: str, parts: Parts) -> Response:
    """Write the answer, with the token in it or in a cookie."""
    if form == "token":
        return answer.response()
    token = str(answer.body["token"])
    response = Answered(answer.status, {**answer.body, "token": None}).response()
    set_cookie(
        response, parts, name=SESSION_COOKIE, token=token, seconds=parts.session_days * DAY_S
    )
    return response


def _check_newcomer(request: Request, parts: Parts, form: str) -> None:
    """Refuse an address that comes too often, and a cookie for a page that isn't ours."""
    if form == "cookie":
        check_origin(request, parts)
    address = address_of(request.scope)
    if address not in TRUSTED_ADDRESSES and not parts.sign_ins.take(address):
        raise Refusal("slow_down", "too many sign-ins from this address")


def _check_bot_secret(request: Request, parts: Parts) -> None:
    given = bearer_of(request) or ""
    if not hmac.compare_digest(given.encode("utf-8", "replace"), parts.bot_secret.encode()):
        raise Refusal("not_allowed", "a bot needs the house's own secret")


async def _fill_up(tx: Transaction, bot: PlayerId) -> None:
    """Open a bot's account, or top it up; by its version, so that a repeat gives nothing twice."""
    balance = await ledger.open_player_account(tx, bot, welcome_micro=0)
    missing = BOT_FLOAT_MICRO - balance.posted_micro
    if missing > BOT_FLOAT_MICRO // 2:
        await ledger.fund_bot(tx, bot, amount_micro=missing, key=f"{bot}:{balance.version}")
