"""Valkey (or Redis) as a messenger between processes: nothing in it has to last."""

import os
import secrets
import signal
import socket
import tempfile
import time
from pathlib import Path
from typing import Final

from server.embedded import rooms
from server.embedded.binaries import Source, find_valkey
from server.embedded.child import Child, unprivileged
from server.embedded.lock import POLL_S
from server.errors import Fault

START_WAIT_S: Final = 20
STOP_WAIT_S: Final = 10
MEMORY_MAX: Final = "256mb"


class EmbeddedValkey:
    """A server on 127.0.0.1, with a password; it ends with the process that started it."""

    def __init__(self, url: str, child: Child, folder: "tempfile.TemporaryDirectory[str]") -> None:
        """Hold a server that runs."""
        self.url = url
        self._child = child
        self._folder = folder

    @classmethod
    def start(cls, *, source: Source | None = None) -> "EmbeddedValkey":
        """Start a server that keeps nothing; blocks until it answers.

        Errors: Fault if it can't be started.
        """
        account = unprivileged()
        folder = tempfile.TemporaryDirectory(prefix="pakka-valkey-", ignore_cleanup_errors=True)
        room = Path(folder.name)
        room.chmod(0o700)
        account.own(room)
        program = find_valkey(account, keep=_keep(), source=source)
        password, port = secrets.token_urlsafe(24), rooms.free_port()
        settings = {
            "bind": "127.0.0.1",
            "port": str(port),
            "requirepass": password,
            "dir": str(room),
            "save": '""',
            "appendonly": "no",
            "maxmemory": MEMORY_MAX,
            "daemonize": "no",
        }
        lines = "".join(f"{name} {value}\n" for name, value in settings.items())
        rooms.write_secret(room / "valkey.conf", lines, account)
        with open(room / "log", "ab") as log:
            argv = [str(program), str(room / "valkey.conf")]
            child = Child(argv, account=account, log=log, death_signal=signal.SIGTERM)
        if not _becomes_ready(child, port, password):
            said = (room / "log").read_text(errors="replace").strip().splitlines()[-1:]
            child.end(signal.SIGTERM, wait_s=STOP_WAIT_S)
            folder.cleanup()
            raise Fault(f"Valkey does not start: {' '.join(said)}")
        return cls(f"redis://:{password}@127.0.0.1:{port}/0", child, folder)

    def stop(self) -> None:
        """Stop the server."""
        self._child.end(signal.SIGTERM, wait_s=STOP_WAIT_S)
        self._folder.cleanup()


def _keep() -> Path:
    """Choose where a copy of the program may stay, for a user that can't reach the wheel."""
    if os.geteuid() == 0:
        rooms.SHARED.mkdir(mode=0o755, parents=True, exist_ok=True)
        return rooms.SHARED
    return Path(tempfile.gettempdir())


def _becomes_ready(child: Child, port: int, password: str) -> bool:
    deadline = time.monotonic() + START_WAIT_S
    while child.is_running() and time.monotonic() < deadline:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as line:
                line.sendall(f"AUTH {password}\r\nPING\r\n".encode())
                with line.makefile("rb") as answers:
                    if answers.readline().strip() + answers.readline().strip() == b"+OK+PONG":
                        return True
        except OSError:
            pass
        time.sleep(POLL_S)
    return False
