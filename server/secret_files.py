"""Secrets in files of PAKKA_HOME that nobody else may read: keys as bytes, tokens as text.

Each is made at the first start and belongs into the backup (fairdeal/1 section 7).
"""

import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from server.errors import Fault

BOT_TOKEN_FILE: Final = "bot.token"  # noqa: S105 - the name of a file
"""Who holds it may make marked bots: `Authorization: Bearer <its text>` at `POST /guests`."""

MODE: Final = 0o600
KEY_BYTES: Final = 32
TOKEN_BYTES: Final = 32
TOKEN_MAX_BYTES: Final = 256
SECRET_MAX_BYTES: Final = 4_096

_KEY_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.key")


def read_or_make_key(home: Path, name: str) -> bytes:
    """Read a key's file, 32 raw bytes, or make it; of several processes the first wins, whole.

    Errors: Fault if the file is readable by others, is no plain file, or has another size.
    """
    path = home / name
    key = _read_or_make(path, secrets.token_bytes(KEY_BYTES), at_most=KEY_BYTES)
    if len(key) != KEY_BYTES:
        raise Fault(f"the file {path} must hold {KEY_BYTES} bytes")
    return key


def old_file(name: str, digits: str) -> str:
    """Name the file of a key that was replaced: `signing.<digits>.key` for `signing.key`."""
    return name.replace(".key", f".{digits}.key")


def old_files(home: Path, name: str) -> list[str]:
    """List the files of the keys that the key of this name has replaced."""
    return sorted(path.name for path in home.glob(old_file(name, "*")))


def put_in_place(home: Path, name: str, *, fresh: str, old: str) -> None:
    """Keep a key's file under the name `old`, then let the file `fresh` take its place.

    Whatever it is interrupted by, one of both keys is in place, and it may be done again.

    Errors: Fault if the folder can't be written to.
    """
    try:
        with suppress(FileExistsError):
            os.link(home / name, home / old)
        sync_folder(home)
        (home / fresh).replace(home / name)
        sync_folder(home)
    except OSError as error:
        raise Fault(f"the file {home / name} can't be replaced: {error.strerror}") from None


def read_or_make_token(home: Path, name: str) -> str:
    """Read a token's file, one line of text that people pass on by hand, or make it.

    Errors: Fault as `read_or_make_key`.
    """
    path = home / name
    fresh = f"{secrets.token_urlsafe(TOKEN_BYTES)}\n".encode("ascii")
    text = _read_or_make(path, fresh, at_most=TOKEN_MAX_BYTES).decode("ascii", "replace").strip()
    if len(text) < TOKEN_BYTES:
        raise Fault(f"the file {path} holds no token")
    return text


def secret_names(home: Path) -> tuple[str, ...]:
    """List the secret files of a home, replaced keys too; none if there is no such folder."""
    if not home.is_dir():
        return ()
    return tuple(sorted(path.name for path in home.iterdir() if is_secret_name(path.name)))


def is_secret_name(name: str) -> bool:
    """Tell whether a file of PAKKA_HOME is a key or the bots' token by its name."""
    return name == BOT_TOKEN_FILE or _KEY_NAME.fullmatch(name) is not None


def read_secret(home: Path, name: str) -> bytes:
    """Read a secret file as it is.

    Errors: Fault if it isn't there, is readable by others, is no plain file, or is too large.
    """
    content = _read(home / name, SECRET_MAX_BYTES)
    if len(content) > SECRET_MAX_BYTES:
        raise Fault(f"the file {home / name} is no key: it has more than {SECRET_MAX_BYTES} bytes")
    return content


def write_secret(home: Path, name: str, content: bytes) -> None:
    """Write a secret file that isn't there yet, whole or not at all.

    Errors: Fault if there is one with another content, or it can't be written.
    """
    _make(home / name, content)
    if read_secret(home, name) != content:
        raise Fault(f"the file {home / name} is there already")


def sync_folder(directory: Path) -> None:
    """Have the disk know the names in a folder, not only the files' contents."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _read_or_make(path: Path, fresh: bytes, *, at_most: int) -> bytes:
    if not path.exists() and not path.is_symlink():
        _make(path, fresh)
    return _read(path, at_most)


def _make(path: Path, content: bytes) -> None:
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, MODE)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        # a link fails if the name is taken: the first of several processes wins, whole
        with suppress(FileExistsError):
            os.link(beside, path)
        sync_folder(path.parent)
    except OSError as error:
        raise Fault(f"the file {path} can't be made: {error.strerror}") from None
    finally:
        beside.unlink(missing_ok=True)


def _read(path: Path, at_most: int) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise Fault(f"the file {path} can't be read: {error.strerror}") from None
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise Fault(f"the file {path} is no plain file")
        if stat.S_IMODE(mode) != MODE:
            raise Fault(f"the file {path} must have mode 0600, not {stat.S_IMODE(mode):04o}")
        return os.read(handle, at_most + 1)
    finally:
        os.close(handle)
