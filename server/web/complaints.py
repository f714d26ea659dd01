"""Hands that are over: a seat may report one; operators see the queue and the hands themselves."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, StringConstraints

from server.database import HandId, PlayerId, TableId, Transaction
from server.identity.operators import clean_reason
from server.ledger import service as ledger
from server.tables import complaints
from server.tables.complaints import TEXT_MAX, Complaint
from server.tables.ended import EndedHand, ended_hands
from server.web.amounts import AmountBody, amount_of
from server.web.auth import Caller, OperatorRole, TheParts, ViewerRole
from server.web.books import names_of
from server.web.errors import refuses
from server.web.operator import Reason, actor_of, record
from server.web.pages import ID_MAX, LIST_MAX, After, Id, Limit
from server.web.player import CREATED, Asked, Done
from server.web.writing import TheWriting

router = APIRouter(tags=["complaints"])


class NewComplaint(Asked):
    text: Annotated[str, StringConstraints(max_length=TEXT_MAX, pattern=r"\S")]


class ComplaintMade(BaseModel):
    """The complaint's number."""

    complaint: str


class ComplaintBody(BaseModel):
    """A complaint with the hand that it is about; `record` is None if the hand was cancelled."""

    complaint: str
    hand: str
    number: int
    table: UUID
    table_name: str
    record: str | None
    player: str
    name: str | None
    text: str
    at: datetime
    answered_at: datetime | None
    answered_by: str | None
    answer: str | None


class ComplaintPage(BaseModel):
    complaints: list[ComplaintBody]
    next: int | None


class EndedSeatBody(BaseModel):
    """What a seat of a closed hand got."""

    seat: int
    player: str
    name: str | None
    points: int
    amount: AmountBody


class EndedHandBody(BaseModel):
    """A hand that is over; one that was cancelled has neither seats nor a record."""

    hand: str
    table: UUID
    table_name: str
    number: int
    closed: bool
    opened_at: datetime
    ended_at: datetime
    commission: AmountBody | None
    seats: list[EndedSeatBody]
    record: str | None


class EndedHandPage(BaseModel):
    hands: list[EndedHandBody]
    next: int | None


@router.post(
    "/hands/{hand}/complaint",
    status_code=CREATED,
    response_model=ComplaintMade,
    openapi_extra=refuses(
        "no_such_hand", "complain_later", "not_in_hand", "complained_already", "bad_text"
    ),
)
async def complain(caller: Caller, writing: TheWriting, hand: Id, body: NewComplaint) -> Response:
    """Report a hand that is over, once, as one of its seats."""

    async def work(tx: Transaction) -> ComplaintMade:
        was_held = caller.player in await ledger.held_of(tx, HandId(hand))
        made = await complaints.complain(
            tx, HandId(hand), caller.player, body.text, was_held=was_held
        )
        return ComplaintMade(complaint=str(made))

    return (await writing.do(f"player:{caller.player}", work, status=CREATED)).response()


@router.get("/operator/complaints")
async def list_complaints(
    operator: ViewerRole,
    parts: TheParts,
    answered: bool | None = None,
    limit: Limit = LIST_MAX,
    after: After = None,
) -> ComplaintPage:
    """List complaints, the oldest first; with or without an answer, or both."""
    async with parts.database.transaction() as tx:
        found = await complaints.complaints(
            tx, answered=answered, after=after or 0, limit=limit + 1
        )
        names = await names_of(tx, {one.player_id for one in found})
    page = [_complaint_body(one, names.get(one.player_id)) for one in found[:limit]]
    return ComplaintPage(
        complaints=page, next=int(page[-1].complaint) if len(found) > limit else None
    )


@router.post(
    "/operator/complaints/{complaint}/answer",
    response_model=Done,
    openapi_extra=refuses("no_such_complaint", "answered_already", "bad_reason"),
)
async def answer(
    operator: OperatorRole, writing: TheWriting, complaint: Id, body: Reason
) -> Response:
    """Mark a complaint as answered; the reason is the answer."""

    async def work(tx: Transaction) -> Done:
        words = clean_reason(body.reason)
        await complaints.answer(tx, complaint, operator=operator.name, words=words)
        await record(tx, operator, "complaint.answer", f"complaint:{complaint}", words)
        return Done()

    return (await writing.do(actor_of(operator), work)).response()


@router.get("/operator/hands")
async def list_hands(
    operator: ViewerRole,
    parts: TheParts,
    hand: Annotated[int | None, Query(ge=1, le=ID_MAX)] = None,
    table: UUID | None = None,
    player: Annotated[int | None, Query(ge=1, le=ID_MAX)] = None,
    limit: Limit = LIST_MAX,
    after: After = None,
) -> EndedHandPage:
    """List hands that are over, the newest first; nothing of one in play."""
    async with parts.database.transaction() as tx:
        found = await ended_hands(
            tx,
            hand=None if hand is None else HandId(hand),
            table=None if table is None else TableId(table),
            player=None if player is None else PlayerId(player),
            before=after,
            limit=limit + 1,
        )
        names = await names_of(tx, {seat.player_id for one in found for seat in one.seats})
    page = [_hand_body(one, names) for one in found[:limit]]
    return EndedHandPage(hands=page, next=int(page[-1].hand) if len(found) > limit else None)


def _hand_body(one: EndedHand, names: Mapping[PlayerId, str]) -> EndedHandBody:
    commission = one.commission_micro
    return EndedHandBody(
        hand=str(one.hand_id),
        table=one.table_id,
        table_name=one.table_name,
        number=one.hand_no,
        closed=one.is_closed,
        opened_at=one.opened_at,
        ended_at=one.ended_at,
        commission=None if commission is None else amount_of(commission),
        seats=[
            EndedSeatBody(
                seat=seat.seat,
                player=str(seat.player_id),
                name=names.get(seat.player_id),
                points=seat.points,
                amount=amount_of(seat.amount_micro),
            )
            for seat in one.seats
        ],
        record=_record_of(one.hand_id) if one.is_closed else None,
    )


def _complaint_body(one: Complaint, name: str | None) -> ComplaintBody:
    return ComplaintBody(
        complaint=str(one.id),
        hand=str(one.hand_id),
        number=one.hand_no,
        table=one.table_id,
        table_name=one.table_name,
        record=_record_of(one.hand_id) if one.has_record else None,
        player=str(one.player_id),
        name=name,
        text=one.text,
        at=one.made_at,
        answered_at=one.answered_at,
        answered_by=one.answered_by,
        answer=one.answer,
    )


def _record_of(hand: HandId) -> str:
    return f"/api/v1/hands/{hand}/record"
