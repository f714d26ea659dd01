"""Who may do what in the database: the owner, the application's role, and the login that plays it.

Owns:     the role `pakka_app`, which every migration grants its rights to, and who may play it.
Promises: a login that is let in here has the rights of that role and no others; its password is
          written nowhere but in PostgreSQL, as PostgreSQL keeps it.
Imports:  `database`.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from sqlalchemy import pool, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from server.database import APP_ROLE, SCHEMAS, engine_url

FORBIDDEN: Final = "42501"
"""SQLSTATE of what a role may not do."""


def make_role(url: str) -> None:
    """Make the role that the application plays, as revision 0001 does.

    It blocks and has an event loop of its own, as everything here does.
    """
    execute(url, _MAKE_ROLE, _TAKE_ROLE)


def grant_to_role(url: str) -> None:
    """Say again what a dump does not bring: who may use the schema, and tables yet to be made."""
    later = [
        f"alter default privileges in schema {schema} grant select on tables to {APP_ROLE}"
        for schema in SCHEMAS
    ]
    public = (
        "revoke create on schema public from public",
        f"grant usage on schema public to {APP_ROLE}",
    )
    execute(url, *public, *later)


def admit(*, owner: str, application: str) -> None:
    """Let the login of the application's address play the application's role, and nothing else.

    A login that isn't there is made, with the password of the address; one that is there keeps its
    own. Both are addresses of one database.

    Errors: DBAPIError with `FORBIDDEN` if the owner may not make logins, or not hand on the role.
    """
    address = engine_url(application)
    values = {"name": address.username, "password": address.password}

    async def work(connection: AsyncConnection) -> None:
        if not (await connection.execute(_PLAYS, {**values, "role": APP_ROLE})).scalar_one():
            await connection.execute(text(_ADMIT))
            await connection.execute(text("select pg_temp.admit(:name, :password)"), values)
            await connection.execute(text("drop function pg_temp.admit"))

    asyncio.run(_in_transaction(owner, work))


def execute(url: str, *statements: str) -> None:
    """Run statements in one transaction of their own, as the address says."""

    async def work(connection: AsyncConnection) -> None:
        for statement in statements:
            await connection.execute(text(statement))

    asyncio.run(_in_transaction(url, work))


async def _in_transaction(url: str, work: Callable[[AsyncConnection], Awaitable[None]]) -> None:
    engine = create_async_engine(engine_url(url), poolclass=pool.NullPool, hide_parameters=True)
    try:
        async with engine.begin() as connection:
            await work(connection)
    finally:
        await engine.dispose()


_MAKE_ROLE = f"""
do $$ begin
  if not exists (select from pg_roles where rolname = '{APP_ROLE}') then
    create role {APP_ROLE} nologin noinherit;
  end if;
exception when duplicate_object or unique_violation then
  null;
end $$
"""

_TAKE_ROLE = f"""
do $$ begin
  set local role {APP_ROLE};
  reset role;
exception when insufficient_privilege then
  begin
    grant {APP_ROLE} to current_user;
  exception when internal_error or unique_violation then
    null;
  end;
end $$
"""

_PLAYS = text("""
select exists (
  select from pg_roles r
   where r.rolname = cast(:name as text) and pg_has_role(r.oid, cast(:role as text), 'member'))
""")

# The password is bound to a function's argument: a statement that holds it would be seen in the
# log of the server when it fails, and so would be the context of its error.
_ADMIT = f"""
create function pg_temp.admit(name text, password text) returns void language plpgsql as $$
begin
  begin
    execute format('create role %I login inherit password %L', name, password);
  exception
    when duplicate_object or unique_violation then
      null;
    when insufficient_privilege then
      raise exception 'may not make the role %', name using errcode = 'insufficient_privilege';
  end;
  begin
    execute format('grant {APP_ROLE} to %I', name);
  exception when internal_error or unique_violation then
    null;
  end;
end $$
"""
