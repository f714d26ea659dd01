"""New keys for a house: in which order, so that whatever interrupts it leaves one that starts.

The new key is written beside the old one (`signing.key.new`); the public log hands over to it, in
one transaction; then it takes the old one's place. Whether that transaction has committed decides
what becomes of a key that lies beside: `settle` asks the log.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import text

from server.database import Database, Transaction
from server.errors import Fault
from server.fairness import rotations
from server.fairness.entries import HANDOVER_ROLE, KeyRole
from server.fairness.seal import Sealer
from server.fairness.signing import LogSigner, SigningKey
from server.identity import two_step
from server.identity.two_step import SecretBox
from server.secret_files import old_file, put_in_place, read_or_make_key
from server.upkeep.key_files import FILES, demand_files, demand_own

NEW: Final = ".new"
NAME_DIGITS: Final = 16
"""Hex digits of a replaced key's public half in the name of its file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotated:
    """A key that was replaced: public halves, or a sealing key's name; where the log says so."""

    role: KeyRole
    old: bytes
    new: bytes
    index: int
    seeds: int


async def rotate(database: Database, home: Path, role: KeyRole, *, origin: str) -> Rotated:
    """Replace a key. The caller holds the house alone (`holding.alone`).

    Errors: Fault if a server still holds a table, there is no key yet, or one of the three is not
            the house's own: the log would hand over from a stranger's key for good.
    """
    await database.run(lambda tx: demand_files(tx, home))
    for name in FILES.values():
        if not (home / name).exists():
            raise Fault(f"the file {home / name} is not there: keys are made at the first start")
    await database.run(lambda tx: settle(tx, home))
    await database.run(lambda tx: demand_own(tx, home, origin=origin))
    fresh = read_or_make_key(home, FILES[role] + NEW)
    rotated = await database.run(lambda tx: _hand_over(tx, home, role, fresh, origin))
    _put_in_place(home, role)
    return rotated


async def settle(tx: Transaction, home: Path) -> None:
    """Finish the rotations that were interrupted, or take them back, as the public log says.

    Errors: Fault if a file can't be read or replaced.
    """
    for role, name in FILES.items():
        beside = home / (name + NEW)
        if not beside.exists():
            continue
        public = name_of(role, read_or_make_key(home, name + NEW))
        if (await rotations.in_force(tx)).get(role) == public:
            _put_in_place(home, role)
        else:
            beside.unlink()


def is_rotating(home: Path) -> bool:
    """Tell whether a key lies beside the one that it is to replace."""
    return any((home / (name + NEW)).exists() for name in FILES.values())


def name_of(role: KeyRole, secret: bytes) -> bytes:
    """Derive what the log says of a key: its public half, or a sealing key's name."""
    return Sealer(secret).name if role is KeyRole.SEALING else SigningKey(secret).public


async def _hand_over(
    tx: Transaction, home: Path, role: KeyRole, fresh: bytes, origin: str
) -> Rotated:
    await _demand_nobody_serves(tx)
    old_secret = read_or_make_key(home, FILES[role])
    old, new = name_of(role, old_secret), name_of(role, fresh)
    seeds = 0
    if role is KeyRole.SEALING:
        others = Sealer.from_file(home)
        anew = others.with_new(fresh)
        await two_step.seal_anew(tx, SecretBox.of(anew))
        seeds = await rotations.seal_anew(tx, anew)  # the owner's from here on
    if role is KeyRole.LOG:
        sign = LogSigner(old_secret, origin).hand_over
    else:
        signer = SigningKey.from_file(home)

        def sign(digest32: bytes) -> bytes:
            return signer.sign(HANDOVER_ROLE, digest32)

    place = await rotations.append(tx, role, old=old, new=new, sign=sign)
    return Rotated(role=role, old=old, new=new, index=place.index, seeds=seeds)


def _put_in_place(home: Path, role: KeyRole) -> None:
    name = FILES[role]
    digits = name_of(role, read_or_make_key(home, name)).hex()[:NAME_DIGITS]
    put_in_place(home, name, fresh=name + NEW, old=old_file(name, digits))


async def _demand_nobody_serves(tx: Transaction) -> None:
    """A server on another machine has no lock in this folder, but it has leases."""
    if (await tx.execute(_SERVED)).scalar_one():
        raise Fault("a server holds tables of this house: stop it before its keys are changed")


_SERVED = text("select exists (select from tables.lease where expires_at > clock_timestamp())")
