"""From a pseudo-random key to an order of cards: rejection, then Fisher-Yates."""

from collections.abc import Iterator, Sequence

from server.fairness.encoding import mac, u8, u16, u32

WORD_RANGE = 1 << 16
_WORD_BYTES = 2


class Stream:
    """Numbers without bias, read from a keyed stream of 16-bit words.

    Units:  `blocks` are HMAC blocks of 16 words made so far, `rejected` are words thrown away.
    Source: fairdeal/1 section 3 ("words", "below").
    """

    __slots__ = ("_words", "blocks", "rejected")

    def __init__(self, key: bytes) -> None:
        self.blocks = 0
        self.rejected = 0
        self._words = self._read(key)

    def below(self, modulus: int) -> int:
        """Take the next number from 0 to `modulus - 1`, each as likely as the other.

        Errors: ValueError unless 1 <= modulus <= 65536.
        """
        if not 1 <= modulus <= WORD_RANGE:
            raise ValueError(f"modulus {modulus} is outside 1..{WORD_RANGE}")
        limit = WORD_RANGE - WORD_RANGE % modulus
        while (word := next(self._words)) >= limit:
            self.rejected += 1
        return word % modulus

    def _read(self, key: bytes) -> Iterator[int]:
        while True:
            block = mac(key, "stream", u32(self.blocks))
            self.blocks += 1
            for at in range(0, len(block), _WORD_BYTES):
                yield int.from_bytes(block[at : at + _WORD_BYTES], "big")


def prk_of(seed: bytes, *, hand: bytes, epoch: int, entropy: bytes) -> bytes:
    """Derive the key of one epoch's shuffle from the server's seed and everybody's entropy.

    Source: fairdeal/1 section 3 (`PRK`, `PRK_e`).
    """
    return mac(seed, "prk", hand, u8(epoch), entropy)


def deck_stream(prk: bytes) -> Stream:
    """Open the stream that orders the cards. Source: fairdeal/1 section 3 ("words")."""
    return Stream(mac(prk, "deck-key"))


def shuffled(numbers: Sequence[int], prk: bytes) -> list[int]:
    """Order card numbers by Fisher-Yates, from the last place down; a card may stay in place.

    Source: fairdeal/1 section 3 (`pack`).
    """
    pack, stream = list(numbers), deck_stream(prk)
    for place in range(len(pack) - 1, 0, -1):
        other = stream.below(place + 1)
        pack[place], pack[other] = pack[other], pack[place]
    return pack


def toss(prk: bytes, moduli: Sequence[int]) -> tuple[int, ...]:
    """Draw the toss's numbers, one below each modulus, all from one stream.

    Source: fairdeal/1 section 3 (`toss`).
    """
    stream = Stream(mac(prk, "toss-key"))
    return tuple(stream.below(modulus) for modulus in moduli)


def salt(prk: bytes, position: int) -> bytes:
    """Derive the salt that hides the card at one position.

    Source: fairdeal/1 section 3 (`salt_p`).
    """
    return salts(prk, (position,))[0]


def salts(prk: bytes, positions: Sequence[int]) -> tuple[bytes, ...]:
    """Derive the salts of several positions; their common key is made once."""
    key = mac(prk, "salt-key")
    return tuple(mac(key, "salt", u16(position)) for position in positions)
