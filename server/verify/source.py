"""Where a record comes from: a file, standard input or an address; never more than its limit."""

import sys
import urllib.request
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Final

from server.fairness.canonical import BYTES_MAX
from server.fairness.note import NoteKey, RefusedNote
from server.fairness.note import key_of as note_key_of

FETCH_TIMEOUT_S: Final = 10
SHOWN_MAX: Final = 150
"""Characters of a source, and of what is wrong with it, that a complaint repeats."""


class Unreadable(Exception):
    """Input that can't be read at all; one line says what and why."""


def read_source(source: str) -> bytes:
    """Read a record from a path, `-` or an http(s) address.

    Shape:  one byte beyond the limit is read, so that what is too large is refused as such.
    Errors: Unreadable.
    """
    try:
        if source == "-":
            if sys.stdin is None:
                raise ValueError("standard input is closed")
            return sys.stdin.buffer.read(BYTES_MAX + 1)
        if source.startswith(("http://", "https://")):
            return _fetch(source)
        with Path(source).open("rb") as file:
            return file.read(BYTES_MAX + 1)
    except (OSError, ValueError, OverflowError, HTTPException) as error:
        raise Unreadable(f"{_line(source)} can't be read: {_line(_reason(error))}") from None


def _fetch(url: str) -> bytes:
    request = urllib.request.Request(url)  # noqa: S310  the scheme is one of two
    with urllib.request.urlopen(request, timeout=FETCH_TIMEOUT_S) as answer:  # noqa: S310  as above
        if not isinstance(answer, HTTPResponse):
            raise ValueError("it leads away from HTTP")
        data = answer.read(BYTES_MAX + 1)
        # a read with a limit says nothing of an end that came too soon
        if answer.length and len(data) <= BYTES_MAX:
            raise ValueError("the answer was cut short")
        return data


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
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__


def _line(text: str) -> str:
    """Make what a server or a caller wrote fit for one line of a terminal."""
    shown = "".join(each if each.isprintable() else " " for each in text)
    return " ".join(shown.split())[:SHOWN_MAX]
