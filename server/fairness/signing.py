"""Signatures of the server, and the check of a seat's (fairdeal/1 section 2)."""

from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from server.fairness.checkpoint import Checkpoint, sign_checkpoint
from server.fairness.ed25519 import is_acceptable_key
from server.fairness.encoding import hash32, signed_bytes
from server.fairness.entries import HANDOVER_ROLE
from server.fairness.note import NoteKey, is_name
from server.secret_files import read_or_make_key

SIGNING_KEY_FILE = "signing.key"
LOG_KEY_FILE = "log.key"

__all__ = [
    "LOG_KEY_FILE",
    "SIGNING_KEY_FILE",
    "LogSigner",
    "SigningKey",
    "is_acceptable_key",
    "is_signed",
]


class SigningKey:
    """A secret Ed25519 key: it signs, and shows nothing but its public half."""

    __slots__ = ("_private", "public")

    def __init__(self, secret: bytes) -> None:
        """Take the 32 secret bytes. Errors: ValueError for any other length."""
        self._private = Ed25519PrivateKey.from_private_bytes(hash32(secret))
        self.public = self._private.public_key().public_bytes_raw()

    @classmethod
    def from_file(cls, directory: Path, name: str = SIGNING_KEY_FILE) -> "SigningKey":
        """Load the key of a folder (`PAKKA_HOME`), made at the first start.

        Errors: Fault if the file has a wrong mode or size.
        """
        return cls(read_or_make_key(directory, name))

    def sign(self, role: str, digest32: bytes) -> bytes:
        """Sign a digest in a role: 64 bytes over `enc("sig", role, digest)`.

        Errors: ValueError if the digest is not 32 bytes.
        """
        return self._private.sign(signed_bytes(role, digest32))

    def __repr__(self) -> str:
        return f"<SigningKey {self.public.hex()}>"

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("a signing key is not to be pickled")


class LogSigner:
    """The public log's own secret key: it signs checkpoints of one origin, and its own rotation."""

    __slots__ = ("_private", "key")

    def __init__(self, secret: bytes, origin: str) -> None:
        """Take the 32 secret bytes. Errors: ValueError for another length or a bad origin."""
        if not is_name(origin):
            raise ValueError("an origin is printable ASCII without spaces and plus signs")
        self._private = Ed25519PrivateKey.from_private_bytes(hash32(secret))
        self.key = NoteKey(origin, self._private.public_key().public_bytes_raw())

    @classmethod
    def from_file(cls, directory: Path, origin: str, name: str = LOG_KEY_FILE) -> "LogSigner":
        """Load the key of a folder (`PAKKA_HOME`), made at the first start.

        Errors: Fault if the file has a wrong mode or size; ValueError for a bad origin.
        """
        return cls(read_or_make_key(directory, name), origin)

    def checkpoint(self, *, size: int, root: bytes) -> str:
        """Sign what the log is at a size. Errors: ValueError for size 0."""
        return sign_checkpoint(Checkpoint(self.key.name, size, root), self.key, self._private.sign)

    def hand_over(self, digest32: bytes) -> bytes:
        """Sign the digest of a rotation to another key; no note can have the signed bytes."""
        return self._private.sign(signed_bytes(HANDOVER_ROLE, digest32))

    def __repr__(self) -> str:
        return f"<LogSigner {self.key.vkey}>"

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("a log's key is not to be pickled")


def is_signed(public: bytes, role: str, digest32: bytes, signature: bytes) -> bool:
    """Tell whether a key has signed the digest in that role; the fast check, for a running server.

    A key of small order, "no key" among them, has signed nothing. A key is to be checked by
    `is_acceptable_key` once, when it is first shown; here it is checked again.
    """
    if not is_acceptable_key(public):
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(public)
        key.verify(signature, signed_bytes(role, digest32))
    except InvalidSignature:
        return False
    return True
