"""Calls of the ledger's SQL functions, and queries over its tables."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import BigInteger, bindparam, func, select, text
from sqlalchemy.dialects.postgresql import ARRAY

from server.database import HandId, PlayerId, TableId, Transaction
from server.ledger.accounts import AccountId, AccountKind
from server.ledger.models import (
    AccountRow,
    HandHoldRow,
    HoldResolutionRow,
    HoldRow,
    JournalRow,
    PostingRow,
    SealRow,
)
from server.ledger.transfers import EntryKind

AnyRow = Any
"""A row with the columns of its query; SQLAlchemy 2.0 and 2.1 spell the type differently."""

_BIGINTS = ARRAY(BigInteger)

_OPEN_ACCOUNT = text("select account_id, is_new from ledger.open_player_account(:player)")
_FREEZE = text("select ledger.freeze_account(:player, :frozen)")
_HOLD = text(
    "select ledger.hold_hand(:hand, :table, :practice, :players, :amounts,"
    " cast(:bps as smallint), :life)"
).bindparams(bindparam("players", type_=_BIGINTS), bindparam("amounts", type_=_BIGINTS))
_SETTLE = text(
    "select journal_id, gross, commission from ledger.settle_hand(:hand, :winner, :payers, :pays)"
).bindparams(bindparam("payers", type_=_BIGINTS), bindparam("pays", type_=_BIGINTS))
_VOID = text("select ledger.void_hand(:hand, :reason)")
_TRANSFER = text(
    "select ledger.transfer(:key, cast(:kind as smallint), :debit, :credit, :amount, :reason,"
    " :actor, :via)"
)
_REVERSE = text("select ledger.reverse(:entry, :reason, :actor)")


async def open_player_account(tx: Transaction, player_id: PlayerId) -> tuple[AccountId, bool]:
    """Open a player's account; says whether it is new."""
    row = (await tx.execute(_OPEN_ACCOUNT, {"player": player_id})).one()
    return AccountId(row.account_id), row.is_new


async def freeze(tx: Transaction, player_id: PlayerId, *, frozen: bool) -> None:
    """Freeze an account, or thaw it."""
    await tx.execute(_FREEZE, {"player": player_id, "frozen": frozen})


async def hold_hand(
    tx: Transaction,
    *,
    hand_id: HandId,
    table_id: TableId,
    practice: bool,
    amounts: Mapping[PlayerId, int],
    commission_bps: int,
    life: timedelta,
) -> str:
    """Call `ledger.hold_hand`; players go by ascending id, so that a repeat is the same."""
    players = sorted(amounts)
    values = {
        "hand": hand_id,
        "table": table_id,
        "practice": practice,
        "players": players,
        "amounts": [amounts[player] for player in players],
        "bps": commission_bps,
        "life": life,
    }
    return str((await tx.execute(_HOLD, values)).scalar_one())


async def settle_hand(
    tx: Transaction, *, hand_id: HandId, winner: PlayerId, payments: Mapping[PlayerId, int]
) -> AnyRow:
    """Call `ledger.settle_hand`: (journal_id, gross, commission)."""
    payers = sorted(payments)
    pays = [payments[player] for player in payers]
    values = {"hand": hand_id, "winner": winner, "payers": payers, "pays": pays}
    return (await tx.execute(_SETTLE, values)).one()


async def void_hand(tx: Transaction, hand_id: HandId, reason: str) -> str:
    """Call `ledger.void_hand`."""
    return str((await tx.execute(_VOID, {"hand": hand_id, "reason": reason})).scalar_one())


async def transfer(
    tx: Transaction,
    *,
    key: str,
    kind: EntryKind,
    debit: AccountId,
    credit: AccountId,
    amount_micro: int,
    reason: str,
    actor: str,
    via: AccountId | None = None,
) -> int:
    """Call `ledger.transfer`; the entry's id."""
    values = {
        "key": key,
        "kind": kind,
        "debit": debit,
        "credit": credit,
        "amount": amount_micro,
        "reason": reason,
        "actor": actor,
        "via": via,
    }
    return int((await tx.execute(_TRANSFER, values)).scalar_one())


async def reverse(tx: Transaction, *, entry_id: int, reason: str, actor: str) -> int:
    """Call `ledger.reverse`; the reversal's id."""
    values = {"entry": entry_id, "reason": reason, "actor": actor}
    return int((await tx.execute(_REVERSE, values)).scalar_one())


async def find_account(tx: Transaction, player_id: PlayerId) -> AnyRow | None:
    """Find a player's account: (id, posted, held, version, frozen)."""
    query = select(
        AccountRow.id, AccountRow.posted, AccountRow.held, AccountRow.version, AccountRow.frozen
    ).where(AccountRow.kind == AccountKind.PLAYER, AccountRow.player_id == player_id)
    return (await tx.execute(query)).one_or_none()


async def available(tx: Transaction, players: Sequence[PlayerId]) -> Mapping[PlayerId, int]:
    """Map players to what may be held of them; a frozen account has nothing."""
    query = select(AccountRow.player_id, AccountRow.available, AccountRow.frozen).where(
        AccountRow.kind == AccountKind.PLAYER, AccountRow.player_id.in_(players)
    )
    rows = (await tx.execute(query)).all()
    return {PlayerId(row.player_id): 0 if row.frozen else row.available for row in rows}


