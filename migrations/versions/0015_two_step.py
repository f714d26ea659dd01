"""The operators' second step: sealed secrets, recovery codes, tries of a sign-in link."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

SCHEMA = "identity"


def upgrade() -> None:
    """Make the tables; a link counts the codes that were tried with it."""
    op.create_table(
        "second_step",
        sa.Column("operator_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.Column("last_step", sa.BigInteger, nullable=False),
        sa.Column(
            "enrolled_at",
            TIMESTAMP(timezone=True),
            server_default=sa.func.now(),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(["operator_id"], ["identity.operator.id"]),
        schema=SCHEMA,
    )
    op.create_table(
        "recovery_code",
        sa.Column("operator_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("code_hash", sa.LargeBinary, primary_key=True),
        sa.ForeignKeyConstraint(["operator_id"], ["identity.operator.id"]),
        schema=SCHEMA,
    )
    op.add_column(
        "sign_in_link",
        sa.Column("tries", sa.SmallInteger, server_default="0", nullable=False),
        schema=SCHEMA,
    )
    for table in ("second_step", "recovery_code"):
        op.execute(f"grant select, insert, update, delete on identity.{table} to pakka_app")


def downgrade() -> None:
    """Drop them."""
    op.drop_column("sign_in_link", "tries", schema=SCHEMA)
    for table in ("recovery_code", "second_step"):
        op.drop_table(table, schema=SCHEMA)
