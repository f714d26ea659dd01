"""Backup: one snapshot of the database, and the keys without which it is worth nothing."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from server.errors import Fault
from server.fairness.keyring import public_keys
from server.fairness.seal import SEALING_KEY_FILE
from server.fairness.signing import LOG_KEY_FILE, SIGNING_KEY_FILE
from server.secret_files import read_secret, secret_names
from server.upkeep import archive, postgres_tools
from server.upkeep.archive import Manifest, secret_beside
from server.upkeep.inspection import look_at
from server.upkeep.rotation import is_rotating

NEEDED: Final = (SIGNING_KEY_FILE, SEALING_KEY_FILE, LOG_KEY_FILE)

Reach = Callable[[], AbstractContextManager[str]]
"""Gives the database's address for a while, and may start the database for it."""


def back_up(reach: Reach, home: Path, target: Path) -> Manifest:
    """Write the database of a house, which may be running, and its keys to one file.

    Errors: Fault if the file is there already, a key is missing or another database's, or the keys
            changed meanwhile, or one is only half replaced.
    """
    archive.demand_absent(target)
    keys = _secrets_of(home)
    for name in NEEDED:
        if name not in keys:
            raise Fault(f"the file {home / name} is missing: a backup without it is worth nothing")
    with reach() as url, secret_beside(target) as dump:
        found = look_at(url)
        if found.revision is None:
            raise Fault("the database holds no house: there is nothing to back up")
        if found.sealed_by is not None and found.sealed_by not in public_keys(home):
            raise Fault(f"the keys in {home} are not those of this database")
        made_at = found.at.isoformat(timespec="seconds")
        postgres_tools.dump(url, dump, major=found.major)
        if _secrets_of(home) != keys:
            raise Fault("the keys were changed while the backup was made: make it again")
        return archive.write(target, dump, keys, revision=found.revision, made_at=made_at)


def _secrets_of(home: Path) -> dict[str, bytes]:
    if is_rotating(home):
        raise Fault(f"a key in {home} is being replaced: finish that, or start the server once")
    return {name: read_secret(home, name) for name in secret_names(home)}
