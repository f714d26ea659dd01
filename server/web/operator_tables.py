"""The operator's door to tables and hands.

Every act is recorded in the transaction that does it, also where the table's own task does it.
"""

import hashlib
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field, StringConstraints

from server.database import HandId, TableId, Transaction
from server.errors import Refusal
from server.identity.operators import clean_reason
from server.tables import service as tables
from server.tables.commands import Request, VoidHand
from server.tables.ended import tables_named
from server.tables.service import NAME_MAX
from server.tables.state import HOUSE
from server.web.auth import OperatorRole, TheParts, ViewerRole
from server.web.errors import refuses
from server.web.operator import TEXT_MAX, Reason, SearchText, actor_of, record
from server.web.pages import LIST_MAX, Id, Limit
from server.web.player import CREATED, Done
from server.web.writing import TheWriting

router = APIRouter(prefix="/operator", tags=["operator"])


OF_A_VOID: Final = (
    "no_such_hand", "no_hand", "no_such_table", "table_closed", "id_reused", "server_fault",
    "unavailable",
)  # fmt: skip
"""What the table itself may answer to a void."""


class NewTable(Reason):
    game: Annotated[str, StringConstraints(min_length=1, max_length=TEXT_MAX)]
    name: Annotated[str, StringConstraints(min_length=1, max_length=NAME_MAX)]
    options: dict[str, int | bool | str] = Field(default_factory=dict)


class Closing(Reason):
    drain: bool = True


class NewTableBody(BaseModel):
    table: UUID


class NamedTableBody(BaseModel):
    """A table that there is, or was, to be chosen by its name."""

    table: UUID
    name: str
    closed: bool


class NamedTables(BaseModel):
    tables: list[NamedTableBody]


@router.get("/tables")
async def find_tables(
    operator: ViewerRole, parts: TheParts, prefix: SearchText = "", limit: Limit = LIST_MAX
) -> NamedTables:
    """List tables whose name begins with `prefix`, the newest first; closed ones too."""
    async with parts.database.transaction() as tx:
        found = await tables_named(tx, prefix, limit=limit)
    return NamedTables(
        tables=[
            NamedTableBody(table=one.table_id, name=one.name, closed=one.is_closed) for one in found
        ]
    )


@router.post(
    "/tables",
    status_code=CREATED,
    response_model=NewTableBody,
    openapi_extra=refuses("no_such_game", "bad_option", "bad_name", "bad_reason"),
)
async def open_table(operator: OperatorRole, writing: TheWriting, body: NewTable) -> Response:
    """Open a table; a process that serves tables takes it up within seconds."""

    async def work(tx: Transaction) -> NewTableBody:
        table = await tables.open_table(tx, game=body.game, options=body.options, name=body.name)
        await record(tx, operator, "table.open", f"table:{table}", body.reason)
        return NewTableBody(table=table)

    return (await writing.do(actor_of(operator), work, status=CREATED)).response()


@router.post(
    "/tables/{table}/close",
    response_model=Done,
    openapi_extra=refuses("no_such_table", "bad_reason"),
)
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


@router.post(
    "/hands/{hand}/void", response_model=Done, openapi_extra=refuses(*OF_A_VOID, "bad_reason")
)
async def void_hand(
    operator: OperatorRole, parts: TheParts, writing: TheWriting, hand: Id, body: Reason
) -> Done:
    """Void the hand in play: nobody pays. The table records the act as it does it."""
    async with parts.database.transaction() as tx:
        about = await tables.find_hand(tx, HandId(hand))
    if about is None:
        raise Refusal("no_such_hand", "there is no such hand", "hand")
    command = VoidHand(about.hand_id, operator.name, clean_reason(body.reason))
    digest = hashlib.sha256(f"void {hand} {body.reason}".encode()).digest()
    name = writing.once(f"{actor_of(operator)} void")
    reply = await parts.host.send(about.table_id, Request(HOUSE, name, digest, command))
    if not reply.ok:
        raise Refusal(reply.code or "fault", reply.text or "", reply.field)
    return Done()
