"""Queries over the schema `identity`; what they mean is the service's."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import and_, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as insert_or

from server.database import PlayerId, Transaction
from server.identity.models import (
    ActRow,
    AnswerRow,
    CredentialRow,
    OperatorSessionRow,
    PlayerRow,
    SessionRow,
    SignInLinkRow,
)

PLAYER = (
    PlayerRow.id,
    PlayerRow.name,
    PlayerRow.kind,
    PlayerRow.guest,
    PlayerRow.suspended_at,
    PlayerRow.deleted_at,
    PlayerRow.created_at,
)

AnyRow = Any
"""A row with the columns of its query; SQLAlchemy 2.0 and 2.1 spell the type differently."""

NOW = func.now()
"""The time at which the transaction began."""

_LIVE_SESSION = and_(SessionRow.revoked_at.is_(None), SessionRow.expires_at > func.now())


async def add_player(
    tx: Transaction, *, name: str, key: str, kind: int, guest: bool
) -> AnyRow | None:
    """Add a player; None if the name is taken."""
    query = (
        insert_or(PlayerRow)
        .values(name=name, name_key=key, kind=kind, guest=guest)
        .on_conflict_do_nothing(index_elements=["name_key"])
        .returning(*PLAYER)
    )
    return (await tx.execute(query)).one_or_none()


async def find_player(tx: Transaction, player_id: PlayerId) -> AnyRow | None:
    """Find a player by id."""
    return (await tx.execute(select(*PLAYER).where(PlayerRow.id == player_id))).one_or_none()


async def names_of(tx: Transaction, players: Collection[PlayerId]) -> Mapping[PlayerId, str]:
    """Map players to their names as they are now."""
    query = select(PlayerRow.id, PlayerRow.name).where(PlayerRow.id.in_(players))
    return {PlayerId(row.id): row.name for row in await tx.execute(query)}


async def lock_player(tx: Transaction, player_id: PlayerId) -> AnyRow | None:
    """Find a player by id and hold the row until the transaction ends."""
    query = select(*PLAYER).where(PlayerRow.id == player_id).with_for_update(key_share=True)
    return (await tx.execute(query)).one_or_none()


async def find_players(
    tx: Transaction, *, prefix_key: str, after: int, limit: int
) -> Sequence[AnyRow]:
    """Find players whose name begins so, by ascending id after `after`."""
    query = (
        select(*PLAYER)
        .where(PlayerRow.id > after, PlayerRow.name_key.startswith(prefix_key, autoescape=True))
        .order_by(PlayerRow.id)
        .limit(limit)
    )
    return (await tx.execute(query)).all()


async def find_player_by_key(tx: Transaction, key: str) -> AnyRow | None:
    """Find a player by the name's key."""
    return (await tx.execute(select(*PLAYER).where(PlayerRow.name_key == key))).one_or_none()


async def change_player(tx: Transaction, player_id: PlayerId, **values: Any) -> AnyRow | None:
    """Change a player's columns."""
    query = update(PlayerRow).where(PlayerRow.id == player_id).values(values).returning(*PLAYER)
    return (await tx.execute(query)).one_or_none()


async def put_password(tx: Transaction, player_id: PlayerId, password_hash: str) -> None:
    """Set or change a password."""
    query = insert_or(CredentialRow).values(player_id=player_id, password_hash=password_hash)
    changed = {"password_hash": password_hash, "changed_at": func.now()}
    await tx.execute(query.on_conflict_do_update(index_elements=["player_id"], set_=changed))


async def find_password(tx: Transaction, key: str) -> AnyRow | None:
    """Find (player_id, password_hash) by the name's key."""
    query = (
        select(CredentialRow.player_id, CredentialRow.password_hash)
        .join(PlayerRow, PlayerRow.id == CredentialRow.player_id)
        .where(PlayerRow.name_key == key)
    )
    return (await tx.execute(query)).one_or_none()


async def drop_password(tx: Transaction, player_id: PlayerId) -> None:
    """Remove a password."""
    await tx.execute(delete(CredentialRow).where(CredentialRow.player_id == player_id))


async def add_session(
    tx: Transaction, *, player_id: PlayerId, token_hash: bytes, life: timedelta
) -> None:
    """Add a sign-in."""
    expires = func.now() + life
    query = insert(SessionRow).values(
        player_id=player_id, token_hash=token_hash, expires_at=expires
    )
    await tx.execute(query)


