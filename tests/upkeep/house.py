"""What the tests ask a house's database, and what they do to its backup."""

import hashlib
import json
import tarfile
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from server.database import Database
from server.fairness.keyring import public_keys
from server.ledger.audit import Invariant
from server.sealing.check import check_all
from server.upkeep import archive
from server.upkeep.backup import Reach
from tests.embedded.conftest import value_of

PLAY_S = 90
KEYS = ("log.key", "sealing.key", "signing.0123456789abcdef.key", "signing.key")


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


def at(url: str) -> Reach:
    def reach() -> AbstractContextManager[str]:
        return nullcontext(url)

    return reach


def nowhere() -> AbstractContextManager[str]:
    raise AssertionError("the database is not needed to see that")


def members(file: Path) -> dict[str, bytes]:
    with tarfile.open(file) as tar:
        found = {}
        for one in tar:
            member = tar.extractfile(one)
            assert member is not None
            found[one.name] = member.read()
        return found


def remade(file: Path, parts: dict[str, bytes]) -> Path:
    """Write an archive whose sums hold, whatever its members are."""
    about = json.loads(parts.pop("manifest.json"))
    about["files"] = {name: hashlib.sha256(body).hexdigest() for name, body in parts.items()}
    made = file.with_name("remade")
    with tarfile.open(made, "w") as tar:
        archive.add(tar, "manifest.json", json.dumps(about).encode())
        for name, content in parts.items():
            archive.add(tar, name, content)
    return made
