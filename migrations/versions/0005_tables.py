"""Tables, leases, hands, the journal and the stored replies."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

SCHEMA = "tables"
TIME = TIMESTAMP(timezone=True)


def upgrade() -> None:
    """Make the tables; what has been journalled can't be changed by anybody."""
    _make_tables()
    _make_hands()
    _make_journal()
    for table in ("journal", "pseudonym", "record", "hand_seat"):
        op.execute(
            f"create trigger no_change before update or delete on tables.{table} "
            "for each row execute function tables.forbid()"
        )
        op.execute(
            f"create trigger no_truncate before truncate on tables.{table} "
            "for each statement execute function tables.forbid()"
        )
        op.execute(f"grant insert on tables.{table} to pakka_app")
    op.execute("grant insert, update on tables.game_table, tables.lease, tables.hand to pakka_app")
    op.execute("grant insert, delete on tables.reply to pakka_app")


def downgrade() -> None:
    """Drop it all."""
    for table in (
        "record", "pseudonym", "reply", "journal", "hand_seat", "hand", "lease", "game_table",
    ):  # fmt: skip
        op.drop_table(table, schema=SCHEMA)
    op.execute("drop function tables.forbid()")


def _make_tables() -> None:
    op.create_table(
        "game_table",
        sa.Column("table_id", sa.Uuid, primary_key=True),
        sa.Column("catalogue_key", sa.Text, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", JSONB, nullable=False),
        sa.Column("state", sa.SmallInteger, server_default="1", nullable=False),
        sa.Column("close_asked", sa.Text),
        sa.Column("opened_at", TIME, server_default=sa.func.clock_timestamp(), nullable=False),
        sa.CheckConstraint("state between 1 and 3", name="state_known"),
        sa.CheckConstraint("close_asked in ('drain', 'now')", name="close_known"),
        schema=SCHEMA,
    )
    op.create_table(
        "lease",
        sa.Column("table_id", sa.Uuid, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("fence", sa.BigInteger, nullable=False),
        sa.Column("renewed_at", TIME, nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.game_table.table_id"]),
        schema=SCHEMA,
    )
    op.create_table(
        "pseudonym",
        sa.Column("table_id", sa.Uuid, primary_key=True),
        sa.Column("player_id", sa.BigInteger, primary_key=True),
        sa.Column("pseudonym", sa.LargeBinary, unique=True, nullable=False),
        sa.CheckConstraint("length(pseudonym) = 16", name="length"),
        schema=SCHEMA,
    )


def _make_hands() -> None:
    op.create_table(
        "hand",
        sa.Column("hand_id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
        sa.Column("table_id", sa.Uuid, nullable=False),
        sa.Column("hand_no", sa.BigInteger, nullable=False),
        sa.Column("state", sa.SmallInteger, server_default="1", nullable=False),
        sa.Column("opened_at", TIME, server_default=sa.func.now(), nullable=False),
        sa.Column("ended_at", TIME),
        sa.Column("gross_micro", sa.BigInteger),
        sa.Column("commission_micro", sa.BigInteger),
        sa.ForeignKeyConstraint(["table_id"], ["tables.game_table.table_id"]),
        sa.UniqueConstraint("table_id", "hand_no"),
        sa.CheckConstraint("state between 1 and 5", name="state_known"),
        sa.CheckConstraint("(state >= 4) = (ended_at is not null)", name="ended"),
        schema=SCHEMA,
    )
    op.create_table(
        "hand_seat",
        sa.Column("hand_id", sa.BigInteger, primary_key=True),
        sa.Column("seat", sa.SmallInteger, primary_key=True),
        sa.Column("player_id", sa.BigInteger, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("amount_micro", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["hand_id"], ["tables.hand.hand_id"]),
        schema=SCHEMA,
    )
    op.create_index(
        "hand_seat_player_id_hand_id_idx", "hand_seat", ["player_id", "hand_id"], schema=SCHEMA
    )
    op.create_table(
        "record",
        sa.Column("hand_id", sa.BigInteger, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["hand_id"], ["tables.hand.hand_id"]),
        schema=SCHEMA,
    )


def _make_journal() -> None:
    op.create_table(
        "journal",
        sa.Column("table_id", sa.Uuid, primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True),
        sa.Column("last_seq", sa.BigInteger, nullable=False),
        sa.Column("hand_id", sa.BigInteger),
        sa.Column("opens_hand", sa.Boolean, nullable=False),
        sa.Column("fence", sa.BigInteger, nullable=False),
        sa.Column("at", TIME, server_default=sa.func.clock_timestamp(), nullable=False),
        sa.Column("fact", JSONB, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.game_table.table_id"]),
        sa.CheckConstraint("last_seq >= seq", name="numbered"),
        schema=SCHEMA,
    )
    op.create_index(
        "journal_opening_idx",
        "journal",
        ["table_id", "seq"],
        schema=SCHEMA,
        postgresql_where=sa.text("opens_hand"),
    )
    op.create_index("journal_hand_id_idx", "journal", ["hand_id"], schema=SCHEMA)
    op.create_table(
        "reply",
        sa.Column("table_id", sa.Uuid, primary_key=True),
        sa.Column("player_id", sa.BigInteger, primary_key=True),
        sa.Column("request_id", sa.Text, primary_key=True),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("ok", sa.Boolean, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("code", sa.Text),
        sa.Column("text", sa.Text),
        sa.Column("field", sa.Text),
        sa.Column("at", TIME, server_default=sa.func.now(), nullable=False),
        schema=SCHEMA,
    )
    op.create_index("reply_at_idx", "reply", ["at"], schema=SCHEMA)
    op.execute(
        "create function tables.forbid() returns trigger language plpgsql as $$ "
        "begin raise exception '%.% is append-only', tg_table_schema, tg_table_name "
        "using errcode = 'TB009'; end $$"
    )
