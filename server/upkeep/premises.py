"""A house's folder while a server uses it: made if there is none, its keys kept as they are."""

from contextlib import AsyncExitStack
from pathlib import Path

from server.database import Database
from server.errors import Fault
from server.upkeep import holding
from server.upkeep.key_files import demand_files
from server.upkeep.rotation import settle


def make_home(home: Path) -> None:
    """Make the house's folder. Errors: Fault."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Fault(f"PAKKA_HOME: {home} can't be made: {error.strerror}") from None


async def hold_keys(stack: AsyncExitStack, database: Database, home: Path) -> None:
    """Finish what became of a rotation that was interrupted; from here on keys stay as they are.

    Errors: Fault, before anything is made, if a key is missing that the house was played with.
    """
    await database.run(lambda tx: demand_files(tx, home))
    with holding.alone_if_free(home) as is_alone:
        if is_alone:
            await database.run(lambda tx: settle(tx, home))
    stack.enter_context(holding.beside_others(home))
