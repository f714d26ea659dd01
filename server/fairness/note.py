"""Signed notes as C2SP has them: a text, an empty line, and a line for each signature.

A key has a name; people pass both on as one `vkey`, `name+id+key`, and pin that.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from server.fairness.ed25519 import is_acceptable_key, verify
from server.fairness.encoding import HASH_BYTES

NOTE_MAX: Final = 4_096
"""Bytes of a note; a checkpoint of ours has about 250."""

SIGNATURES_MAX: Final = 16
ED25519: Final = b"\x01"
KEY_ID_BYTES: Final = 4
SIGNATURE_BYTES: Final = 64

_DASH = "\u2014"
_NAME = re.compile(r"[!-*,-~]{1,200}")  # printable ASCII without a space or a plus sign
_UNFIT = re.compile(r"[\x00-\x09\x0b-\x1f\ud800-\udfff]")


class RefusedNote(ValueError):
    """A note or a key that is not accepted; `code` is stable."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text


@dataclass(frozen=True, slots=True)
class NoteKey:
    """The public half of a key that signs notes, with its name."""

    name: str
    public: bytes

    @property
    def key_id(self) -> bytes:
        """Derive the four bytes that stand before each of the key's signatures."""
        named = self.name.encode("ascii") + b"\n" + ED25519 + self.public
        return hashlib.sha256(named).digest()[:KEY_ID_BYTES]

    @property
    def vkey(self) -> str:
        """Write the key as people pass it on."""
        return f"{self.name}+{self.key_id.hex()}+{encoded(ED25519 + self.public)}"


def is_name(text: str) -> bool:
    """Tell whether a text may name a key."""
    return _NAME.fullmatch(text) is not None


def key_of(vkey: str) -> NoteKey:
    """Read a `vkey`.

    Errors: RefusedNote `bad_vkey` for another form, another algorithm, an id that is not the key's,
            or a key of small order, which would verify forgeries.
    """
    parts = vkey.split("+", 2)
    if len(parts) != 3 or not is_name(parts[0]):
        raise RefusedNote("bad_vkey", "a log's key is written name+id+key")
    raw = decoded(parts[2], "bad_vkey")
    if len(raw) != 1 + HASH_BYTES or raw[:1] != ED25519:
        raise RefusedNote("bad_vkey", "a log's key is one of Ed25519")
    key = NoteKey(parts[0], raw[1:])
    if key.key_id.hex() != parts[1]:
        raise RefusedNote("bad_vkey", "the id is not that of the key")
    if not is_acceptable_key(key.public):
        raise RefusedNote("bad_vkey", "this key would verify forgeries")
    return key


def sign_note(text: str, key: NoteKey, sign: Callable[[bytes], bytes]) -> str:
    """Write a signed note.

    Shape:  `text` ends with a line feed; `sign` signs raw bytes with the key's secret half.
    Errors: ValueError for a text without its last line feed, or a name that can't be one.
    """
    if not text.endswith("\n") or not is_name(key.name):
        raise ValueError("a note is whole lines, signed by a key with a name")
    stamp = encoded(key.key_id + sign(text.encode("utf-8")))
    return f"{text}\n{_DASH} {key.name} {stamp}\n"


def text_of(note: str) -> str:
    """Read a note's text without any look at who signed it.

    Errors: RefusedNote `bad_note`.
    """
    return _parts_of(note)[0]


def open_note(note: str, key: NoteKey) -> str:
    """Read a note that `key` has signed: its text. Signatures of others are passed over.

    Errors: RefusedNote `bad_note` for another form, `not_signed` if the key has not signed it,
            `bad_signature` if a line says that it has and that does not hold.
    """
    text, lines = _parts_of(note)
    stamps = [stamp for name, stamp in lines if (name, stamp[:KEY_ID_BYTES]) == _mark_of(key)]
    if not stamps:
        raise RefusedNote("not_signed", "the pinned key has not signed this")
    message = text.encode("utf-8")
    if not all(verify(key.public, message, stamp[KEY_ID_BYTES:]) for stamp in stamps):
        raise RefusedNote("bad_signature", "the signature does not hold")
    return text


def _mark_of(key: NoteKey) -> tuple[str, bytes]:
    return key.name, key.key_id


def _parts_of(note: str) -> tuple[str, list[tuple[str, bytes]]]:
    """Take a note apart: its text, and (name, id and signature) of each line."""
    if len(note) > NOTE_MAX or len(note.encode("utf-8", "replace")) > NOTE_MAX:
        raise RefusedNote("bad_note", f"a note has at most {NOTE_MAX} bytes")
    if _UNFIT.search(note):
        raise RefusedNote("bad_note", "a note has no control characters")
    text, gap, signatures = note.rpartition("\n\n")
    if not gap or not signatures.endswith("\n"):
        raise RefusedNote("bad_note", "a note is a text, an empty line and signatures")
    lines = signatures[:-1].split("\n")
    if len(lines) > SIGNATURES_MAX:
        raise RefusedNote("bad_note", f"a note has at most {SIGNATURES_MAX} signatures")
    return text + "\n", [_signature_of(line) for line in lines]


def _signature_of(line: str) -> tuple[str, bytes]:
    parts = line.split(" ")
    if len(parts) != 3 or parts[0] != _DASH or not parts[1] or "+" in parts[1]:
        raise RefusedNote("bad_note", "a signature is a dash, a name and its bytes")
    stamp = decoded(parts[2], "bad_note")
    if len(stamp) <= KEY_ID_BYTES:
        raise RefusedNote("bad_note", "a signature has more bytes than its key's id")
    return parts[1], stamp


def encoded(value: bytes) -> str:
    """Write bytes as base64."""
    return base64.b64encode(value).decode("ascii")


def decoded(text: str, code: str) -> bytes:
    """Read base64 in its one canonical form. Errors: RefusedNote with this code."""
    try:
        value = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise RefusedNote(code, "not base64") from None
    if encoded(value) != text:
        raise RefusedNote(code, "not the canonical base64")
    return value
