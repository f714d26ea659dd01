"""Who holds a house's folder: any number of servers, or one command that changes its keys."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from server.errors import Fault

LOCK_FILE: Final = ".keys.lock"
MODE: Final = 0o600
BESIDE_MAX_S: Final = 5
"""A server that starts holds its house alone for a moment, a command on keys for longer."""

LOOK_S: Final = 0.05


@contextmanager
def alone(home: Path) -> Iterator[None]:
    """Hold a house alone. Errors: Fault if a server runs on it, or another command holds it."""
    with _held(home, fcntl.LOCK_EX) as is_ours:
        if not is_ours:
            raise Fault(f"a server runs in {home}, or its keys are changed: stop it first")
        yield


@contextmanager
def alone_if_free(home: Path) -> Iterator[bool]:
    """Hold a house alone, if nobody else holds it; tells whether."""
    with _held(home, fcntl.LOCK_EX) as is_ours:
        yield is_ours


@contextmanager
def beside_others(home: Path) -> Iterator[None]:
    """Hold a house as a server does; wait while another one starts.

    Errors: Fault if its keys are just being changed.
    """
    until = monotonic() + BESIDE_MAX_S
    while True:
        with _held(home, fcntl.LOCK_SH) as is_ours:
            if is_ours:
                yield
                return
        if monotonic() >= until:
            raise Fault(f"the keys in {home} are being changed: start again in a moment")
        sleep(LOOK_S)


@contextmanager
def _held(home: Path, kind: int) -> Iterator[bool]:
    """Take the lock, which the kernel gives back when we die."""
    try:
        descriptor = os.open(home / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, MODE)
    except OSError as error:
        raise Fault(f"PAKKA_HOME: {home} can't be used: {error.strerror}") from None
    try:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
    finally:
        os.close(descriptor)
