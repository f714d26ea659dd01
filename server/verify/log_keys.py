"""The keys of a house as its public log hands them over, from the pinned ones on."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from server.fairness.encoding import ZERO_HASH
from server.fairness.entries import KeyRole
from server.fairness.logged import LogKeyed
from server.fairness.record import Hash


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysInForce:
    """The keys at a place in the log: public halves, and the sealing key's name once it is known.

    Shape: `log_pub` is None where the log's own key is not followed.
    """

    server_pub: bytes
    log_pub: bytes | None = None
    sealing: Hash = ZERO_HASH

    def why_not(self, rotation: LogKeyed) -> Iterator[str]:
        """Say what keeps a rotation from being one of the keys in force."""
        named = f"the rotation of the {rotation.role} key"
        old = self._of(rotation.role)
        if old is not None and rotation.old != old:
            yield f"{named} is from {rotation.old.hex()}, which is not in force"
        signer = rotation.old if rotation.role is KeyRole.LOG else self.server_pub
        if not rotation.is_signed_by(signer):
            yield f"{named} to {rotation.new.hex()} is not signed by the key that was in force"

    def after(self, rotation: LogKeyed) -> "KeysInForce":
        """Give the keys after a rotation that holds."""
        match rotation.role:
            case KeyRole.SIGNING:
                return replace(self, server_pub=rotation.new)
            case KeyRole.LOG:
                return replace(self, log_pub=rotation.new)
            case KeyRole.SEALING:
                return replace(self, sealing=rotation.new)
            case _:
                assert_never(rotation.role)

    def _of(self, role: KeyRole) -> bytes | None:
        match role:
            case KeyRole.SIGNING:
                return self.server_pub
            case KeyRole.LOG:
                return self.log_pub
            case KeyRole.SEALING:
                return None if self.sealing == ZERO_HASH else self.sealing
            case _:
                assert_never(role)
