"""Accounts, holds, the journal, and the functions that own every write of the ledger."""

from alembic import op

from migrations.script import run_script

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

FUNCTIONS = (
    "open_player_account",
    "freeze_account",
    "hold_hand",
    "settle_hand",
    "void_hand",
    "transfer",
    "reverse",
)
TABLES = ("command", "hold_resolution", "posting", "journal", "hold", "hand_hold", "account")


def upgrade() -> None:
    """Make the tables of `ledger`, then the functions."""
    run_script("0003_ledger.sql")
    run_script("0003_ledger_functions.sql")


def downgrade() -> None:
    """Drop them."""
    for function in FUNCTIONS:
        op.execute(f"drop function ledger.{function}")
    for table in TABLES:
        op.execute(f"drop table ledger.{table}")
    op.execute("drop sequence ledger.journal_id")
    op.execute("drop function ledger.check_journal()")
    op.execute("drop function ledger.forbid()")
