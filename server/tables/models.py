"""The tables of the table floor: schema `tables`."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from server.database import Base

_TIME = TIMESTAMP(timezone=True)


class GameTable(Base):
    """A table: what is played and by which options.

    Shape: `state` 1 open, 2 closing, 3 closed; `close_asked` `drain` or `now` by an operator;
           `renew`: its hand is given up when it is next taken up, in another `stream`.
    """

    __tablename__ = "game_table"
    __table_args__ = ({"schema": "tables"},)

    table_id: Mapped[UUID] = mapped_column(primary_key=True)
    catalogue_key: Mapped[str | None] = mapped_column(Text, unique=True)
    name: Mapped[str] = mapped_column(Text)
    game: Mapped[str] = mapped_column(Text)
    options: Mapped[dict[str, Any]] = mapped_column(JSONB)
    state: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    close_asked: Mapped[str | None] = mapped_column(Text)
    opened_at: Mapped[datetime] = mapped_column(_TIME, server_default=func.clock_timestamp())
    stream: Mapped[int] = mapped_column(BigInteger, server_default="1")
    renew: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))


class Process(Base):
    """A process of the house, alive until `expires_at` by the database's clock."""

    __tablename__ = "process"
    __table_args__ = ({"schema": "tables"},)

    owner: Mapped[str] = mapped_column(Text, primary_key=True)
    started_at: Mapped[datetime] = mapped_column(_TIME, server_default=func.clock_timestamp())
    renewed_at: Mapped[datetime] = mapped_column(_TIME)
    expires_at: Mapped[datetime] = mapped_column(_TIME)
    sockets: Mapped[int] = mapped_column(Integer)


class Lease(Base):
    """Which process runs a table, until when by the database's clock; `fence` only rises."""

    __tablename__ = "lease"
    __table_args__ = ({"schema": "tables"},)

    table_id: Mapped[UUID] = mapped_column(
        ForeignKey("tables.game_table.table_id"), primary_key=True
    )
    owner: Mapped[str] = mapped_column(Text)
    fence: Mapped[int] = mapped_column(BigInteger)
    renewed_at: Mapped[datetime] = mapped_column(_TIME)
    expires_at: Mapped[datetime] = mapped_column(_TIME)


class Hand(Base):
    """A hand that was opened: 1 open, 2 listed, 3 dealt, 4 closed, 5 cancelled."""

    __tablename__ = "hand"
    __table_args__ = (UniqueConstraint("table_id", "hand_no"), {"schema": "tables"})

    hand_id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    table_id: Mapped[UUID] = mapped_column(ForeignKey("tables.game_table.table_id"))
    hand_no: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    opened_at: Mapped[datetime] = mapped_column(_TIME, server_default=func.now())
    ended_at: Mapped[datetime | None] = mapped_column(_TIME)
    gross_micro: Mapped[int | None] = mapped_column(BigInteger)
    commission_micro: Mapped[int | None] = mapped_column(BigInteger)


