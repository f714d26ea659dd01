"""Where a command finds the house: its settings, and its database, running or not."""

import asyncio
import getpass
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from server.cli.output import Wrong
from server.database import Addresses, Database, PlayerId, Transaction, sqlstate_of
from server.embedded import join_or_start
from server.errors import Fault
from server.identity import service as identity
from server.identity.names import key_of
from server.identity.service import BOT_KEY, Player
from server.roles import FORBIDDEN
from server.schema import OWNER_NEEDED, is_current, prepare
from server.settings import Settings, read_settings
from server.tuning import addresses_of

NOT_REACHED: Final = frozenset({"08", "28", "3D", "53", "57"})
"""Classes of PostgreSQL's codes: connection, sign-in, no such database, full, shutting down."""

T = TypeVar("T")


@contextmanager
def database_of(settings: Settings) -> Iterator[Addresses]:
    """Give the database's addresses; an embedded server is joined, or started for this while."""
    if (known := addresses_of(settings)) is not None:
        with reached():
            yield known
        return
    with join_or_start(settings.home) as postgres:
        yield Addresses(owner=postgres.url, application=postgres.application_url)


@contextmanager
def owned(settings: Settings) -> Iterator[str]:
    """Give the database's address as its owner, who alone may back it up and restore into it."""
    with database_of(settings) as addresses:
        yield addresses.owner


def in_database(work: Callable[[Transaction], Awaitable[T]]) -> T:
    """Do `work` in one transaction of the house's database.

    Errors: Fault if there is no database, or its schema is an older one; what `work` raises.
    """
    settings = read_settings()
    with database_of(settings) as addresses:
        demand_schema(settings, addresses)
        return asyncio.run(_run(addresses.application, work))


async def _run(url: str, work: Callable[[Transaction], Awaitable[T]]) -> T:
    database = Database(url, pool_size=2)
    try:
        return await database.run(work)
    finally:
        await database.close()


@contextmanager
def reached() -> Iterator[None]:
    """Turn a database that isn't there, or lets nobody in, into one line for the person.

    Errors: Fault; everything else is a fault of ours and stays as it is.
    """
    try:
        yield
    except Exception as error:
        state = sqlstate_of(error) or ""
        if isinstance(error, OSError) and error.filename is not None:
            raise Fault(f"PAKKA_HOME can't be used: {error}") from None
        if isinstance(error, OSError) or state[:2] in NOT_REACHED:
            raise Fault(f"the database can't be reached: {error}") from None
        if state == FORBIDDEN:
            raise Fault(OWNER_NEEDED) from None
        raise


def demand_schema(settings: Settings, addresses: Addresses) -> None:
    """Bring an embedded database up to date. Errors: Fault if another one isn't."""
    if settings.database_url is None:
        prepare(addresses)
    elif not is_current(addresses.application):
        raise Fault("the schema of DATABASE_URL is not up to date: run pakka migrate")


def actor() -> str:
    """Name who acts from the command line, for the list of operators' acts."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = "unknown"
    return f"cli:{user}"


async def player_named(tx: Transaction, text: str) -> Player:
    """Find a player, or else a bot, by its number or its exact name.

    Errors: Wrong if there is none.
    """
    if text.isascii() and text.isdigit() and len(text) <= 18:
        return await identity.get_player(tx, PlayerId(int(text)))
    for prefix in (text, BOT_KEY + text):
        after = 0
        while page := await identity.players(tx, prefix=prefix, after=after):
            for player in page:
                if key_of(player.name) == key_of(text):
                    return player
            after = page[-1].id
    raise Wrong(f"there is no player {text[:64]!r}")
