"""The tables of the schema `identity`."""

from datetime import datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    SmallInteger,
    Text,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from server.database import Base

SCHEMA = {"schema": "identity"}


def _id() -> Mapped[int]:
    return mapped_column(BigInteger, Identity(always=True), primary_key=True)


def _now() -> Mapped[datetime]:
    return mapped_column(DateTime(timezone=True), server_default=text("now()"))


def _time() -> Mapped[datetime]:
    return mapped_column(DateTime(timezone=True))


def _time_or_none() -> Mapped[datetime | None]:
    return mapped_column(DateTime(timezone=True))


class PlayerRow(Base):
    """A person, a guest or a bot; `name_key` is the name as names are compared."""

    __tablename__ = "player"
    __table_args__ = (
        CheckConstraint("kind in (1, 2)", name="kind"),
        Index("player_created_idx", "created_at"),
        SCHEMA,
    )

    id: Mapped[int] = _id()
    name: Mapped[str] = mapped_column(Text)
    name_key: Mapped[str] = mapped_column(Text, unique=True)
    kind: Mapped[int] = mapped_column(SmallInteger)  # 1 human, 2 bot, as fairdeal/1 numbers them
    guest: Mapped[bool] = mapped_column(Boolean)
    suspended_at: Mapped[datetime | None] = _time_or_none()
    deleted_at: Mapped[datetime | None] = _time_or_none()
    created_at: Mapped[datetime] = _now()


class CredentialRow(Base):
    """The password of an account, as argon2 keeps it."""

    __tablename__ = "credential"
    __table_args__ = (SCHEMA,)

    player_id: Mapped[int] = mapped_column(ForeignKey("identity.player.id"), primary_key=True)
    password_hash: Mapped[str] = mapped_column(Text)
    changed_at: Mapped[datetime] = _now()


class SessionRow(Base):
    """A sign-in of a player; the token itself is with the player alone."""

    __tablename__ = "session"
    __table_args__ = (Index("session_player_idx", "player_id"), SCHEMA)

    id: Mapped[int] = _id()
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("identity.player.id"))
    created_at: Mapped[datetime] = _now()
    expires_at: Mapped[datetime] = _time()
    revoked_at: Mapped[datetime | None] = _time_or_none()


class OperatorRow(Base):
    """Somebody who runs the house; not a player."""

    __tablename__ = "operator"
    __table_args__ = (CheckConstraint("role between 1 and 4", name="role"), SCHEMA)

    id: Mapped[int] = _id()
    name: Mapped[str] = mapped_column(Text)
    name_key: Mapped[str] = mapped_column(Text, unique=True)
    role: Mapped[int] = mapped_column(SmallInteger)
    disabled_at: Mapped[datetime | None] = _time_or_none()
    created_at: Mapped[datetime] = _now()


class SignInLinkRow(Base):
    """A link that signs an operator in, once."""

    __tablename__ = "sign_in_link"
    __table_args__ = (SCHEMA,)

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    operator_id: Mapped[int] = mapped_column(ForeignKey("identity.operator.id"))
    expires_at: Mapped[datetime] = _time()
    used_at: Mapped[datetime | None] = _time_or_none()
    tries: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))


class SecondStepRow(Base):
    """The sealed secret of an operator's codes, and the last step of time that one was good for."""

    __tablename__ = "second_step"
    __table_args__ = (SCHEMA,)

    operator_id: Mapped[int] = mapped_column(
        ForeignKey("identity.operator.id"), primary_key=True, autoincrement=False
    )
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    last_step: Mapped[int] = mapped_column(BigInteger)
    enrolled_at: Mapped[datetime] = _now()


class RecoveryCodeRow(Base):
    """A code that stands in for one of the app's, once; then its row is gone."""

    __tablename__ = "recovery_code"
    __table_args__ = (SCHEMA,)

    operator_id: Mapped[int] = mapped_column(
        ForeignKey("identity.operator.id"), primary_key=True, autoincrement=False
    )
    code_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)


class OperatorSessionRow(Base):
    """A sign-in of an operator."""

    __tablename__ = "operator_session"
    __table_args__ = (SCHEMA,)

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    operator_id: Mapped[int] = mapped_column(ForeignKey("identity.operator.id"))
    created_at: Mapped[datetime] = _now()
    expires_at: Mapped[datetime] = _time()
    revoked_at: Mapped[datetime | None] = _time_or_none()


class ActRow(Base):
    """What an operator did; append-only. `subject` is an id such as `player:12`, never a name."""

    __tablename__ = "act"
    __table_args__ = (
        CheckConstraint("length(reason) between 1 and 500", name="reason"),
        Index("act_subject_idx", "subject", "id"),
        SCHEMA,
    )

    id: Mapped[int] = _id()
    operator: Mapped[str] = mapped_column(Text)
    act: Mapped[str] = mapped_column(Text)
    subject: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=text("clock_timestamp()")
    )


class AnswerRow(Base):
    """The answer to a request with an `Idempotency-Key`; `status` is null until it is known."""

    __tablename__ = "answer"
    __table_args__ = (Index("answer_at_idx", "at"), SCHEMA)

    actor: Mapped[str] = mapped_column(Text, primary_key=True)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    request_hash: Mapped[bytes] = mapped_column(LargeBinary)
    status: Mapped[int | None] = mapped_column(SmallInteger)
    body: Mapped[str | None] = mapped_column(Text)
    at: Mapped[datetime] = _now()
