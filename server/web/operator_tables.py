"""The operator's door to tables and hands.

Every act is recorded in the transaction that does it. Where a table's own task must do it, the act
is recorded first: what is refused then was at least tried.
"""

import hashlib
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field, StringConstraints

from server.database import HandId, TableId, Transaction
from server.errors import Refusal
from server.tables import service as tables
from server.tables.commands import Request, VoidHand
from server.tables.service import NAME_MAX
from server.tables.state import HOUSE
from server.web.auth import OperatorRole, TheParts
from server.web.operator import TEXT_MAX, Reason, actor_of, record
from server.web.pages import Id
from server.web.player import CREATED, Done
from server.web.writing import TheWriting

router = APIRouter(prefix="/operator", tags=["operator"])


class NewTable(Reason):
    game: Annotated[str, StringConstraints(min_length=1, max_length=TEXT_MAX)]
    name: Annotated[str, StringConstraints(min_length=1, max_length=NAME_MAX)]
    options: dict[str, int | bool | str] = Field(default_factory=dict)


class Closing(Reason):
    drain: bool = True


class NewTableBody(BaseModel):
    table: UUID


@router.post("/tables", status_code=CREATED, response_model=NewTableBody)
async def open_table(operator: OperatorRole, writing: TheWriting, body: NewTable) -> Response:
    """Open a table; a process that serves tables takes it up within seconds."""

    async def work(tx: Transaction) -> NewTableBody:
        table = await tables.open_table(tx, game=body.game, options=body.options, name=body.name)
        await record(tx, operator, "table.open", f"table:{table}", body.reason)
        return NewTableBody(table=table)

    return (await writing.do(actor_of(operator), work, status=CREATED)).response()


@router.post("/tables/{table}/close", response_model=Done)
async def close_table(
    operator: OperatorRole, writing: TheWriting, table: UUID, body: Closing
) -> Response:
    """Close a table: after the hand in play (`drain`), or now, voiding it."""

    async def work(tx: Transaction) -> Done:
        await tables.ask_to_close(tx, TableId(table), drain=body.drain)
        act = "table.drain" if body.drain else "table.close"
        await record(tx, operator, act, f"table:{table}", body.reason)
        return Done()

    return (await writing.do(actor_of(operator), work)).response()


@router.post("/hands/{hand}/void", response_model=Done)
async def void_hand(
    operator: OperatorRole, parts: TheParts, writing: TheWriting, hand: Id, body: Reason
) -> Response:
    """Void the hand in play: nobody pays. The act is recorded, then the table is told."""

    async def work(tx: Transaction) -> Done:
        about = await tables.find_hand(tx, HandId(hand))
        if about is None:
            raise Refusal("no_such_hand", "there is no such hand", "hand")
        await record(tx, operator, "hand.void", f"hand:{hand}", body.reason)
        opened = parts.host.state_of(about.table_id).opened
        if opened is None or opened.hand_id != hand:
            raise Refusal("no_hand", "that hand is not in play", "hand")
        return Done()

    answer = await writing.do(actor_of(operator), work)
    async with parts.database.transaction() as tx:
        about = await tables.find_hand(tx, HandId(hand))
    assert about is not None, "it was there when the act was recorded"
    digest = hashlib.sha256(f"void {hand} {body.reason}".encode()).digest()
    request = Request(HOUSE, writing.once(f"void {hand}"), digest, VoidHand(body.reason))
    reply = await parts.host.send(about.table_id, request)
    if not reply.ok:
        raise Refusal(reply.code or "fault", reply.text or "", reply.field)
    return answer.response()
