"""Secret keys in files that nobody else may read (fairdeal/1 section 7)."""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from server.errors import Fault

KEY_BYTES = 32
MODE = 0o600


def load_or_create(directory: Path, name: str) -> bytes:
    """Read the key file `name`, or make it at the first start.

    Shape:  32 raw bytes in a file of mode 0600; several processes may start at once, and all read
            the same key.
    Errors: Fault if the file is readable by others, is no plain file, or has another size.
    """
    path = directory / name
    if not path.exists() and not path.is_symlink():
        _create(path)
    return _load(path)


def _create(path: Path) -> None:
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, MODE)
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        # a link fails if the name is taken: the first of several processes wins, whole
        with suppress(FileExistsError):
            os.link(fresh, path)
        _sync(path.parent)
    except OSError as error:
        raise Fault(f"the key file {path} can't be made: {error.strerror}") from None
    finally:
        fresh.unlink(missing_ok=True)


def _load(path: Path) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise Fault(f"the key file {path} can't be read: {error.strerror}") from None
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise Fault(f"the key file {path} is no plain file")
        if stat.S_IMODE(mode) != MODE:
            raise Fault(f"the key file {path} must have mode 0600, not {stat.S_IMODE(mode):04o}")
        key = os.read(handle, KEY_BYTES + 1)
    finally:
        os.close(handle)
    if len(key) != KEY_BYTES:
        raise Fault(f"the key file {path} must hold {KEY_BYTES} bytes")
    return key


def _sync(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