async def lines_after(
    tx: Transaction, account_id: AccountId, *, after: int, limit: int
) -> Sequence[AnyRow]:
    """List an account's postings by version, those above `after`, with their entries."""
    query = (
        _lines()
        .where(PostingRow.account_id == account_id, PostingRow.account_version > after)
        .order_by(PostingRow.account_version)
        .limit(limit)
    )
    return (await tx.execute(query)).all()


async def find_posting(tx: Transaction, account_id: AccountId, version: int) -> AnyRow | None:
    """Find an account's posting by its version: (journal_id, line, xid)."""
    query = (
        select(PostingRow.journal_id, PostingRow.line, JournalRow.xid)
        .join(JournalRow, JournalRow.id == PostingRow.journal_id)
        .where(PostingRow.account_id == account_id, PostingRow.account_version == version)
    )
    return (await tx.execute(query)).one_or_none()


async def balance_at(tx: Transaction, account_id: AccountId, version: int) -> int:
    """Tell the balance after that posting, or the last before it; 0 before the first."""
    query = (
        select(PostingRow.balance_after)
        .where(PostingRow.account_id == account_id, PostingRow.account_version <= version)
        .order_by(PostingRow.account_version.desc())
        .limit(1)
    )
    return (await tx.execute(query)).scalar_one_or_none() or 0


async def house_lines_after(
    tx: Transaction, account_id: AccountId, *, after: int, limit: int
) -> Sequence[AnyRow]:
    """List the postings of an account that keeps no balance, by entry and line, above `after`."""
    query = (
        _lines()
        .where(PostingRow.account_id == account_id, PostingRow.account_version.is_(None))
        .where(PostingRow.journal_id > after)
        .order_by(PostingRow.journal_id, PostingRow.line)
        .limit(limit)
    )
    return (await tx.execute(query)).all()


async def sum_until(tx: Transaction, account_id: AccountId, *, entry_id: int | None = None) -> int:
    """Sum the postings of an account that keeps no balance, up to that entry."""
    query = select(func.coalesce(func.sum(PostingRow.amount), 0)).where(
        PostingRow.account_id == account_id, PostingRow.account_version.is_(None)
    )
    if entry_id is not None:
        query = query.where(PostingRow.journal_id <= entry_id)
    return int((await tx.execute(query)).scalar_one())


async def open_holds(tx: Transaction, *, expiring_within: timedelta | None) -> Sequence[AnyRow]:
    """List hands that are held and have no outcome: (hand_id, table_id, expired, created_at)."""
    query = (
        select(
            HandHoldRow.hand_id,
            HandHoldRow.table_id,
            (HandHoldRow.expires_at < func.now()).label("expired"),
            HandHoldRow.created_at,
        )
        .outerjoin(HoldResolutionRow, HoldResolutionRow.hand_id == HandHoldRow.hand_id)
        .where(HoldResolutionRow.hand_id.is_(None))
        .order_by(HandHoldRow.hand_id)
    )
    if expiring_within is not None:
        query = query.where(HandHoldRow.expires_at > func.now() - expiring_within)
    return (await tx.execute(query)).all()


async def held_of(tx: Transaction, hand_id: HandId) -> Mapping[PlayerId, int]:
    """Map the players of a held hand to what is held of each."""
    query = (
        select(AccountRow.player_id, HoldRow.amount)
        .join(AccountRow, AccountRow.id == HoldRow.account_id)
        .where(HoldRow.hand_id == hand_id)
    )
    return {PlayerId(row.player_id): row.amount for row in await tx.execute(query)}


async def find_outcome(tx: Transaction, hand_id: HandId) -> AnyRow | None:
    """Find how a hand ended: (outcome, journal_id, reason)."""
    query = select(
        HoldResolutionRow.outcome, HoldResolutionRow.journal_id, HoldResolutionRow.reason
    ).where(HoldResolutionRow.hand_id == hand_id)
    return (await tx.execute(query)).one_or_none()


_ENTRY = (
    JournalRow.id,
    JournalRow.kind,
    JournalRow.hand_id,
    JournalRow.reverses,
    JournalRow.reason,
    JournalRow.actor,
    JournalRow.created_at,
)


def _lines() -> Any:
    seal = (
        select(SealRow.seq)
        .where(SealRow.xid_from <= JournalRow.xid, SealRow.xid_to > JournalRow.xid)
        .order_by(SealRow.xid_to)  # by its index: a line must not read every seal
        .limit(1)
        .scalar_subquery()
    )
    return (
        select(
            PostingRow.account_version,
            PostingRow.amount,
            PostingRow.balance_after,
            *_ENTRY,
            HandHoldRow.table_id,
            seal.label("seal"),
        )
        .join(JournalRow, JournalRow.id == PostingRow.journal_id)
        .outerjoin(HandHoldRow, HandHoldRow.hand_id == JournalRow.hand_id)
    )
