"""The four schemas, and the role that the application plays."""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SCHEMAS = ("identity", "ledger", "fairness", "tables")


def upgrade() -> None:
    """Make role and schemas; each floor's own revision says what the role may do there."""
    op.execute(_MAKE_ROLE)
    op.execute(_TAKE_ROLE)
    op.execute("revoke create on schema public from public")
    op.execute("grant usage on schema public to pakka_app")
    op.execute("grant select on public.alembic_version to pakka_app")
    for schema in SCHEMAS:
        op.execute(f"create schema {schema}")
        op.execute(f"grant usage on schema {schema} to pakka_app")
        op.execute(
            f"alter default privileges in schema {schema} grant select on tables to pakka_app"
        )


def downgrade() -> None:
    """Drop the schemas; the role stays, as other databases of the cluster may use it."""
    for schema in SCHEMAS:
        op.execute(f"drop schema {schema} cascade")


# Roles belong to the whole cluster: a migration of a neighbouring database may do this at the
# same moment, and then its outcome is as good as ours.
_MAKE_ROLE = """
do $$ begin
  create role pakka_app nologin noinherit;
exception when duplicate_object or unique_violation then
  null;
end $$
"""

# Membership without the right to play the role exists since PostgreSQL 16, so the question is
# asked by trying.
_TAKE_ROLE = """
do $$ begin
  set local role pakka_app;
  reset role;
exception when insufficient_privilege then
  begin
    grant pakka_app to current_user;
  exception when internal_error or unique_violation then
    null;
  end;
end $$
"""
