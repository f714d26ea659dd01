"""Checkpoints of the public log: C2SP `tlog-checkpoint` notes (fairdeal/1 section 4).

A checkpoint is a signed note of three lines: the log's origin, its size, its root. It is signed
by a key that the log has for itself, whose name is the origin.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from server.fairness.encoding import HASH_BYTES
from server.fairness.note import (
    NoteKey,
    RefusedNote,
    decoded,
    encoded,
    is_name,
    open_note,
    sign_note,
    text_of,
)

SIZE_MAX: Final = 2**63 - 1

_SIZE = re.compile(r"[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The log as it stood: `root` is the RFC 6962 tree head over its first `size` entries."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """Write the three lines that are signed.

        Errors: ValueError if the origin can't be a key's name, or size or root are out of range.
        """
        if not is_name(self.origin):
            raise ValueError("an origin is printable ASCII without spaces and plus signs")
        if not 0 < self.size <= SIZE_MAX or len(self.root) != HASH_BYTES:
            raise ValueError("a checkpoint has a size above 0 and a root of 32 bytes")
        return f"{self.origin}\n{self.size}\n{encoded(self.root)}\n"


def sign_checkpoint(checkpoint: Checkpoint, key: NoteKey, sign: Callable[[bytes], bytes]) -> str:
    """Write a checkpoint as a signed note. `sign` signs raw bytes with the log's key.

    Errors: ValueError if the key is another log's.
    """
    if key.name != checkpoint.origin:
        raise ValueError("a log's key has its origin as name")
    return sign_note(checkpoint.text(), key, sign)


def read_checkpoint(note: str, key: NoteKey) -> Checkpoint:
    """Read a checkpoint that the log's pinned key has signed.

    Errors: RefusedNote `bad_note` for another form, `other_origin` for another log's, and
            `not_signed` or `bad_signature` as `open_note`.
    """
    checkpoint = unproved_checkpoint(note)
    if checkpoint.origin != key.name:
        raise RefusedNote("other_origin", "the checkpoint is another log's")
    open_note(note, key)
    return checkpoint


def unproved_checkpoint(note: str) -> Checkpoint:
    """Read what a checkpoint says, for where no key is known: nothing proves it.

    Errors: RefusedNote `bad_note`.
    """
    lines = text_of(note).split("\n")
    if len(lines) != 4 or lines[3]:
        raise RefusedNote("bad_note", "a checkpoint has three lines")
    origin, size, root = lines[:3]
    if not is_name(origin):
        raise RefusedNote("bad_note", "the first line must be an origin")
    if _SIZE.fullmatch(size) is None or int(size) > SIZE_MAX:
        raise RefusedNote("bad_note", "the size must be a decimal number above 0")
    head = decoded(root, "bad_note")
    if len(head) != HASH_BYTES:
        raise RefusedNote("bad_note", "the root must be 32 bytes")
    return Checkpoint(origin, int(size), head)
