"""What anyone can watch of the ledger's seals in the public log: one chain, signed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final

from server.fairness import ed25519
from server.fairness.encoding import ZERO_HASH, signed_bytes
from server.fairness.entries import SEAL_ROLE
from server.fairness.logged import LogSealed
from server.fairness.record import Hash
from server.fairness.shape import Whole

NUMBER_MAX: Final = 2**63 - 1

Number = Annotated[int, Whole(0, NUMBER_MAX)]


@dataclass(frozen=True, slots=True, kw_only=True)
class LastSeal:
    """The newest seal that the log has shown: what the next one must go on from."""

    seq: Number = 0
    xid_to: Number = 0
    hash: Hash = ZERO_HASH


NO_SEAL: Final = LastSeal()
"""Before the first one."""


def why_not_next(seal: LogSealed, last: LastSeal, server_pub: bytes) -> Iterator[str]:
    """Say what keeps a seal from being the next one of the chain, signed by the server's key."""
    if seal.seq != last.seq + 1:
        yield f"seal {seal.seq} comes after seal {last.seq}"
    if seal.prev_hash != last.hash:
        yield f"seal {seal.seq} holds the hash of another one before it"
    if seal.xid_from != last.xid_to or not seal.xid_from < seal.xid_to <= NUMBER_MAX:
        yield f"seal {seal.seq} does not begin where seal {last.seq} ended"
    entries, postings, holds, outcomes = seal.counts
    if not entries + holds + outcomes or postings < entries:
        yield f"seal {seal.seq} is over nothing, or over entries without postings"
    if seal.server_pub != server_pub:
        yield f"seal {seal.seq} is signed by {seal.server_pub.hex()}, not by the server's key"
    elif not ed25519.verify(server_pub, signed_bytes(SEAL_ROLE, seal.hash), seal.signature):
        yield f"the signature of seal {seal.seq} does not hold"


def last_of(seal: LogSealed) -> LastSeal:
    """Give what the next seal must go on from."""
    return LastSeal(
        seq=min(seal.seq, NUMBER_MAX), xid_to=min(seal.xid_to, NUMBER_MAX), hash=seal.hash
    )
