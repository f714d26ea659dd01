"""The figures of the fairness page, by table."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

SCHEMA = "tables"


def upgrade() -> None:
    """Make the table; figures count from here on, `since` says so."""
    op.create_table(
        "figure",
        sa.Column("table_id", sa.Uuid, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column(
            "since",
            TIMESTAMP(timezone=True),
            server_default=sa.func.clock_timestamp(),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(["table_id"], ["tables.game_table.table_id"]),
        sa.CheckConstraint("count > 0", name="counted"),
        schema=SCHEMA,
    )
    op.execute(
        "create function tables.only_grows() returns trigger language plpgsql as $$ "
        "begin if new.count <= old.count or (new.table_id, new.name, new.since) "
        "is distinct from (old.table_id, old.name, old.since) then "
        "raise exception 'figures only grow' using errcode = 'TB009'; end if; return new; end $$"
    )
    op.execute(
        "create trigger only_grows before update on tables.figure "
        "for each row execute function tables.only_grows()"
    )
    for event, each in (("delete", "row"), ("truncate", "statement")):
        op.execute(
            f"create trigger no_{event} before {event} on tables.figure "
            f"for each {each} execute function tables.forbid()"
        )
    op.execute("grant insert, update on tables.figure to pakka_app")


def downgrade() -> None:
    """Drop it."""
    op.drop_table("figure", schema=SCHEMA)
    op.execute("drop function tables.only_grows()")
