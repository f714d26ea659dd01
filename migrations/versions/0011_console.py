"""The operator's console: what seats complain of, and when the ledger was last checked."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

TIME = TIMESTAMP(timezone=True)


def upgrade() -> None:
    """Make the tables; a check that was made stays as it was, a complaint is answered once."""
    op.create_table(
        "check_run",
        sa.Column("run_id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
        sa.Column("at", TIME, server_default=sa.func.clock_timestamp(), nullable=False),
        sa.Column("holds", sa.Boolean, nullable=False),
        sa.Column("invariants", JSONB, nullable=False),
        schema="ledger",
    )
    for event, each in (("update or delete", "row"), ("truncate", "statement")):
        op.execute(
            f"create trigger no_{event.split()[0]} before {event} on ledger.check_run "
            f"for each {each} execute function ledger.forbid()"
        )
    op.execute("grant select, insert on ledger.check_run to pakka_app")
    op.create_table(
        "complaint",
        sa.Column("complaint_id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
        sa.Column("hand_id", sa.BigInteger, nullable=False),
        sa.Column("player_id", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("made_at", TIME, server_default=sa.func.clock_timestamp(), nullable=False),
        sa.Column("answered_at", TIME),
        sa.Column("answered_by", sa.Text),
        sa.Column("answer", sa.Text),
        sa.ForeignKeyConstraint(["hand_id"], ["tables.hand.hand_id"]),
        sa.UniqueConstraint("hand_id", "player_id"),
        sa.CheckConstraint("num_nulls(answered_at, answered_by, answer) in (0, 3)", name="whole"),
        schema="tables",
    )
    op.create_index(
        "complaint_open_idx",
        "complaint",
        ["complaint_id"],
        schema="tables",
        postgresql_where=sa.text("answered_at is null"),
    )
    op.execute("grant select, insert on tables.complaint to pakka_app")
    op.execute("grant update (answered_at, answered_by, answer) on tables.complaint to pakka_app")


def downgrade() -> None:
    """Drop them."""
    op.drop_table("complaint", schema="tables")
    op.drop_table("check_run", schema="ledger")
