"""Operators: how they come in, what they may do, what they did."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final

from server.database import Transaction
from server.errors import Refusal
from server.identity import operator_repository, repository
from server.identity.names import clean_name, key_of
from server.identity.passwords import hash_of_token, new_token

LINK_LIFE_MS: Final = 15 * 60 * 1_000
OPERATOR_SESSION_HOURS: Final = 12
REASON_MAX: Final = 500

TRIES_MAX: Final = 5
"""Codes of a second step that may be tried with one sign-in link; then the link is over."""

PAGE_MAX: Final = 100


class Role(IntEnum):
    """What an operator may do; each may do all that those before it may."""

    VIEWER = 1
    """Look at everything that an operator sees."""
    OPERATOR = 2
    """Open and close tables, suspend players."""
    TREASURER = 3
    """Issue, withdraw and reverse tokens."""
    ADMIN = 4
    """Make operators."""


@dataclass(frozen=True, slots=True)
class Operator:
    """Somebody who runs the house."""

    id: int
    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class Act:
    """What an operator did to whom, and why."""

    id: int
    operator: str
    act: str
    subject: str
    reason: str
    at: datetime


async def create_operator(
    tx: Transaction, *, name: str, role: Role, link_ms: int = LINK_LIFE_MS
) -> tuple[Operator, str]:
    """Make an operator and the token of a one-time sign-in link.

    The same name and role again bring a new link; the older one ends.

    Errors: Refusal `bad_name`, `name_taken` if that operator has another role, `disabled`.
    """
    name = clean_name(name)
    row = await operator_repository.put_operator(tx, name=name, key=key_of(name), role=role)
    if row is None:
        text = "an operator of that name has another role; pakka operator role changes it"
        raise Refusal("name_taken", text, "name")
    if row.disabled_at is not None:
        raise Refusal("disabled", "that operator is disabled", "name")
    token = new_token()
    life = timedelta(milliseconds=link_ms)
    await operator_repository.add_link(
        tx, operator_id=row.id, token_hash=hash_of_token(token), life=life
    )
    return _operator(row), token


async def operator_sign_in_by_link(tx: Transaction, link_token: str) -> tuple[Operator, str]:
    """Sign an operator in by a link that has not been used; returns the session's token.

    Errors: Refusal `bad_link`.
    """
    row = await operator_repository.use_link(tx, hash_of_token(link_token), tries_max=TRIES_MAX)
    if row is None:
        raise Refusal("bad_link", "the link is unknown, used or over")
    token = new_token()
    life = timedelta(hours=OPERATOR_SESSION_HOURS)
    await operator_repository.add_operator_session(
        tx, operator_id=row.id, token_hash=hash_of_token(token), life=life
    )
    return _operator(row), token


async def get_operator(tx: Transaction, name: str) -> Operator:
    """Find an operator by name.

    Errors: Refusal `bad_name`, `unknown_operator`.
    """
    row = await operator_repository.find_operator(tx, key_of(clean_name(name)))
    if row is None:
        raise Refusal("unknown_operator", "there is no operator of that name", "name")
    return _operator(row)


async def disable_operator(tx: Transaction, operator: Operator, *, disabled: bool) -> bool:
    """Let an operator in no more, or again; False if that was so already.

    All sign-ins of one who is disabled end, in every process, with the next request.
    """
    has_changed = await operator_repository.disable_operator(tx, operator.id, disabled=disabled)
    if disabled:
        await operator_repository.drop_links(tx, operator.id)
        await operator_repository.revoke_operator_sessions(tx, operator.id)
    return has_changed


async def set_role(tx: Transaction, operator: Operator, role: Role) -> bool:
    """Give an operator another role; False, and nothing has changed, if it had that one.

    Its link and its sign-ins end, in every process: nothing that was made for the old role, and
    may lie about somewhere, has the new one.
    """
    if not await operator_repository.set_role(tx, operator.id, role):
        return False
    await operator_repository.drop_links(tx, operator.id)
    await operator_repository.revoke_operator_sessions(tx, operator.id)
    return True


async def end_operator_sessions(tx: Transaction, operator: Operator) -> int:
    """End every sign-in of an operator; tells how many."""
    return await operator_repository.revoke_operator_sessions(tx, operator.id)


async def operator_of_token(tx: Transaction, token: str, *, least: Role = Role.VIEWER) -> Operator:
    """Derive which operator holds a token, and that the role is at least `least`.

    Errors: Refusal `not_signed_in`, `not_allowed`.
    """
    row = await operator_repository.find_operator_by_token(tx, hash_of_token(token))
    if row is None:
        raise Refusal("not_signed_in", "the token is unknown, over or revoked")
    operator = _operator(row)
    if operator.role < least:
        raise Refusal("not_allowed", f"this needs the role {least.name.lower()}")
    return operator


async def operator_sign_out(tx: Transaction, token: str) -> None:
    """End an operator's sign-in."""
    await operator_repository.revoke_operator_session(tx, hash_of_token(token))


async def record_act(
    tx: Transaction, *, operator: str, act: str, subject: str, reason: str
) -> None:
    """Append what an operator did, in the transaction that does it.

    Shape:  `operator` is a name, or `cli:` and the system's user; `subject` an id: `player:12`.
    Errors: Refusal `bad_reason` if there is no reason, or more than `REASON_MAX` characters.
    """
    reason = clean_reason(reason)
    await repository.add_act(tx, operator=operator, act=act, subject=subject, reason=reason)


async def acts(
    tx: Transaction,
    *,
    subject: str | None = None,
    before: int | None = None,
    limit: int = PAGE_MAX,
) -> list[Act]:
    """List what operators did, the newest first; the next page is below the last id."""
    limit = min(limit, PAGE_MAX)
    rows = await repository.acts(tx, subject=subject, before=before, limit=limit)
    return [Act(*row) for row in rows]


def clean_reason(written: str) -> str:
    """Read a reason.

    Errors: Refusal `bad_reason`.
    """
    reason = " ".join(written.split())
    if not 1 <= len(reason) <= REASON_MAX or not reason.isprintable():
        raise Refusal("bad_reason", f"a reason has 1 to {REASON_MAX} characters", "reason")
    return reason


def _operator(row: repository.AnyRow) -> Operator:
    return Operator(id=row.id, name=row.name, role=Role(row.role))
