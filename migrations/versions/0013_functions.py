"""Functions are nobody's to call but whom they are granted to, and look nowhere for other ones."""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

TRIGGERS = (
    "fairness.refuse_change",
    "fairness.refuse_jump",
    "tables.forbid",
    "tables.only_grows",
)
SCHEMAS = ("identity", "fairness", "tables")


def upgrade() -> None:
    """Give the triggers' functions of every schema what those of the ledger have."""
    for function in TRIGGERS:
        op.execute(f"alter function {function}() set search_path = pg_catalog, pg_temp")
    for schema in SCHEMAS:
        op.execute(f"revoke execute on all functions in schema {schema} from public")


def downgrade() -> None:
    """Take it back."""
    for schema in SCHEMAS:
        op.execute(f"grant execute on all functions in schema {schema} to public")
    for function in TRIGGERS:
        op.execute(f"alter function {function}() reset search_path")
