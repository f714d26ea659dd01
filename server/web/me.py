"""What a signed-in player sees of itself: name and tokens, its statement, its hands."""

import hashlib
import secrets
from datetime import datetime
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import BaseModel

from server.database import PlayerId, Transaction
from server.errors import Refusal
from server.identity import service as identity
from server.ledger import service as ledger
from server.ledger.statements import Statement, statement
from server.sealing.proofs import prove
from server.tables import service as tables
from server.tables.commands import Leave, Request
from server.tables.complaints import Complaint, own_complaints
from server.web.amounts import AmountBody, amount_of
from server.web.auth import SESSION_COOKIE, Caller, TheParts
from server.web.errors import refuses
from server.web.pages import LIST_MAX, After, Id, Limit
from server.web.parts import Parts
from server.web.player import Done, PlayerBody, player_body
from server.web.writing import TheWriting

PROOF = {"$ref": "#/components/schemas/SealedProof"}

router = APIRouter(prefix="/me", tags=["me"])


class BalanceBody(BaseModel):
    """What a player has; `available` is what isn't held for hands that are being played."""

    posted: AmountBody
    held: AmountBody
    available: AmountBody


class MeBody(BaseModel):
    """A player and its tokens."""

    player: PlayerBody
    balance: BalanceBody


class StatementLine(BaseModel):
    """One movement; `number` counts them without a gap, `seal` is None until it is sealed."""

    number: str
    entry: str
    kind: str
    amount: AmountBody
    balance: AmountBody
    at: datetime
    hand: str | None
    table: UUID | None
    reason: str
    seal: int | None


class StatementBody(BaseModel):
    """A page of a statement: it opens with the balance before its first line."""

    opening: AmountBody
    lines: list[StatementLine]
    closing: AmountBody
    next: int | None


class OwnComplaint(BaseModel):
    """What a player said of a hand; `answer` is None while no operator has answered."""

    text: str
    at: datetime
    answer: str | None
    answered_at: datetime | None


class HandLine(BaseModel):
    """A hand that a player was in; `amount` is what it won or lost, commission taken.

    Shape: `free`: no tokens move at its table, and `amount` is nothing.
    """

    hand: str
    table: UUID
    table_name: str
    game: str
    free: bool
    number: int
    seat: int
    points: int
    amount: AmountBody
    ended_at: datetime
    record: str
    complaint: OwnComplaint | None


class HandList(BaseModel):
    """A page of hands, the newest first."""

    hands: list[HandLine]
    next: int | None


@router.get(
    "",
    summary="Who I am and what I have",
    openapi_extra=refuses("unknown_player", "unknown_account"),
)
async def get_me(caller: Caller, parts: TheParts) -> MeBody:
    """Show the caller."""
    async with parts.database.transaction() as tx:
        player = await identity.get_player(tx, caller.player)
        balance = await balance_body(tx, caller.player)
    return MeBody(player=player_body(player), balance=balance)


@router.delete(
    "",
    summary="Delete my account",
    response_model=Done,
    openapi_extra=refuses("unknown_player"),
)
async def delete_me(caller: Caller, parts: TheParts, writing: TheWriting) -> Response:
    """Remove the caller's name and sign-in; it gets up from every table first."""
    await _get_up(parts, caller.player)

    async def work(tx: Transaction) -> Done:
        await identity.delete_account(tx, caller.player)
        return Done()

    # `delete_account` drops the player's stored answers, so this one is not the player's.
    answer = await writing.do(f"deleted:{caller.player}", work)
    parts.gateway.sign_out(caller.player)  # by whichever of its tokens it came in
    response = answer.response()
    response.delete_cookie(SESSION_COOKIE, httponly=True, samesite="lax")
    return response


