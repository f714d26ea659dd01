"""One serving process, as the process that keeps it sees it."""

import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from time import monotonic, sleep
from typing import Final

from server.embedded.child import Account, tethered

LOOK_S: Final = 0.2
STOP_MAX_S: Final = 30
PROGRAM: Final = (sys.executable, "-m", "server.cli", "serve", "--json", "--fd")
"""What a worker runs; the number of its socket comes last."""


class Worker:
    """One serving process; `ready` is set when it listens."""

    def __init__(
        self,
        number: int,
        sock: socket.socket,
        environment: Mapping[str, str],
        program: Sequence[str] = PROGRAM,
    ) -> None:
        """Start it."""
        self.number = number
        self.ready = threading.Event()
        self.started_at = monotonic()
        fd = sock.fileno()
        argv = [*program, str(fd)]
        self._process = subprocess.Popen(  # noqa: S603 - our own command, no shell
            tethered(argv, account=Account(), death_signal=signal.SIGTERM),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env=dict(environment),
            pass_fds=[fd],
            start_new_session=True,  # Ctrl-C is for us
        )
        threading.Thread(target=self._read, name=f"worker {number}", daemon=True).start()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def has_ended(self) -> bool:
        """Tell whether it has ended, by itself or by us."""
        return self._process.poll() is not None

    def ask_to_end(self) -> None:
        """Have it give up its tables and end."""
        self._process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it without a word."""
        self._process.kill()
        self._process.wait()

    def end(
        self,
        *,
        unless: Callable[[], bool] = lambda: False,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        """Wait until it has ended; kill it if that takes too long. `unless` ends the wait."""
        until = monotonic() + STOP_MAX_S
        while not self.has_ended() and not unless():
            meanwhile()
            if monotonic() > until:
                self.kill()
            else:
                sleep(LOOK_S / 4)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as said:
            for line in said:
                if b'"url"' in line:
                    self.ready.set()
