"""A player's own sign-ins: which there are, and the end of one on a phone that was lost."""

from datetime import datetime

from fastapi import APIRouter, Response
from pydantic import BaseModel

from server.database import Transaction
from server.identity import sign_ins
from server.identity.service import actor_of
from server.web.auth import Caller, TheParts
from server.web.errors import refuses
from server.web.pages import Id
from server.web.player import Done
from server.web.writing import TheWriting

router = APIRouter(prefix="/me/sessions", tags=["me"])


class SessionBody(BaseModel):
    """A sign-in that is neither over nor revoked; `current` is the one that asks."""

    id: str
    created_at: datetime
    expires_at: datetime
    current: bool


class SessionList(BaseModel):
    sessions: list[SessionBody]


@router.get("")
async def get_sessions(caller: Caller, parts: TheParts) -> SessionList:
    """List one's sign-ins, the oldest first."""
    async with parts.database.transaction() as tx:
        found = await sign_ins.sessions(tx, caller.player, caller.token)
    return SessionList(
        sessions=[
            SessionBody(
                id=str(one.id),
                created_at=one.created_at,
                expires_at=one.expires_at,
                current=one.is_this,
            )
            for one in found
        ]
    )


@router.delete("/{session}", response_model=Done, openapi_extra=refuses("unknown_session"))
async def end_session(
    caller: Caller, parts: TheParts, writing: TheWriting, session: Id
) -> Response:
    """End one of one's sign-ins; its socket is closed."""
    ended: list[bytes] = []

    async def work(tx: Transaction) -> Done:
        ended[:] = [await sign_ins.end_session(tx, caller.player, session)]
        return Done()

    answer = await writing.do(actor_of(caller.player), work)
    for token_hash in ended:  # a repeat of the request ends nothing
        parts.gateway.sign_out_marked(caller.player, token_hash.hex())
    return answer.response()