@router.get(
    "/statement",
    summary="My tokens, movement by movement",
    openapi_extra=refuses("unknown_account"),
)
async def get_statement(
    caller: Caller, parts: TheParts, limit: Limit = LIST_MAX, after: After = None
) -> StatementBody:
    """Show a page of the caller's statement, oldest first."""
    async with parts.database.transaction() as tx:
        page = await statement(tx, caller.player, after=after or 0, limit=limit)
    return statement_body(page)


@router.get(
    "/statement/{number}/proof",
    summary="Proof that a movement is sealed",
    response_model=None,
    responses={200: {"content": {"application/json": {"schema": PROOF}}}},
    openapi_extra=refuses("unknown_entry", "not_sealed", "unknown_account"),
)
async def get_proof(caller: Caller, parts: TheParts, number: Id) -> dict[str, Any]:
    """Prove a line of the caller's statement: up to its seal, and from there to the public log."""
    async with parts.database.transaction() as tx:
        proof = await prove(tx, caller.player, number)
    document: dict[str, Any] = proof.document()
    return document


@router.get("/hands", summary="My hands")
async def get_hands(
    caller: Caller, parts: TheParts, limit: Limit = LIST_MAX, after: After = None
) -> HandList:
    """List the caller's closed hands, newest first."""
    async with parts.database.transaction() as tx:
        rows = await tables.hands_of(tx, caller.player, before=after, limit=limit + 1)
        said = await own_complaints(tx, caller.player, [row.hand_id for row in rows])
    hands = [
        HandLine(
            hand=str(row.hand_id),
            table=row.table_id,
            table_name=row.table_name,
            game=row.game,
            free=row.is_free,
            number=row.hand_no,
            seat=row.seat,
            points=row.points,
            amount=amount_of(row.amount_micro),
            ended_at=row.ended_at,
            record=f"/api/v1/hands/{row.hand_id}/record",
            complaint=_own_complaint(said.get(row.hand_id)),
        )
        for row in rows[:limit]
    ]
    return HandList(hands=hands, next=int(hands[-1].hand) if len(rows) > limit else None)


async def balance_body(tx: Transaction, player: PlayerId) -> BalanceBody:
    """Read what a player has."""
    balance = await ledger.balance_of(tx, player)
    return BalanceBody(
        posted=amount_of(balance.posted_micro),
        held=amount_of(balance.held_micro),
        available=amount_of(balance.available_micro),
    )


def statement_body(page: Statement) -> StatementBody:
    """Write a page of a statement."""
    lines = [
        StatementLine(
            number=str(line.number),
            entry=str(line.entry_id),
            kind=line.kind.name.lower(),
            amount=amount_of(line.amount_micro),
            balance=amount_of(line.balance_micro),
            at=line.at,
            hand=None if line.hand_id is None else str(line.hand_id),
            table=line.table_id,
            reason=line.reason,
            seal=line.seal,
        )
        for line in page.lines
    ]
    return StatementBody(
        opening=amount_of(page.opening_micro),
        lines=lines,
        closing=amount_of(page.closing_micro),
        next=page.next_after,
    )


def _own_complaint(said: Complaint | None) -> OwnComplaint | None:
    """Write a complaint for who made it: which operator answered is the house's own matter."""
    if said is None:
        return None
    return OwnComplaint(
        text=said.text, at=said.made_at, answer=said.answer, answered_at=said.answered_at
    )


async def _get_up(parts: Parts, player: PlayerId) -> None:
    """Leave every table of the house; what a leaver owes in mid-hand, the game says.

    Errors: Refusal("busy") if a table is between two processes for too long.
    """
    for table in await parts.database.run(tables.open_tables):
        try:
            await parts.host.settle(table.table_id)
            if parts.host.state_of(table.table_id).seat_of(player) is None:
                continue
            digest = hashlib.sha256(b"account deleted").digest()
            once = f"account-deleted-{secrets.token_hex(8)}"  # no id that the player has used
            request = Request(player, once, digest, Leave())
            await parts.host.send(table.table_id, request)
        except Refusal as refusal:
            if refusal.code == "busy":
                raise
            continue  # the table is closing: nobody keeps a seat there
