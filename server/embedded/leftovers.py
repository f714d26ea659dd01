"""What a killed owner may have left behind: a server that still stops, a stale pid file."""

import os
import signal
import time
from pathlib import Path
from typing import Final

from server.embedded.lock import POLL_S
from server.errors import Fault

PATIENCE_S: Final = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 10.0))
"""What to send to a server without an owner, and how long to wait after each."""


def clear(data: Path) -> None:
    """End what still runs on `data`, whose lock we hold, and remove a pid file that is stale.

    A pid file is stale if its process is not a server of this folder: after a restart of the
    machine or of a container its number may be anybody's, and PostgreSQL would refuse to start.

    Errors: Fault if something of it can't be ended.
    """
    for number, wait_s in PATIENCE_S:
        _signal_leader(data, number)
        deadline = time.monotonic() + wait_s
        while _processes_in(data):
            if time.monotonic() > deadline:
                break
            time.sleep(POLL_S)
        else:
            (data / "postmaster.pid").unlink(missing_ok=True)
            return
    raise Fault(f"an older server still runs on {data}")


def pid_file_of(data: Path) -> list[str]:
    """Read the lines of `postmaster.pid`; none if there is no such file."""
    try:
        return (data / "postmaster.pid").read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return []


def _signal_leader(data: Path, number: signal.Signals) -> None:
    lines = pid_file_of(data)
    running = _processes_in(data)
    leader = [pid for pid in running if lines and str(pid) == lines[0]]
    for pid in leader or running:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def _processes_in(data: Path) -> list[int]:
    """List the servers that work in that folder: each process of one changes into it."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            program = (entry / "exe").readlink().name
            if program.startswith("postgres") and (entry / "cwd").readlink() == data:
                found.append(int(entry.name))
        except OSError:
            continue  # it has ended, or is not ours to look at
    return found
