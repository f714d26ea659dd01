"""Where a record comes from: a file, standard input or an address; never more than its limit."""

import sys
import urllib.request
from pathlib import Path
from typing import BinaryIO, Final, cast

from server.fairness.canonical import BYTES_MAX
from server.fairness.note import NoteKey, RefusedNote
from server.fairness.note import key_of as note_key_of

FETCH_TIMEOUT_S: Final = 10


class Unreadable(Exception):
    """Input that can't be read at all; one line says what and why."""


def read_source(source: str) -> bytes:
    """Read a record from a path, `-` or an http(s) address.

    Shape:  one byte beyond the limit is read, so that what is too large is refused as such.
    Errors: Unreadable.
    """
    try:
        if source == "-":
            return sys.stdin.buffer.read(BYTES_MAX + 1)
        if source.startswith(("http://", "https://")):
            request = urllib.request.Request(source)  # noqa: S310  the scheme is one of two
            with urllib.request.urlopen(request, timeout=FETCH_TIMEOUT_S) as answer:  # noqa: S310  as above
                return cast("BinaryIO", answer).read(BYTES_MAX + 1)
        with Path(source).open("rb") as file:
            return file.read(BYTES_MAX + 1)
    except (OSError, ValueError) as error:
        raise Unreadable(f"{source} can't be read: {_reason(error)}") from None


def key_of(text: str) -> bytes:
    """Read a pinned key. Errors: Unreadable unless it is 64 hex digits."""
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != 32 or len(text) != 64:
        raise Unreadable("--server-key must be 64 hex digits")
    return key


def log_key_of(text: str) -> NoteKey:
    """Read the log's pinned key. Errors: Unreadable unless it is a `vkey` of Ed25519."""
    try:
        return note_key_of(text)
    except RefusedNote as refused:
        raise Unreadable(f"--log-key: {refused.text}") from None


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)
