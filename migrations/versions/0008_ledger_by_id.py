"""Hold, settlement and balance check find their accounts by id, and once."""

from pathlib import Path

from alembic import op

from migrations.script import run_script

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

BEFORE = ("0003_ledger.sql", "0003_ledger_functions.sql")
CHANGED = ("hold_hand", "settle_hand", "check_journal")


def upgrade() -> None:
    """Replace three functions; their signatures stay."""
    run_script("0008_ledger_by_id.sql")


def downgrade() -> None:
    """Bring the functions of 0003 back."""
    for script in BEFORE:
        text = (Path(__file__).parent / script).read_text(encoding="utf-8")
        for made in text.split("create function ")[1:]:
            if made.startswith(tuple(f"ledger.{name}(" for name in CHANGED)):
                op.execute("create or replace function " + made.partition("end $$;")[0] + "end $$;")
