"""What the tests ask a house's database."""

import time
from pathlib import Path

from server.database import Database
from server.fairness.keyring import public_keys
from server.ledger.audit import Invariant
from server.sealing.check import check_all
from tests.embedded.conftest import value_of

PLAY_S = 90


async def broken(url: str, home: Path) -> list[Invariant]:
    """Check the ledger and its seals, by the keys of a home; give what does not hold."""
    database = Database(url, pool_size=1)
    try:
        found = await database.run(lambda tx: check_all(tx, public_keys(home)))
        return [one for one in found if not one.holds]
    finally:
        await database.close()


def number(url: str, query: str) -> int:
    """Ask for a number."""
    return int(str(value_of(url, query)))


def ids(url: str, query: str) -> list[int]:
    """Ask for `hand_id`s, in order."""
    found = value_of(
        url, f"select coalesce(array_agg(hand_id order by hand_id), '{{}}') from ({query}) q"
    )
    assert isinstance(found, list)
    return found


def until(url: str, query: str, *, least: int) -> int:
    """Wait until a query counts enough."""
    deadline = time.monotonic() + PLAY_S
    while (count := number(url, query)) < least:
        assert time.monotonic() < deadline, query
        time.sleep(0.1)
    return count
