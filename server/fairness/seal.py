"""The server's seeds: the one class that holds them, and how they rest in the database."""

import hmac
import secrets
from pathlib import Path
from typing import NoReturn
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from server.errors import Fault
from server.fairness.encoding import enc, hash32, mac, u8, u64
from server.secret_files import read_or_make_key

SEALING_KEY_FILE = "sealing.key"
SEED_BYTES = 32
_NONCE_BYTES = 12


class Seed:
    """S of one attempt. Nothing prints, pickles, hashes or serialises it; `expose` is searched for.

    Source: fairdeal/1 section 7.
    """

    __slots__ = ("__secret",)

    def __init__(self, secret: bytes) -> None:
        """Take the 32 bytes. Errors: ValueError for any other length."""
        self.__secret = hash32(secret)

    @classmethod
    def fresh(cls) -> "Seed":
        """Draw a seed from the operating system's generator."""
        return cls(secrets.token_bytes(SEED_BYTES))

    def expose(self) -> bytes:
        """Give the bytes, to derive a shoe from, or to publish them after the final commit."""
        return self.__secret

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Seed):
            return NotImplemented
        return hmac.compare_digest(self.__secret, other.__secret)

    __hash__ = None  # type: ignore[assignment]  # a seed is no key of a dict or a cache

    def __repr__(self) -> str:
        return "<Seed>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a seed is not to be pickled")


class Sealer:
    """Seals seeds with AES-256-GCM; a seal opens for its own (table, hand_no, attempt) alone."""

    __slots__ = ("_cipher", "_marking_key")

    def __init__(self, key: bytes) -> None:
        """Take the 32-byte key. Errors: ValueError for any other length."""
        self._cipher = AESGCM(hash32(key))
        self._marking_key = mac(key, "marking-key")

    @classmethod
    def from_file(cls, directory: Path, name: str = SEALING_KEY_FILE) -> "Sealer":
        """Load the key of a folder (`PAKKA_HOME`), made at the first start.

        Errors: Fault if the file has a wrong mode or size.
        """
        return cls(read_or_make_key(directory, name))

    def seal(self, seed: Seed, *, table_id: UUID, hand_no: int, attempt: int) -> bytes:
        """Seal a seed: a fresh nonce, then the ciphertext with its tag."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        place = _place(table_id, hand_no, attempt)
        return nonce + self._cipher.encrypt(nonce, seed.expose(), place)

    def unseal(self, sealed: bytes, *, table_id: UUID, hand_no: int, attempt: int) -> Seed:
        """Open a seal.

        Errors: Fault if it was made under another key or for another place, or has been changed.
        """
        nonce, rest = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            return Seed(self._cipher.decrypt(nonce, rest, _place(table_id, hand_no, attempt)))
        except (InvalidTag, ValueError):
            where = f"table {table_id}, hand {hand_no}, attempt {attempt}"
            raise Fault(f"the sealed seed of {where} does not open with this key") from None

    def mark(self, digest: bytes) -> bytes:
        """Derive what may be stored of a digest: equal for equal ones, and nobody can guess it.

        A command names a card that others may not know; its plain hash would give it away, because
        there are only a hundred cards to try.
        """
        return mac(self._marking_key, "mark", digest)

    def __repr__(self) -> str:
        return "<Sealer>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a sealing key is not to be pickled")


def _place(table_id: UUID, hand_no: int, attempt: int) -> bytes:
    return enc("sealed-seed", table_id.bytes, u64(hand_no), u8(attempt))
