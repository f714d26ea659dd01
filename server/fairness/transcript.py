"""The transcript: one running hash over all that happens in a hand (fairdeal/1 section 3)."""

from server.fairness.encoding import digest, hash32, u32


def begin(hand: bytes, head: bytes) -> bytes:
    """Derive T_0 from the first deal's HEAD."""
    return digest("transcript", hash32(hand), hash32(head))


def extend(before: bytes, k: int, line: str) -> bytes:
    """Derive T_k from T_{k-1} and the event's line.

    Errors: UnicodeEncodeError if the line is not ASCII.
    """
    return digest("event", hash32(before), u32(k), line.encode("ascii"))


def reshuffled(before: bytes, k: int, head: bytes) -> bytes:
    """Derive T_k from T_{k-1} and the HEAD of the new epoch; `k` is the reshuffle's own number."""
    return digest("reshuffled", hash32(before), u32(k), hash32(head))


def digest_to_sign(hand: bytes, k: int, value: bytes) -> bytes:
    """Derive the digest that the server signs with each event (role `event`)."""
    return digest("T", hash32(hand), u32(k), hash32(value))
