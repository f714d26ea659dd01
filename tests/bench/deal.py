"""A deal from pack to root: the order, the salts, the leaves and the tree of 106 cards.

Against the bare hashing (as many HMACs and SHA-256 of the same lengths, and nothing else), which no
program in this language can go below, and against `random.shuffle`, which proves nothing.
"""

import hashlib
import hmac
from random import Random
from time import process_time

from server.fairness.encoding import enc, u8, u16, u32
from server.fairness.shoe import Shoe, deal
from server.fairness.shuffle import deck_stream
from tests.bench.rounds import Row, Size, Skipped, alternating, in_words, middle

CARDS = 106
HASH = bytes(range(32))
KEY = b"k" * 32


def rows(size: Size) -> list[Row | Skipped]:
    """Measure a deal against both."""
    repeats = size.repeats * 5
    bare = Bare(CARDS)
    pack, chance = list(range(CARDS)), Random(1)

    def per_deal(work: object) -> float:
        assert callable(work)
        began = process_time()
        for _ in range(repeats):
            work()
        return (process_time() - began) / repeats

    found: list[Row | Skipped] = []
    for name, work, note in (
        ("bare hashing", bare.run, f"{bare.macs} HMAC and {bare.hashes} SHA-256: the limit"),
        ("random.shuffle", lambda: chance.shuffle(pack), "no secret, no proof"),
    ):
        pairs = alternating(lambda: per_deal(our_deal), lambda w=work: per_deal(w), size.rounds)  # type: ignore[misc]  # a default to bind it
        found.append(
            Row(
                name=f"deal: {name}",
                ours=f"{in_words(middle(mine for mine, _ in pairs))} a deal",
                against=in_words(middle(other for _, other in pairs)),
                ratios=[other / mine for mine, other in pairs],
                note=note,
            )
        )
    return found


def our_deal() -> Shoe:
    """Deal a pack for six."""
    return deal(KEY, hand=HASH, listing=HASH, entropy=HASH, epoch=0, numbers=range(CARDS))


class Bare:
    """As many hashes as a deal needs, each over as many bytes."""

    def __init__(self, cards: int) -> None:
        stream = deck_stream(KEY)
        for place in range(cards - 1, 0, -1):
            stream.below(place + 1)
        self._blocks = [enc("stream", u32(0))] * stream.blocks
        self._salts = [enc("salt", u16(0))] * cards
        self._keys = [enc("prk", HASH, u8(0), HASH), enc("deck-key"), enc("salt-key")]
        self._leaves = [b"\x00" + enc("card", HASH, u8(0), u16(0), u16(0), HASH)] * cards
        self._nodes = [b"\x01" + HASH + HASH] * (cards - 1)
        self._head = [enc("head", HASH, HASH, HASH, u8(0), u16(0), HASH)]
        self.macs = len(self._blocks) + len(self._salts) + len(self._keys)
        self.hashes = len(self._leaves) + len(self._nodes) + len(self._head)

    def run(self) -> None:
        """Hash."""
        for text in (*self._keys, *self._blocks, *self._salts):
            hmac.digest(KEY, text, "sha256")
        for text in (*self._leaves, *self._nodes, *self._head):
            hashlib.sha256(text).digest()
