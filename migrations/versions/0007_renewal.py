"""Tables whose hand is given up when they are next taken up, in another stream."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both columns; nothing is marked."""
    op.add_column(
        "game_table",
        sa.Column("stream", sa.BigInteger, nullable=False, server_default="1"),
        schema="tables",
    )
    op.add_column(
        "game_table",
        sa.Column("renew", sa.Boolean, nullable=False, server_default=sa.text("false")),
        schema="tables",
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_column("game_table", "renew", schema="tables")
    op.drop_column("game_table", "stream", schema="tables")
