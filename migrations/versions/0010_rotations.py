"""Rotations of keys: they are found in the public log, and open seeds are sealed anew."""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

LABEL = b"\x00\x12fairdeal/1/log-key"


def upgrade() -> None:
    """Index the rotations; let a seed be sealed anew, and nothing else of it be changed."""
    op.execute(
        "create index log_entry_rotations on fairness.log_entry (index) "
        f"where substring(entry, 1, {len(LABEL)}) = '\\x{LABEL.hex()}'::bytea"
    )
    op.execute("drop trigger seed_is_append_only on fairness.seed")
    op.execute(
        "create trigger seed_is_append_only before delete or truncate on fairness.seed "
        "for each statement execute function fairness.refuse_change()"
    )
    op.execute(
        "create trigger seed_stays before update on fairness.seed for each row "
        "when (old.table_id is distinct from new.table_id "
        "or old.hand_no is distinct from new.hand_no "
        "or old.attempt is distinct from new.attempt or old.commit is distinct from new.commit) "
        "execute function fairness.refuse_change()"
    )


def downgrade() -> None:
    """Drop the index, and let no seed change."""
    op.execute("drop trigger seed_stays on fairness.seed")
    op.execute("drop trigger seed_is_append_only on fairness.seed")
    op.execute(
        "create trigger seed_is_append_only before update or delete or truncate on fairness.seed "
        "for each statement execute function fairness.refuse_change()"
    )
    op.execute("drop index fairness.log_entry_rotations")
