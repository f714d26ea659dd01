"""The public log and the sealed seeds: written once, never changed."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

SCHEMA = "fairness"
APPEND_ONLY = ("log_entry", "log_node", "seed")


def upgrade() -> None:
    """Make the tables, forbid every change of what is written, and let the application append."""
    _log()
    _seeds()
    op.execute(_REFUSE)
    for table in APPEND_ONLY:
        op.execute(
            f"create trigger {table}_is_append_only before update or delete or truncate "
            f"on {SCHEMA}.{table} for each statement execute function {SCHEMA}.refuse_change()"
        )
        op.execute(f"grant select, insert on {SCHEMA}.{table} to pakka_app")
    for statement in (_REFUSE_JUMP, _HEAD_GROWS, _HEAD_STAYS):
        op.execute(statement)
    op.execute(f"grant select, update (size) on {SCHEMA}.log_head to pakka_app")


def downgrade() -> None:
    """Drop the log and the seeds."""
    for table in ("log_head", *APPEND_ONLY):
        op.drop_table(table, schema=SCHEMA)
    op.execute(f"drop function {SCHEMA}.refuse_change()")
    op.execute(f"drop function {SCHEMA}.refuse_jump()")


def _log() -> None:
    op.create_table(
        "log_entry",
        sa.Column("index", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("entry", sa.LargeBinary(), nullable=False),
        sa.Column("leaf", sa.LargeBinary(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.Column(
            "at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.CheckConstraint("size = index + 1", name=op.f("log_entry_size")),
        sa.PrimaryKeyConstraint("index", name=op.f("log_entry_pkey")),
        sa.UniqueConstraint("leaf", name=op.f("log_entry_leaf_key")),
        schema=SCHEMA,
    )
    op.create_table(
        "log_node",
        sa.Column("level", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("index", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("level", "index", name=op.f("log_node_pkey")),
        schema=SCHEMA,
    )
    op.create_table(
        "log_head",
        sa.Column("single", sa.Boolean(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("single", name=op.f("log_head_single")),
        sa.PrimaryKeyConstraint("single", name=op.f("log_head_pkey")),
        schema=SCHEMA,
    )
    op.execute("insert into fairness.log_head (single, size) values (true, 0)")


def _seeds() -> None:
    op.create_table(
        "seed",
        sa.Column("table_id", sa.Uuid(), nullable=False),
        sa.Column("hand_no", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("attempt", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("commit", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("attempt between 0 and 3", name=op.f("seed_attempt")),
        sa.PrimaryKeyConstraint("table_id", "hand_no", "attempt", name=op.f("seed_pkey")),
        schema=SCHEMA,
    )


_REFUSE = f"""
create function {SCHEMA}.refuse_change() returns trigger language plpgsql as $$ begin
  raise exception '% is append-only', tg_table_name using errcode = '0A000';
end $$
"""

_REFUSE_JUMP = f"""
create function {SCHEMA}.refuse_jump() returns trigger language plpgsql as $$ begin
  if tg_op <> 'UPDATE' or new.size <> old.size + 1 then
    raise exception 'the log grows by one entry at a time' using errcode = '0A000';
  end if;
  return new;
end $$
"""

_HEAD_GROWS = f"""
create trigger log_head_grows before insert or update or delete
  on {SCHEMA}.log_head for each row execute function {SCHEMA}.refuse_jump()
"""

_HEAD_STAYS = f"""
create trigger log_head_stays before truncate
  on {SCHEMA}.log_head for each statement execute function {SCHEMA}.refuse_change()
"""
