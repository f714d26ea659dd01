"""The server's seeds: the one class that holds them, and how they rest in the database."""

import hmac
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from server.errors import Fault
from server.fairness.encoding import enc, hash32, mac, u8, u64
from server.secret_files import old_files, read_or_make_key

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

    __slots__ = ("_ciphers", "_keys", "_marking_keys", "name")

    def __init__(self, key: bytes, old: Sequence[bytes] = ()) -> None:
        """Take the 32-byte key, and those that it replaced: they open seals, and make none.

        Shape:  `name` tells keys apart and gives nothing of them away.
        Errors: ValueError for any other length.
        """
        keys = (key, *old)
        self._ciphers = tuple(AESGCM(hash32(one)) for one in keys)
        self._marking_keys = tuple(mac(one, "marking-key") for one in keys)
        self.name = mac(key, "key-name")
        self._keys = keys

    def with_new(self, key: bytes) -> "Sealer":
        """Give a sealer of another key, for which all keys of this one go on to open."""
        return Sealer(key, self._keys)

    @classmethod
    def from_file(cls, directory: Path, name: str = SEALING_KEY_FILE) -> "Sealer":
        """Load the key of a folder (`PAKKA_HOME`), made at the first start, and the old ones.

        Errors: Fault if a file has a wrong mode or size.
        """
        old = [read_or_make_key(directory, one) for one in old_files(directory, name)]
        return cls(read_or_make_key(directory, name), old)

    def seal(self, seed: Seed, *, table_id: UUID, hand_no: int, attempt: int) -> bytes:
        """Seal a seed: a fresh nonce, then the ciphertext with its tag."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        place = _place(table_id, hand_no, attempt)
        return nonce + self._ciphers[0].encrypt(nonce, seed.expose(), place)

    def unseal(self, sealed: bytes, *, table_id: UUID, hand_no: int, attempt: int) -> Seed:
        """Open a seal.

        Errors: Fault if it was made under another key or for another place, or has been changed.
        """
        nonce, rest = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        place = _place(table_id, hand_no, attempt)
        for cipher in self._ciphers:
            with suppress(InvalidTag, ValueError):
                return Seed(cipher.decrypt(nonce, rest, place))
        where = f"table {table_id}, hand {hand_no}, attempt {attempt}"
        raise Fault(f"the sealed seed of {where} does not open with this key")

    def mark(self, digest: bytes) -> bytes:
        """Derive what may be stored of a digest: equal for equal ones, and nobody can guess it.

        A command names a card that others may not know; its plain hash would give it away, because
        there are only a hundred cards to try.
        """
        return mac(self._marking_keys[0], "mark", digest)

    def old_marks(self, digest: bytes) -> tuple[bytes, ...]:
        """Derive what was stored of a digest under the keys that were replaced."""
        return tuple(mac(key, "mark", digest) for key in self._marking_keys[1:])

    def derive(self, purpose: str) -> bytes:
        """Derive a 32-byte key for another purpose; it tells nothing of the sealing key."""
        return HKDF(SHA256(), SEED_BYTES, None, purpose.encode()).derive(self._keys[0])

    def derive_old(self, purpose: str) -> tuple[bytes, ...]:
        """Derive what `derive` gave under the keys that were replaced."""
        return tuple(Sealer(key).derive(purpose) for key in self._keys[1:])

    def __repr__(self) -> str:
        return "<Sealer>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a sealing key is not to be pickled")


def _place(table_id: UUID, hand_no: int, attempt: int) -> bytes:
    return enc("sealed-seed", table_id.bytes, u64(hand_no), u8(attempt))
