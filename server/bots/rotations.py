"""Rotations of a server's keys, as its public log has them."""

from collections.abc import Sequence
from dataclasses import dataclass

from server.fairness.entries import KeyRole
from server.fairness.logged import LogKeyed, read_entry


@dataclass(frozen=True, slots=True)
class Rotation:
    """A key that handed over to another one, and where the log says so."""

    index: int
    entry: bytes
    said: LogKeyed

    @property
    def holds(self) -> bool:
        """Tell whether the old key signed it; for the roles that have public keys."""
        return self.said.is_signed_by(self.said.old)


def rotation_of(index: object, entry: object) -> Rotation:
    """Read a rotation as the log's list has it. Errors: ValueError for another form."""
    if not isinstance(index, int) or isinstance(index, bool) or not isinstance(entry, str):
        raise ValueError("a rotation is an index and an entry")
    raw = bytes.fromhex(entry)
    said = read_entry(raw)
    if index < 0 or not isinstance(said, LogKeyed):
        raise ValueError("this entry is no rotation")
    return Rotation(index, raw, said)


def leads_to(rotations: Sequence[Rotation], role: KeyRole, first: bytes, last: bytes) -> bool:
    """Tell whether signed rotations lead from one key of a role to another, and no further."""
    key = first
    for one in rotations:
        if one.said.role is role and one.said.old == key and one.holds:
            key = one.said.new
    return key == last


def key_at(rotations: Sequence[Rotation], role: KeyRole, current: bytes, index: int) -> bytes:
    """Give the key of a role that was in force at an index of the log; `current` is it now."""
    key = current
    for one in reversed(rotations):
        if one.said.role is role and one.said.new == key and one.holds and index < one.index:
            key = one.said.old
    return key
