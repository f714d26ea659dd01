"""Secrets in PAKKA_HOME that people pass on by hand, as text."""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from server.errors import Fault

BOT_TOKEN_FILE: Final = "bot.token"  # noqa: S105 - the name of a file
"""Who holds it may make marked bots: `Authorization: Bearer <its text>` at `POST /guests`."""

MODE: Final = 0o600
TOKEN_BYTES: Final = 32
TOKEN_MAX_BYTES: Final = 256


def read_or_make_token(home: Path, name: str) -> str:
    """Read a token's file, or make it at the first start; of several processes the first wins.

    Errors: Fault if others may read the file, or if it can't be read or made.
    """
    path = home / name
    try:
        if not path.exists():
            _make(path)
        return _read(path)
    except OSError as error:
        raise Fault(f"the file {path} can't be read or made: {error.strerror}") from None


def _make(path: Path) -> None:
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, MODE)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{secrets.token_urlsafe(TOKEN_BYTES)}\n")
        with suppress(FileExistsError):
            os.link(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def _read(path: Path) -> str:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(handle, "rb") as file:
        mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        if mode & 0o077:
            raise Fault(f"the file {path} must have mode 0600, not {mode:04o}")
        text = file.read(TOKEN_MAX_BYTES).decode("ascii", "replace").strip()
    if len(text) < TOKEN_BYTES:
        raise Fault(f"the file {path} holds no token")
    return text
