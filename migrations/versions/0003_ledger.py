"""Accounts, holds, the journal, and the functions that own every write of the ledger."""

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables and functions of `ledger`."""


def downgrade() -> None:
    """Drop them."""
