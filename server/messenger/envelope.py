"""The encryption of all that crosses Redis: bodies, and the names of topics and processes.

A body is sealed with AES-256-GCM for the place it goes to, so that it opens nowhere else. Each
process seals with a key of its own start, derived from the house's by a random salt that goes
along; its nonces are counted, so none comes twice however many messages there are. Channels are
named by a keyed hash: two houses on one Redis never meet.

Who holds Redis still sees who sends when and how much, may keep messages back, and may bring one
again at its own place: facts carry their numbers and commands their ids for that.
"""

import hmac
import secrets
from collections import OrderedDict
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

VERSION: Final = b"\x01"
SALT_BYTES: Final = 16
NONCE_BYTES: Final = 12
TAG_BYTES: Final = 16
HEAD_BYTES: Final = len(VERSION) + SALT_BYTES + NONCE_BYTES
KEY_BYTES: Final = 32
NAME_BYTES: Final = 16
SENDERS_MAX: Final = 64
"""Keys of other processes that are kept at hand; any other is derived again."""


class Unreadable(Exception):
    """A message that was not sealed by this house for this place, or has been changed."""


class Envelope:
    """Seals for one process, and opens what any process of the house has sealed."""

    def __init__(self, key: bytes) -> None:
        """Take the 32 bytes that all processes of the house have. Errors: ValueError."""
        if len(key) != KEY_BYTES:
            raise ValueError(f"the messenger's key has {KEY_BYTES} bytes")
        self._key = key
        self._name_key = _derive(key, "names")
        self._salt = secrets.token_bytes(SALT_BYTES)
        self._cipher = self._cipher_of(self._salt)
        self._sealed = 0
        self._others: OrderedDict[bytes, AESGCM] = OrderedDict()

    def channel_of(self, kind: str, name: str) -> bytes:
        """Name the channel of a topic or of a process."""
        digest = hmac.digest(self._name_key, _joined(kind, name), "sha256")
        return b"pakka:" + digest[:NAME_BYTES].hex().encode()

    def seal(self, body: bytes, kind: str, name: str) -> bytes:
        """Seal a body for a topic or a process."""
        nonce = self._sealed.to_bytes(NONCE_BYTES, "big")
        self._sealed += 1
        place = VERSION + _joined(kind, name)
        return VERSION + self._salt + nonce + self._cipher.encrypt(nonce, body, place)

    def open(self, frame: bytes, kind: str, name: str) -> bytes:
        """Give the body that was sealed for this place. Errors: Unreadable."""
        if len(frame) < HEAD_BYTES + TAG_BYTES or frame[:1] != VERSION:
            raise Unreadable
        salt, nonce = frame[1 : 1 + SALT_BYTES], frame[1 + SALT_BYTES : HEAD_BYTES]
        cipher = self._others.get(salt) or self._cipher_of(salt)
        try:
            body = cipher.decrypt(nonce, frame[HEAD_BYTES:], VERSION + _joined(kind, name))
        except InvalidTag:
            raise Unreadable from None
        self._keep(salt, cipher)  # only now: a stranger's salts must not push out the house's own
        return body

    def __repr__(self) -> str:
        return "<Envelope>"

    def _cipher_of(self, salt: bytes) -> AESGCM:
        return AESGCM(_derive(self._key, "bodies", salt))

    def _keep(self, salt: bytes, cipher: AESGCM) -> None:
        self._others[salt] = cipher
        self._others.move_to_end(salt)
        if len(self._others) > SENDERS_MAX:
            self._others.popitem(last=False)


def _derive(key: bytes, purpose: str, salt: bytes | None = None) -> bytes:
    info = f"pakka/messenger/1/{purpose}".encode()
    return HKDF(SHA256(), KEY_BYTES, salt, info).derive(key)


def _joined(*parts: str) -> bytes:
    """Join texts so that no other ones give the same bytes."""
    raw = [part.encode() for part in parts]
    return b"".join(len(one).to_bytes(4, "big") + one for one in raw)
