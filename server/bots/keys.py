"""The server's and the seats' signatures, as a client demands them."""

from server.bots.evidence import Cheated
from server.fairness.signing import is_signed


def demand_signed(
    pub: bytes, role: str, digest32: bytes, sig: bytes, *, check: int, what: str
) -> None:
    """Raise `Cheated(check)` unless `sig` is `pub`'s signature of a digest in a role."""
    if not is_signed(pub, role, digest32, sig):
        raise Cheated(check, f"the signature of {what} is not by the key that it should be")