async def find_player_by_token(tx: Transaction, token_hash: bytes) -> AnyRow | None:
    """Find the player of a sign-in that is neither over nor revoked."""
    query = (
        select(*PLAYER)
        .join(SessionRow, SessionRow.player_id == PlayerRow.id)
        .where(SessionRow.token_hash == token_hash, _LIVE_SESSION)
    )
    return (await tx.execute(query)).one_or_none()


async def live_sessions(tx: Transaction, player_id: PlayerId) -> Sequence[AnyRow]:
    """List (id, created_at, expires_at, token_hash) of a player's sign-ins."""
    query = (
        select(SessionRow.id, SessionRow.created_at, SessionRow.expires_at, SessionRow.token_hash)
        .where(SessionRow.player_id == player_id, _LIVE_SESSION)
        .order_by(SessionRow.id)
    )
    return (await tx.execute(query)).all()


async def revoke_sessions(
    tx: Transaction,
    *,
    player_id: PlayerId | None = None,
    session_id: int | None = None,
    token_hash: bytes | None = None,
) -> Sequence[bytes]:
    """Revoke the sign-ins that fit all that is given, at least one thing; their tokens' hashes."""
    wanted = {"player_id": player_id, "id": session_id, "token_hash": token_hash}
    given = {column: value for column, value in wanted.items() if value is not None}
    assert given, "revoking everybody's sessions is no use case"
    query = update(SessionRow).where(_LIVE_SESSION).filter_by(**given)
    revoked = query.values(revoked_at=func.now()).returning(SessionRow.token_hash)
    return (await tx.execute(revoked)).scalars().all()


async def add_act(tx: Transaction, *, operator: str, act: str, subject: str, reason: str) -> None:
    """Append what an operator did."""
    values = {"operator": operator, "act": act, "subject": subject, "reason": reason}
    await tx.execute(insert(ActRow).values(values))


async def acts(
    tx: Transaction, *, subject: str | None, before: int | None, limit: int
) -> Sequence[AnyRow]:
    """List acts, the newest first, below `before`."""
    query = select(ActRow.id, ActRow.operator, ActRow.act, ActRow.subject, ActRow.reason, ActRow.at)
    if subject is not None:
        query = query.where(ActRow.subject == subject)
    if before is not None:
        query = query.where(ActRow.id < before)
    return (await tx.execute(query.order_by(ActRow.id.desc()).limit(limit))).all()


async def claim_answer(tx: Transaction, *, actor: str, key: str, request_hash: bytes) -> bool:
    """Make the place of an answer; False if there is one, waiting for who makes it just now."""
    query = insert_or(AnswerRow).values(actor=actor, key=key, request_hash=request_hash)
    done = await tx.execute(query.on_conflict_do_nothing(index_elements=["actor", "key"]))
    return done.rowcount == 1


async def find_answer(tx: Transaction, *, actor: str, key: str) -> AnyRow | None:
    """Find (request_hash, status, body)."""
    query = select(AnswerRow.request_hash, AnswerRow.status, AnswerRow.body)
    return (await tx.execute(query.filter_by(actor=actor, key=key))).one_or_none()


async def put_answer(tx: Transaction, *, actor: str, key: str, status: int, body: str) -> int:
    """Fill the place of an answer."""
    query = update(AnswerRow).filter_by(actor=actor, key=key).where(AnswerRow.status.is_(None))
    return (await tx.execute(query.values(status=status, body=body))).rowcount


async def drop_answers(
    tx: Transaction, *, actor: str | None = None, older_than: timedelta | None = None
) -> int:
    """Drop the answers of an actor, or old ones."""
    query = delete(AnswerRow)
    if actor is not None:
        query = query.where(AnswerRow.actor == actor)
    if older_than is not None:
        query = query.where(AnswerRow.at < func.now() - older_than)
    return (await tx.execute(query)).rowcount


async def drop_dead_sign_ins(tx: Transaction, *, older_than: timedelta) -> int:
    """Drop sign-ins and links that ended longer ago than that."""
    dropped = 0
    for row in (SessionRow, OperatorSessionRow, SignInLinkRow):
        dead = delete(row).where(row.expires_at < func.now() - older_than)
        dropped += (await tx.execute(dead)).rowcount
    return dropped
