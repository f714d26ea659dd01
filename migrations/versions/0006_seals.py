"""Seals over the ledger, and transaction ids that go on after a restore."""

from alembic import op

from migrations.script import run_script

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

SEALED = ("hold_resolution", "hand_hold")


def upgrade() -> None:
    """Make the seals, and give every row that is sealed its transaction and its salt."""
    run_script("0006_seals.sql")


def downgrade() -> None:
    """Drop them; the seals that are in the public log stay there."""
    op.execute("drop function ledger.continue_xids()")
    op.execute("drop function ledger.append_seal")
    op.execute("drop table ledger.seal")
    for table in SEALED:
        op.execute(f"alter table ledger.{table} drop column xid, drop column salt")
    op.execute("alter table ledger.journal drop column salt")
    op.execute(
        "alter table ledger.journal alter column xid set default pg_current_xact_id()::text::bigint"
    )
    op.execute("drop function ledger.xid_watermark()")
    op.execute("drop function ledger.current_xid()")
    op.execute("drop table ledger.xid_base")
