"""What players do about themselves, one function a use case, each inside the caller's transaction.

A token is shown once, when it is made. Who calls opens the ledger's account of a new player in
the same transaction: identity and ledger don't know each other.
"""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy.exc import IntegrityError

from server.cards.game import SeatKind
from server.database import PlayerId, Transaction
from server.errors import Refusal
from server.identity import passwords, repository
from server.identity.names import clean_name, guest_name, key_of, name_of_nobody

SESSION_DAYS: Final = 30
GUEST_ATTEMPTS_MAX: Final = 8
GUEST_NUMBER_MIN: Final = 1_000
PAGE_MAX: Final = 100
BOT_KEY: Final = "#bot "
"""Before the key of a bot's name, so that a bot and a person may share one."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays; `kind` is shown to everybody at the table."""

    id: PlayerId
    name: str
    kind: SeatKind
    is_guest: bool
    is_suspended: bool
    is_deleted: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A player and the token of a new sign-in; the token is nowhere else."""

    player: Player
    token: str


async def create_guest(tx: Transaction, name: str, *, session_days: int = SESSION_DAYS) -> SignedIn:
    """Let somebody play under a name with a number behind it, without a password.

    Errors: Refusal `bad_name`.
    """
    name = clean_name(name)
    for attempt in range(GUEST_ATTEMPTS_MAX):
        least = GUEST_NUMBER_MIN * 10**attempt
        shown = guest_name(name, least + secrets.randbelow(9 * least))
        row = await repository.add_player(
            tx, name=shown, key=key_of(shown), kind=SeatKind.HUMAN, guest=True
        )
        if row is not None:
            return await _signed_in(tx, row, session_days)
    raise Refusal("name_taken", "no number is free behind that name", "name")


async def sign_up(
    tx: Transaction,
    *,
    name: str,
    password: str,
    guest: PlayerId | None = None,
    session_days: int = SESSION_DAYS,
) -> SignedIn:
    """Open an account; a `guest` becomes one and keeps its tokens and its seats.

    Errors: Refusal `bad_name`, `bad_password`, `name_taken`, `unknown_player`, `not_a_guest`.
    """
    name = clean_name(name)
    passwords.check_password(password)
    kept = await passwords.hash_of_password(password)
    if guest is None:
        row = await repository.add_player(
            tx, name=name, key=key_of(name), kind=SeatKind.HUMAN, guest=False
        )
        if row is None:
            raise Refusal("name_taken", "that name is taken", "name")
    else:
        row = await _promoted(tx, guest, name)
    await repository.put_password(tx, row.id, kept)
    return await _signed_in(tx, row, session_days)


async def sign_in(
    tx: Transaction, *, name: str, password: str, session_days: int = SESSION_DAYS
) -> SignedIn:
    """Sign in to an account. An unknown name costs as much time as a wrong password.

    Errors: Refusal `bad_credentials`, the same for both; `suspended`.
    """
    found = await repository.find_password(tx, key_of(name.strip()))
    kept = found.password_hash if found is not None else None
    if not await passwords.is_password(password, kept) or found is None:
        raise Refusal("bad_credentials", "name and password don't belong together")
    if passwords.is_outdated(found.password_hash):
        anew = await passwords.hash_of_password(password)
        await repository.put_password(tx, found.player_id, anew)
    row = await repository.find_player(tx, found.player_id)
    assert row is not None
    _refuse_suspended(row)
    return await _signed_in(tx, row, session_days)


async def change_password(tx: Transaction, player_id: PlayerId, *, old: str, new: str) -> None:
    """Change a password; every sign-in of the player ends.

    Errors: Refusal `bad_credentials`, `bad_password`.
    """
    passwords.check_password(new)
    player = await get_player(tx, player_id)
    found = await repository.find_password(tx, key_of(player.name))
    kept = found.password_hash if found is not None else None
    if not await passwords.is_password(old, kept):
        raise Refusal("bad_credentials", "that is not the password", "old")
    await repository.put_password(tx, player_id, await passwords.hash_of_password(new))
    await repository.revoke_sessions(tx, player_id=player_id)


async def bot_named(tx: Transaction, name: str, *, session_days: int = SESSION_DAYS) -> SignedIn:
    """Find or create the bot of that name, with a new sign-in.

    Errors: Refusal `bad_name`.
    """
    return await _signed_in(tx, await _bot_row(tx, name), session_days)


async def bot_called(tx: Transaction, name: str) -> Player:
    """Find or create the bot of that name, without a sign-in. Errors: as `bot_named`."""
    return _player(await _bot_row(tx, name))


async def player_of_token(tx: Transaction, token: str) -> Player:
    """Derive who holds a token.

    Errors: Refusal `not_signed_in`, `suspended`.
    """
    row = await repository.find_player_by_token(tx, passwords.hash_of_token(token))
    if row is None:
        raise Refusal("not_signed_in", "the token is unknown, over or revoked")
    _refuse_suspended(row)
    return _player(row)


async def get_player(tx: Transaction, player_id: PlayerId) -> Player:
    """Get a player, a deleted one too.

    Errors: Refusal `unknown_player`.
    """
    row = await repository.find_player(tx, player_id)
    if row is None:
        raise Refusal("unknown_player", f"there is no player {player_id}")
    return _player(row)


async def names_of(tx: Transaction, players: Collection[PlayerId]) -> Mapping[PlayerId, str]:
    """Map players to their names as they are now; deleted ones are nobody by number."""
    return await repository.names_of(tx, players) if players else {}


async def players(
    tx: Transaction, *, prefix: str = "", after: int = 0, limit: int = PAGE_MAX
) -> list[Player]:
    """List players by ascending id, those whose name begins with `prefix`."""
    rows = await repository.find_players(
        tx, prefix_key=key_of(prefix), after=after, limit=min(limit, PAGE_MAX)
    )
    return [_player(row) for row in rows]


async def sign_out(tx: Transaction, token: str) -> None:
    """End a sign-in; for one that has ended already nothing happens."""
    await repository.revoke_sessions(tx, token_hash=passwords.hash_of_token(token))


async def suspend(tx: Transaction, player_id: PlayerId, *, suspended: bool) -> Player:
    """Suspend a player, whose sign-ins end, or let it play again.

    Errors: Refusal `unknown_player`.
    """
    now = await repository.change_player(
        tx, player_id, suspended_at=repository.NOW if suspended else None
    )
    if now is None:
        raise Refusal("unknown_player", f"there is no player {player_id}")
    if suspended:
        await repository.revoke_sessions(tx, player_id=player_id)
    return _player(now)


async def delete_account(tx: Transaction, player_id: PlayerId) -> None:
    """Remove a player's name and sign-in; its number, tokens and table pseudonyms stay.

    Errors: Refusal `unknown_player`.
    """
    nobody = name_of_nobody(player_id)
    row = await repository.change_player(
        tx, player_id, name=nobody, name_key=key_of(nobody), deleted_at=repository.NOW
    )
    if row is None:
        raise Refusal("unknown_player", f"there is no player {player_id}")
    await repository.drop_password(tx, player_id)
    await repository.revoke_sessions(tx, player_id=player_id)
    await repository.drop_answers(tx, actor=actor_of(player_id))


def actor_of(player_id: PlayerId) -> str:
    """Derive how a player is named in stored answers and as the subject of an act."""
    return f"player:{player_id}"


async def forget_old(tx: Transaction, *, days: int) -> int:
    """Drop sign-ins that ended more than `days` ago; returns how many."""
    return await repository.drop_dead_sign_ins(tx, older_than=timedelta(days=days))


async def _bot_row(tx: Transaction, name: str) -> repository.AnyRow:
    name = clean_name(name)
    key = BOT_KEY + key_of(name)
    row = await repository.add_player(tx, name=name, key=key, kind=SeatKind.BOT, guest=False)
    return row or await repository.find_player_by_key(tx, key)


async def _signed_in(tx: Transaction, row: repository.AnyRow, session_days: int) -> SignedIn:
    token = passwords.new_token()
    await repository.add_session(
        tx,
        player_id=row.id,
        token_hash=passwords.hash_of_token(token),
        life=timedelta(days=session_days),
    )
    return SignedIn(_player(row), token)


async def _promoted(tx: Transaction, guest: PlayerId, name: str) -> repository.AnyRow:
    """Make an account of a guest, once."""
    row = await repository.lock_player(tx, guest)
    if row is None or row.deleted_at is not None:
        raise Refusal("unknown_player", f"there is no player {guest}")
    if not row.guest:
        raise Refusal("not_a_guest", "this player has an account already")
    try:
        changed = await repository.change_player(
            tx, guest, name=name, name_key=key_of(name), guest=False
        )
    except IntegrityError:
        raise Refusal("name_taken", "that name is taken", "name") from None
    assert changed is not None
    return changed


def _refuse_suspended(row: repository.AnyRow) -> None:
    if row.suspended_at is not None:
        raise Refusal("suspended", "the account is suspended")


def _player(row: repository.AnyRow) -> Player:
    return Player(
        id=PlayerId(row.id),
        name=row.name,
        kind=SeatKind(row.kind),
        is_guest=row.guest,
        is_suspended=row.suspended_at is not None,
        is_deleted=row.deleted_at is not None,
        created_at=row.created_at,
    )
