"""The tables of this floor: the public log, and the sealed seeds."""

from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    DateTime,
    Index,
    LargeBinary,
    SmallInteger,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from server.database import Base

_SCHEMA = {"schema": "fairness"}


_KEY_LABEL: Final = b"\x00\x12fairdeal/1/log-key"
IS_ROTATION: Final = text(
    f"substring(entry, 1, {len(_KEY_LABEL)}) = '\\x{_KEY_LABEL.hex()}'::bytea"
)
"""What the index of rotations has as its condition, to the letter."""


class LogEntry(Base):
    """An entry of the public log, with the tree's size and root once it was in. Append-only."""

    __tablename__ = "log_entry"
    __table_args__ = (
        CheckConstraint("size = index + 1", name="size"),
        Index("log_entry_rotations", "index", postgresql_where=IS_ROTATION),
        _SCHEMA,
    )

    index: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    entry: Mapped[bytes] = mapped_column(LargeBinary)
    leaf: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    size: Mapped[int] = mapped_column(BigInteger)
    root: Mapped[bytes] = mapped_column(LargeBinary)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())


class LogNode(Base):
    """The hash over the leaves from `index << level`, `1 << level` of them. Append-only."""

    __tablename__ = "log_node"
    __table_args__ = (_SCHEMA,)

    level: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    index: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    hash: Mapped[bytes] = mapped_column(LargeBinary)


class LogHead(Base):
    """One row: the size of the log; whoever appends holds its lock until it commits."""

    __tablename__ = "log_head"
    __table_args__ = (CheckConstraint("single", name="single"), _SCHEMA)

    single: Mapped[bool] = mapped_column(primary_key=True)
    size: Mapped[int] = mapped_column(BigInteger)


class SealedSeed(Base):
    """S of one attempt, sealed (which alone may change), with the published commitment."""

    __tablename__ = "seed"
    __table_args__ = (CheckConstraint("attempt between 0 and 3", name="attempt"), _SCHEMA)

    table_id: Mapped[UUID] = mapped_column(primary_key=True)
    hand_no: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    attempt: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    commit: Mapped[bytes] = mapped_column(LargeBinary)