class HandSeat(Base):
    """A seat of a closed hand with its points and its net tokens."""

    __tablename__ = "hand_seat"
    __table_args__ = (
        Index(None, "player_id", "hand_id"),
        {"schema": "tables"},
    )

    hand_id: Mapped[int] = mapped_column(ForeignKey("tables.hand.hand_id"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    player_id: Mapped[int] = mapped_column(BigInteger)
    points: Mapped[int] = mapped_column(BigInteger)
    amount_micro: Mapped[int] = mapped_column(BigInteger)


class JournalRow(Base):
    """A fact of a table; `seq` to `last_seq` are the events it made. Append-only."""

    __tablename__ = "journal"
    __table_args__ = (
        Index("journal_opening_idx", "table_id", "seq", postgresql_where="opens_hand"),
        Index("journal_hand_id_idx", "hand_id"),
        {"schema": "tables"},
    )

    table_id: Mapped[UUID] = mapped_column(
        ForeignKey("tables.game_table.table_id"), primary_key=True
    )
    seq: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    last_seq: Mapped[int] = mapped_column(BigInteger)
    hand_id: Mapped[int | None] = mapped_column(BigInteger)
    opens_hand: Mapped[bool]
    fence: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[datetime] = mapped_column(_TIME, server_default=func.clock_timestamp())
    fact: Mapped[dict[str, Any]] = mapped_column(JSONB)


class Figure(Base):
    """A figure of a table for the fairness page; it only grows. Shape: as `figures.counted`."""

    __tablename__ = "figure"
    __table_args__ = (CheckConstraint("count > 0", name="counted"), {"schema": "tables"})

    table_id: Mapped[UUID] = mapped_column(
        ForeignKey("tables.game_table.table_id"), primary_key=True
    )
    name: Mapped[str] = mapped_column(Text, primary_key=True)
    count: Mapped[int] = mapped_column(BigInteger)
    since: Mapped[datetime] = mapped_column(_TIME, server_default=func.clock_timestamp())


class Complaint(Base):
    """What a seat has to say about a hand that is over; answered by an operator, once."""

    __tablename__ = "complaint"
    __table_args__ = (
        UniqueConstraint("hand_id", "player_id"),
        CheckConstraint("num_nulls(answered_at, answered_by, answer) in (0, 3)", name="whole"),
        Index("complaint_open_idx", "complaint_id", postgresql_where=text("answered_at is null")),
        {"schema": "tables"},
    )

    complaint_id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    hand_id: Mapped[int] = mapped_column(ForeignKey("tables.hand.hand_id"))
    player_id: Mapped[int] = mapped_column(BigInteger)
    text: Mapped[str] = mapped_column(Text)
    made_at: Mapped[datetime] = mapped_column(_TIME, server_default=func.clock_timestamp())
    answered_at: Mapped[datetime | None] = mapped_column(_TIME)
    answered_by: Mapped[str | None] = mapped_column(Text)
    answer: Mapped[str | None] = mapped_column(Text)


class StoredReply(Base):
    """The one answer to a player's command; the same command gets it again."""

    __tablename__ = "reply"
    __table_args__ = (Index("reply_at_idx", "at"), {"schema": "tables"})

    table_id: Mapped[UUID] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    request_id: Mapped[str] = mapped_column(Text, primary_key=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    ok: Mapped[bool]
    seq: Mapped[int] = mapped_column(BigInteger)
    code: Mapped[str | None] = mapped_column(Text)
    text: Mapped[str | None] = mapped_column(Text)
    field: Mapped[str | None] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(_TIME, server_default=func.now())


class Pseudonym(Base):
    """What a player is called in the records of one table: 16 random bytes."""

    __tablename__ = "pseudonym"
    __table_args__ = ({"schema": "tables"},)

    table_id: Mapped[UUID] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    pseudonym: Mapped[bytes] = mapped_column(LargeBinary, unique=True)


class Record(Base):
    """The record of a closed hand, as it was first built and signed."""

    __tablename__ = "record"
    __table_args__ = ({"schema": "tables"},)

    hand_id: Mapped[int] = mapped_column(ForeignKey("tables.hand.hand_id"), primary_key=True)
    body: Mapped[bytes] = mapped_column(LargeBinary)


class Match(Base):
    """A match that was played to its end at a free table; `is_shared` if no side won it alone."""

    __tablename__ = "match"
    __table_args__ = (UniqueConstraint("table_id", "match_no"), {"schema": "tables"})

    match_id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    table_id: Mapped[UUID] = mapped_column(ForeignKey("tables.game_table.table_id"))
    match_no: Mapped[int] = mapped_column(BigInteger)
    first_hand: Mapped[int] = mapped_column(BigInteger)
    last_hand: Mapped[int] = mapped_column(BigInteger)
    is_shared: Mapped[bool]
    ended_at: Mapped[datetime] = mapped_column(_TIME, server_default=func.now())


class MatchSeat(Base):
    """A seat of a match with the points of its hands together; `player_id` owns the seat."""

    __tablename__ = "match_seat"
    __table_args__ = (Index(None, "player_id", "match_id"), {"schema": "tables"})

    match_id: Mapped[int] = mapped_column(ForeignKey("tables.match.match_id"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    player_id: Mapped[int] = mapped_column(BigInteger)
    points: Mapped[int] = mapped_column(BigInteger)
    has_won: Mapped[bool]
    by_substitute: Mapped[bool]


class Standing(Base):
    """A person's matches of a game together; `finished` are those it played to their end itself."""

    __tablename__ = "standing"
    __table_args__ = (
        Index(
            "standing_order_idx",
            "game",
            text("wins desc"),
            text("shared desc"),
            "matches",
            "player_id",
        ),
        CheckConstraint(
            "finished >= 0 and finished <= matches and wins >= 0 and shared >= 0 "
            "and wins + shared <= finished",
            name="counted",
        ),
        {"schema": "tables"},
    )

    game: Mapped[str] = mapped_column(Text, primary_key=True)
    player_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    matches: Mapped[int] = mapped_column(BigInteger)
    finished: Mapped[int] = mapped_column(BigInteger)
    wins: Mapped[int] = mapped_column(BigInteger)
    shared: Mapped[int] = mapped_column(BigInteger)
    points: Mapped[int] = mapped_column(BigInteger)


class SeatToken(Base):
    """The token by which a substitute plays one seat of one table; only its hash is kept."""

    __tablename__ = "seat_token"
    __table_args__ = ({"schema": "tables"},)

    table_id: Mapped[UUID] = mapped_column(
        ForeignKey("tables.game_table.table_id"), primary_key=True
    )
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    player_id: Mapped[int] = mapped_column(BigInteger)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    issued_at: Mapped[datetime] = mapped_column(_TIME, server_default=func.now())
