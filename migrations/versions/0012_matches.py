"""Matches of several hands: their results, standings, and tokens for substitutes."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

SCHEMA = "tables"
TIME = TIMESTAMP(timezone=True)


def upgrade() -> None:
    """Make the tables; a match that has ended can't be changed by anybody."""
    _make_matches()
    _make_standings()
    for table in ("match", "match_seat"):
        op.execute(
            f"create trigger no_change before update or delete on tables.{table} "
            "for each row execute function tables.forbid()"
        )
        op.execute(
            f"create trigger no_truncate before truncate on tables.{table} "
            "for each statement execute function tables.forbid()"
        )
        op.execute(f"grant insert on tables.{table} to pakka_app")
    op.execute("grant insert, update on tables.standing to pakka_app")
    op.create_table(
        "seat_token",
        sa.Column("table_id", sa.Uuid, primary_key=True),
        sa.Column("seat", sa.SmallInteger, primary_key=True),
        sa.Column("player_id", sa.BigInteger, nullable=False),
        sa.Column("token_hash", sa.LargeBinary, nullable=False, unique=True),
        sa.Column("issued_at", TIME, server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.game_table.table_id"]),
        schema=SCHEMA,
    )
    op.execute("grant insert, update, delete on tables.seat_token to pakka_app")


def downgrade() -> None:
    """Drop them."""
    for table in ("seat_token", "standing", "match_seat", "match"):
        op.drop_table(table, schema=SCHEMA)


def _make_matches() -> None:
    op.create_table(
        "match",
        sa.Column("match_id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
        sa.Column("table_id", sa.Uuid, nullable=False),
        sa.Column("match_no", sa.BigInteger, nullable=False),
        sa.Column("first_hand", sa.BigInteger, nullable=False),
        sa.Column("last_hand", sa.BigInteger, nullable=False),
        sa.Column("is_shared", sa.Boolean, nullable=False),
        sa.Column("ended_at", TIME, server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.game_table.table_id"]),
        sa.UniqueConstraint("table_id", "match_no"),
        sa.CheckConstraint("last_hand >= first_hand", name="in_order"),
        schema=SCHEMA,
    )
    op.create_table(
        "match_seat",
        sa.Column("match_id", sa.BigInteger, primary_key=True),
        sa.Column("seat", sa.SmallInteger, primary_key=True),
        sa.Column("player_id", sa.BigInteger, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("has_won", sa.Boolean, nullable=False),
        sa.Column("by_substitute", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["tables.match.match_id"]),
        schema=SCHEMA,
    )
    op.create_index(
        "match_seat_player_id_match_id_idx", "match_seat", ["player_id", "match_id"], schema=SCHEMA
    )


def _make_standings() -> None:
    op.create_table(
        "standing",
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("player_id", sa.BigInteger, primary_key=True),
        sa.Column("matches", sa.BigInteger, nullable=False),
        sa.Column("finished", sa.BigInteger, nullable=False),
        sa.Column("wins", sa.BigInteger, nullable=False),
        sa.Column("shared", sa.BigInteger, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.CheckConstraint(
            "finished >= 0 and finished <= matches and wins >= 0 and shared >= 0 "
            "and wins + shared <= finished",
            name="counted",
        ),
        schema=SCHEMA,
    )
    op.create_index(
        "standing_order_idx",
        "standing",
        ["game", sa.text("wins desc"), sa.text("shared desc"), "matches", "player_id"],
        schema=SCHEMA,
    )
