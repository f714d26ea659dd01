"""A player's own sign-ins: which there are, and the end of one of them."""

from dataclasses import dataclass
from datetime import datetime

from server.database import PlayerId, Transaction
from server.errors import Refusal
from server.identity import passwords, repository


@dataclass(frozen=True, slots=True)
class Session:
    """A sign-in that is neither over nor revoked."""

    id: int
    created_at: datetime
    expires_at: datetime
    is_this: bool


async def sessions(tx: Transaction, player_id: PlayerId, token: str = "") -> list[Session]:
    """List a player's sign-ins; `is_this` is that of `token`."""
    own = passwords.hash_of_token(token)
    rows = await repository.live_sessions(tx, player_id)
    return [Session(row[0], row[1], row[2], is_this=row[3] == own) for row in rows]


async def end_session(tx: Transaction, player_id: PlayerId, session_id: int) -> bytes:
    """End one of a player's own sign-ins; the hash of its token.

    Errors: Refusal `unknown_session`.
    """
    ended = await repository.revoke_sessions(tx, player_id=player_id, session_id=session_id)
    if not ended:
        raise Refusal("unknown_session", "there is no such sign-in")
    return ended[0]
