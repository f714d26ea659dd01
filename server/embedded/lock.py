"""A lock on a folder, which the kernel gives back when its holder dies."""

import fcntl
import os
import time
from pathlib import Path
from typing import Final

from server.errors import Fault

POLL_S: Final = 0.05


class FolderLock:
    """The right to be a folder's only launcher."""

    def __init__(self, path: Path) -> None:
        """Name the lock's file; nothing is taken yet."""
        self._path = path
        self._descriptor: int | None = None

    def take(self, *, wait_s: float) -> None:
        """Take the lock, waiting at most `wait_s` seconds.

        Errors: Fault if another process still holds it.
        """
        deadline = time.monotonic() + wait_s
        while not self.try_take():
            if time.monotonic() > deadline:
                raise Fault(f"another process runs the server of {self._path.parent}")
            time.sleep(POLL_S)

    def try_take(self) -> bool:
        """Take the lock if nobody holds it."""
        self._descriptor = _locked(self._path, fcntl.LOCK_EX)
        return self._descriptor is not None

    def is_held(self) -> bool:
        """Tell whether some process holds the lock."""
        if not self._path.exists():
            return False
        descriptor = _locked(self._path, fcntl.LOCK_SH)
        if descriptor is None:
            return True
        os.close(descriptor)
        return False

    def give_back(self) -> None:
        """Let the next launcher have it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _locked(path: Path, kind: int) -> int | None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor
