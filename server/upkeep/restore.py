"""Restore: a backup becomes a house again, in an empty home and an empty database."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from server.database import Database, Transaction
from server.errors import Fault
from server.ledger.seals import continue_xids
from server.roles import grant_to_role, make_role
from server.schema import drop, is_known, migrate
from server.secret_files import secret_names, write_secret
from server.tables.renewal import mark_all
from server.upkeep import archive, postgres_tools
from server.upkeep.archive import Manifest, secret_beside
from server.upkeep.backup import Reach
from server.upkeep.inspection import look_at


def restore(reach: Reach, home: Path, source: Path) -> Manifest:
    """Bring a backup into an empty database and a home without keys.

    Every hand that was open is given up at the next start: its seeds may have been published since
    the backup was made. The keys come last; without them no server starts on what is half done.

    Errors: Fault if anything is there already, or the file is no whole backup.
    """
    if there := secret_names(home):
        raise Fault(f"{home / there[0]} is there already: restore into an empty PAKKA_HOME")
    with archive.opened(source) as backup:
        revision = backup.manifest.revision
        if not is_known(revision):
            raise Fault(
                f"{source} is of a later version: its schema {revision[:32]!r} is not known"
            )
        with reach() as url:
            found = look_at(url)
            if not found.is_empty:
                raise Fault("the database is not empty: restore into an empty one")
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
            with secret_beside(home / archive.DUMP) as dump:
                backup.copy_dump(dump)
                make_role(url)
                postgres_tools.restore(url, dump, major=found.major)
            with _undone_on_failure(url, home) as written:
                grant_to_role(url)
                migrate(url)
                asyncio.run(_go_on(url))
                for name, secret in sorted(backup.keys().items()):
                    write_secret(home, name, secret)
                    written.append(name)
        return backup.manifest


@contextmanager
def _undone_on_failure(url: str, home: Path) -> Iterator[list[str]]:
    """Take away again what was restored, and nothing else, if what follows does not succeed.

    Shape:  the caller lists the key files that it wrote.
    Errors: Fault if the database can't be emptied, on top of what went wrong.
    """
    written: list[str] = []
    try:
        yield written
    except BaseException as error:
        for name in written:
            (home / name).unlink()
        try:
            drop(url)
        except (SQLAlchemyError, OSError):
            raise Fault(f"{error}; the database is half restored: drop it") from error
        raise


async def _go_on(url: str) -> None:
    """Have the ledger's transactions go on above the old ones, and give the open hands up."""

    async def work(tx: Transaction) -> None:
        await continue_xids(tx)
        await mark_all(tx)

    database = Database(url, pool_size=1, role=None)
    try:
        await database.run(work)
    finally:
        await database.close()
