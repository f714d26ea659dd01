"""The files of a house's keys: whether all are there, and whether they are the house's own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sqlalchemy import text

from server.database import Transaction
from server.errors import Fault
from server.fairness import log
from server.fairness.entries import KeyRole
from server.fairness.keyring import Keyring, old_log_signers
from server.fairness.seal import SEALING_KEY_FILE, Sealer
from server.fairness.signing import LOG_KEY_FILE, SIGNING_KEY_FILE, LogSigner
from server.tables.clock import Clocks
from server.tables.keys import demand_keys
from server.tables.work import Parts

FILES: Final[Mapping[KeyRole, str]] = {
    KeyRole.SIGNING: SIGNING_KEY_FILE,
    KeyRole.LOG: LOG_KEY_FILE,
    KeyRole.SEALING: SEALING_KEY_FILE,
}


async def demand_files(tx: Transaction, home: Path) -> None:
    """Check that no key is missing that hands or the public log were made with. Nothing is made.

    Errors: Fault that names the file; a new key in its place would be a stranger's.
    """
    # asked first: whoever used the keys had made the files before
    if not await log.size(tx) and not (await tx.execute(_HAS_HANDS)).scalar_one():
        return
    for name in FILES.values():
        if not (home / name).exists():
            raise Fault(
                f"the file {home / name} is missing, and this house was played with it: restore it"
                " from the backup"
            )


async def demand_own(tx: Transaction, home: Path, *, origin: str) -> None:
    """Check the keys as the start does. Errors: Fault that names the wrong key's file."""
    keys = Keyring.from_folder(home)
    parts = Parts(
        signer=keys.current,
        old_signers=tuple(keys.old.values()),
        log_signer=LogSigner.from_file(home, origin),
        old_log_signers=old_log_signers(home, origin),
        sealer=Sealer.from_file(home),
        clocks=Clocks(),
    )
    await demand_keys(tx, parts)


_HAS_HANDS = text("select exists (select from tables.hand)")
