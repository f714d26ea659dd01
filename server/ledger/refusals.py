"""What the database's own refusals are called: SQLSTATE to a stable code."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError

from server.database import PlayerId, sqlstate_of
from server.errors import Refusal

CODES: Final = {
    "LG001": "unknown_account",
    "LG002": "hold_mismatch",
    "LG003": "key_reused",
    "LG004": "hand_voided",
    "LG005": "bad_amount",
    "LG006": "not_reversible",
    "LG007": "unknown_hand",
    "LG008": "not_covered",
    "LG011": "hand_settled_otherwise",
    "LG012": "hand_held_otherwise",
    "LG013": "account_frozen",
    "LG014": "unknown_entry",
}
CHECK_VIOLATION: Final = "23514"
OVERDRAFT: Final = "account_no_overdraft"


class NotCovered(Refusal):
    """A hold or transfer that some players can't cover; they are named."""

    def __init__(self, players: frozenset[PlayerId], text: str) -> None:
        """Name the players; none are named if the database's last check refused."""
        super().__init__("not_covered", text)
        self.players = players


@contextmanager
def named() -> Iterator[None]:
    """Turn what the ledger's functions refuse into refusals; anything else passes.

    The transaction is broken afterwards: PostgreSQL commits nothing of it.
    """
    try:
        yield
    except DBAPIError as error:
        refusal = _refusal_of(error)
        if refusal is None:
            raise
        raise refusal from error


def _refusal_of(error: DBAPIError) -> Refusal | None:
    state = sqlstate_of(error)
    cause = error.orig.__cause__ if error.orig is not None else None
    if state == CHECK_VIOLATION and getattr(cause, "constraint_name", None) == OVERDRAFT:
        return NotCovered(frozenset(), "the balance would fall below zero")
    code = CODES.get(state or "")
    if code is None:
        return None
    text = str(getattr(cause, "message", code))
    if code == "not_covered":
        detail = str(getattr(cause, "detail", None) or "")
        players = frozenset(PlayerId(int(part)) for part in detail.split(",") if part)
        return NotCovered(players, text)
    return Refusal(code, text)
