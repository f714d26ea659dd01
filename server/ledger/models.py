"""The tables of the schema `ledger`, to read from: only SQL functions write to them."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Computed,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    SmallInteger,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from server.database import Base

SCHEMA = {"schema": "ledger"}


def _key() -> Mapped[int]:
    return mapped_column(BigInteger, primary_key=True, autoincrement=False)


def _amount() -> Mapped[int]:
    return mapped_column(BigInteger)


def _amount_or_none() -> Mapped[int | None]:
    return mapped_column(BigInteger)


def _xid() -> Mapped[int]:
    return mapped_column(BigInteger, server_default=text("ledger.current_xid()"))


def _salt() -> Mapped[UUID]:
    return mapped_column(Uuid, server_default=text("gen_random_uuid()"))


def _hash() -> Mapped[bytes]:
    return mapped_column(LargeBinary)


def _time(server_default: str = "now()") -> Mapped[datetime]:
    return mapped_column(DateTime(timezone=True), server_default=text(server_default))


class AccountRow(Base):
    """An account; one that keeps no balance is the sum of its postings."""

    __tablename__ = "account"
    __table_args__ = (
        CheckConstraint("min_available is null or posted - held >= min_available", "no_overdraft"),
        Index("account_player_idx", "player_id", unique=True, postgresql_where=text("kind = 1")),
        Index("account_house_idx", "kind", unique=True, postgresql_where=text("kind <> 1")),
        SCHEMA,
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True, start=1000), primary_key=True)
    kind: Mapped[int] = mapped_column(SmallInteger)
    player_id: Mapped[int | None] = _amount_or_none()
    unit: Mapped[str] = mapped_column(Text, server_default=text("'HT'"))
    keeps_balance: Mapped[bool] = mapped_column(Boolean, server_default=text("true"))
    min_available: Mapped[int | None] = mapped_column(BigInteger, server_default=text("0"))
    posted: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    held: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    available: Mapped[int | None] = mapped_column(
        BigInteger, Computed("posted - held", persisted=True)
    )
    version: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    frozen: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    created_at: Mapped[datetime] = _time()


class HandHoldRow(Base):
    """What was agreed on before a hand: the commission, its account, the sum held."""

    __tablename__ = "hand_hold"
    __table_args__ = (
        Index("hand_hold_expires_idx", "expires_at"),
        Index("hand_hold_table_idx", "table_id", "hand_id"),
        Index("hand_hold_xid_idx", "xid", postgresql_using="brin"),
        SCHEMA,
    )

    hand_id: Mapped[int] = _key()
    table_id: Mapped[UUID] = mapped_column(Uuid)
    practice: Mapped[bool] = mapped_column(Boolean)
    n_seats: Mapped[int] = mapped_column(SmallInteger)
    total: Mapped[int] = _amount()
    commission_bps: Mapped[int] = mapped_column(SmallInteger)
    house_id: Mapped[int] = _amount()
    request_hash: Mapped[bytes] = mapped_column(LargeBinary)
    expires_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    created_at: Mapped[datetime] = _time()
    xid: Mapped[int] = _xid()
    salt: Mapped[UUID] = _salt()


class HoldRow(Base):
    """What is held of one seat: it pays no more than that."""

    __tablename__ = "hold"
    __table_args__ = (SCHEMA,)

    hand_id: Mapped[int] = _key()
    account_id: Mapped[int] = _key()
    amount: Mapped[int] = _amount()


class JournalRow(Base):
    """One business event; `kind` is a `transfers.EntryKind`."""

    __tablename__ = "journal"
    __table_args__ = (
        Index(
            "journal_hand_idx", "hand_id", unique=True, postgresql_where=text("hand_id is not null")
        ),
        Index("journal_xid_idx", "xid", postgresql_using="brin"),
        Index("journal_created_idx", "created_at", postgresql_using="brin"),
        Index("journal_reason_idx", "reason", "id", postgresql_where=text("kind <> 1")),
        SCHEMA,
    )

    id: Mapped[int] = _key()
    kind: Mapped[int] = mapped_column(SmallInteger)
    hand_id: Mapped[int | None] = _amount_or_none()
    n_postings: Mapped[int] = mapped_column(SmallInteger)
    gross: Mapped[int | None] = _amount_or_none()
    commission_bps: Mapped[int | None] = mapped_column(SmallInteger)
    commission: Mapped[int | None] = _amount_or_none()
    reverses: Mapped[int | None] = mapped_column(ForeignKey("ledger.journal.id"), unique=True)
    reason: Mapped[str] = mapped_column(Text)
    actor: Mapped[str] = mapped_column(Text)
    xid: Mapped[int] = _xid()
    created_at: Mapped[datetime] = _time("clock_timestamp()")
    salt: Mapped[UUID] = _salt()


class PostingRow(Base):
    """One line of an entry; with the version and the balance of an account that keeps them."""

    __tablename__ = "posting"
    __table_args__ = (
        Index(
            "posting_statement_idx",
            "account_id",
            "account_version",
            unique=True,
            postgresql_where=text("account_version is not null"),
        ),
        Index(
            "posting_append_only_idx",
            "account_id",
            "journal_id",
            postgresql_where=text("account_version is null"),
        ),
        SCHEMA,
    )

    journal_id: Mapped[int] = _key()
    line: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    account_id: Mapped[int] = _amount()
    amount: Mapped[int] = _amount()
    account_version: Mapped[int | None] = _amount_or_none()
    balance_after: Mapped[int | None] = _amount_or_none()


class HoldResolutionRow(Base):
    """The one outcome of a held hand: 1 settled, 2 voided."""

    __tablename__ = "hold_resolution"
    __table_args__ = (Index("hold_resolution_xid_idx", "xid", postgresql_using="brin"), SCHEMA)

    hand_id: Mapped[int] = mapped_column(
        ForeignKey("ledger.hand_hold.hand_id"), primary_key=True, autoincrement=False
    )
    outcome: Mapped[int] = mapped_column(SmallInteger)
    journal_id: Mapped[int | None] = mapped_column(BigInteger, unique=True)
    request_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    reason: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = _time()
    xid: Mapped[int] = _xid()
    salt: Mapped[UUID] = _salt()


class CommandRow(Base):
    """The key of a transfer, and the entry that it made."""

    __tablename__ = "command"
    __table_args__ = (SCHEMA,)

    key: Mapped[str] = mapped_column(Text, primary_key=True)
    request_hash: Mapped[bytes] = mapped_column(LargeBinary)
    journal_id: Mapped[int] = mapped_column(BigInteger, unique=True)
    created_at: Mapped[datetime] = _time()


class XidBaseRow(Base):
    """One row: what is added to the cluster's transaction ids, so that they go on elsewhere."""

    __tablename__ = "xid_base"
    __table_args__ = (CheckConstraint("single", "single"), SCHEMA)

    single: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    base: Mapped[int] = _amount()


class SealRow(Base):
    """A Merkle root over all that transactions of [xid_from, xid_to) wrote, chained and signed."""

    __tablename__ = "seal"
    __table_args__ = (SCHEMA,)

    seq: Mapped[int] = _key()
    xid_from: Mapped[int] = _amount()
    xid_to: Mapped[int] = mapped_column(BigInteger, unique=True)
    entries: Mapped[int] = _amount()
    postings: Mapped[int] = _amount()
    holds: Mapped[int] = _amount()
    outcomes: Mapped[int] = _amount()
    root: Mapped[bytes] = _hash()
    prev_hash: Mapped[bytes] = _hash()
    seal_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    server_pub: Mapped[bytes] = _hash()
    signature: Mapped[bytes] = _hash()
    created_at: Mapped[datetime] = _time("clock_timestamp()")


class CheckRunRow(Base):
    """A check of every invariant: when, whether all held, and the figures of each."""

    __tablename__ = "check_run"
    __table_args__ = (SCHEMA,)

    run_id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    at: Mapped[datetime] = _time("clock_timestamp()")
    holds: Mapped[bool] = mapped_column(Boolean)
    invariants: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
