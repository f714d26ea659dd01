"""Queries over operators, their links and their sign-ins; what they mean is `operators`'."""

from datetime import timedelta

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as insert_or

from server.database import Transaction
from server.identity.models import OperatorRow, OperatorSessionRow, SignInLinkRow
from server.identity.repository import AnyRow

OPERATOR = (OperatorRow.id, OperatorRow.name, OperatorRow.role, OperatorRow.disabled_at)


async def put_operator(tx: Transaction, *, name: str, key: str, role: int) -> AnyRow | None:
    """Add an operator, or find the one of that name and role; None if the role differs."""
    query = insert_or(OperatorRow).values(name=name, name_key=key, role=role)
    await tx.execute(query.on_conflict_do_nothing(index_elements=["name_key"]))
    found = select(*OPERATOR).where(OperatorRow.name_key == key, OperatorRow.role == role)
    return (await tx.execute(found)).one_or_none()


async def add_link(
    tx: Transaction, *, operator_id: int, token_hash: bytes, life: timedelta
) -> None:
    """Add a sign-in link; the operator's older ones end."""
    await drop_links(tx, operator_id)
    expires = func.now() + life
    query = insert(SignInLinkRow).values(
        operator_id=operator_id, token_hash=token_hash, expires_at=expires
    )
    await tx.execute(query)


async def use_link(tx: Transaction, token_hash: bytes, *, tries_max: int) -> AnyRow | None:
    """Use a link up; the operator, or None if it is used, old, unknown or was tried too often."""
    query = (
        update(SignInLinkRow)
        .where(
            SignInLinkRow.token_hash == token_hash,
            SignInLinkRow.used_at.is_(None),
            SignInLinkRow.expires_at > func.now(),
            SignInLinkRow.tries <= tries_max,
            SignInLinkRow.operator_id == OperatorRow.id,
            OperatorRow.disabled_at.is_(None),
        )
        .values(used_at=func.now())
        .returning(*OPERATOR)
    )
    return (await tx.execute(query)).one_or_none()


async def add_operator_session(
    tx: Transaction, *, operator_id: int, token_hash: bytes, life: timedelta
) -> None:
    """Add an operator's sign-in."""
    expires = func.now() + life
    query = insert(OperatorSessionRow).values(
        operator_id=operator_id, token_hash=token_hash, expires_at=expires
    )
    await tx.execute(query)


async def find_operator_by_token(tx: Transaction, token_hash: bytes) -> AnyRow | None:
    """Find the operator of a sign-in that is neither over nor revoked."""
    query = (
        select(*OPERATOR)
        .join(OperatorSessionRow, OperatorSessionRow.operator_id == OperatorRow.id)
        .where(
            OperatorSessionRow.token_hash == token_hash,
            OperatorSessionRow.revoked_at.is_(None),
            OperatorSessionRow.expires_at > func.now(),
            OperatorRow.disabled_at.is_(None),
        )
    )
    return (await tx.execute(query)).one_or_none()


async def revoke_operator_session(tx: Transaction, token_hash: bytes) -> None:
    """Revoke an operator's sign-in."""
    query = update(OperatorSessionRow).where(OperatorSessionRow.token_hash == token_hash)
    await tx.execute(query.values(revoked_at=func.now()))


async def find_operator(tx: Transaction, key: str) -> AnyRow | None:
    """Find an operator by the name's key, a disabled one too."""
    query = select(*OPERATOR).where(OperatorRow.name_key == key)
    return (await tx.execute(query)).one_or_none()


async def disable_operator(tx: Transaction, operator_id: int, *, disabled: bool) -> bool:
    """Say whether an operator may come in; False if that was so already."""
    query = update(OperatorRow).where(
        OperatorRow.id == operator_id, OperatorRow.disabled_at.is_(None) == disabled
    )
    at = func.now() if disabled else None
    return (await tx.execute(query.values(disabled_at=at))).rowcount == 1


async def set_role(tx: Transaction, operator_id: int, role: int) -> bool:
    """Give an operator a role; False if it had that one already."""
    query = update(OperatorRow).where(OperatorRow.id == operator_id, OperatorRow.role != role)
    return (await tx.execute(query.values(role=role))).rowcount == 1


async def drop_links(tx: Transaction, operator_id: int) -> None:
    """Delete an operator's links."""
    await tx.execute(delete(SignInLinkRow).where(SignInLinkRow.operator_id == operator_id))


async def revoke_operator_sessions(tx: Transaction, operator_id: int) -> int:
    """Revoke all sign-ins of an operator; tells how many."""
    query = update(OperatorSessionRow).where(
        OperatorSessionRow.operator_id == operator_id,
        OperatorSessionRow.revoked_at.is_(None),
        OperatorSessionRow.expires_at > func.now(),
    )
    return (await tx.execute(query.values(revoked_at=func.now()))).rowcount
