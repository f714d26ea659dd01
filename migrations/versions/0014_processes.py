"""The processes of the house, each with a row that it renews while it lives."""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the list of processes."""
    op.execute("""
        create table tables.process (
          owner text primary key,
          started_at timestamptz not null default clock_timestamp(),
          renewed_at timestamptz not null,
          expires_at timestamptz not null,
          sockets integer not null
        )
    """)
    op.execute("grant insert, update, delete on tables.process to pakka_app")


def downgrade() -> None:
    """Drop it."""
    op.execute("drop table tables.process")
