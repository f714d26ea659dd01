"""Players, operators, their sign-ins, the operators' acts, stored answers."""

from alembic import op

from migrations.script import run_script

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = (
    "answer",
    "act",
    "operator_session",
    "sign_in_link",
    "operator",
    "session",
    "credential",
    "player",
)


def upgrade() -> None:
    """Make the tables of `identity`."""
    run_script("0002_identity.sql")


def downgrade() -> None:
    """Drop them."""
    for table in TABLES:
        op.execute(f"drop table identity.{table}")
    op.execute("drop function identity.forbid()")
