"""Where a command finds the house: its settings, and its database, running or not."""

import asyncio
import getpass
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from server.cli.output import Wrong
from server.database import Database, PlayerId, Transaction
from server.embedded import join_or_start
from server.errors import Fault
from server.identity import service as identity
from server.identity.names import key_of
from server.identity.service import Player
from server.schema import is_current, migrate
from server.settings import Settings, read_settings

T = TypeVar("T")


@contextmanager
def database_url(settings: Settings) -> Iterator[str]:
    """Give the database's address; an embedded server is joined, or started for this while."""
    if settings.database_url is not None:
        yield settings.database_url
        return
    with join_or_start(settings.home) as postgres:
        yield postgres.url


def in_database(work: Callable[[Transaction], Awaitable[T]]) -> T:
    """Do `work` in one transaction of the house's database.

    Errors: Fault if there is no database, or its schema is an older one; what `work` raises.
    """
    settings = read_settings()
    with database_url(settings) as url:
        if settings.database_url is None:
            migrate(url)
        else:
            _demand_current(url)
        return asyncio.run(_run(url, work))


async def _run(url: str, work: Callable[[Transaction], Awaitable[T]]) -> T:
    database = Database(url, pool_size=2)
    try:
        return await database.run(work)
    finally:
        await database.close()


def _demand_current(url: str) -> None:
    try:
        current = is_current(url)
    except OSError as error:
        raise Fault(f"DATABASE_URL can't be reached: {error}") from None
    if not current:
        raise Fault("the schema of DATABASE_URL is not up to date: run pakka migrate")


def actor() -> str:
    """Name who acts from the command line, for the list of operators' acts."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = "unknown"
    return f"cli:{user}"


async def player_named(tx: Transaction, text: str) -> Player:
    """Find a player by its number or its exact name.

    Errors: Wrong if there is none.
    """
    if text.isascii() and text.isdigit() and len(text) <= 18:
        return await identity.get_player(tx, PlayerId(int(text)))
    wanted = key_of(text)
    after = 0
    while page := await identity.players(tx, prefix=text, after=after):
        for player in page:
            if key_of(player.name) == wanted:
                return player
        after = page[-1].id
    raise Wrong(f"there is no player {text[:64]!r}")
