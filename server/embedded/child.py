"""A server as a foreground child: who it runs as, how it starts, how it ends."""

import os
import pwd
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from server.errors import Fault

UNPRIVILEGED: Final = ("postgres", "nobody")
"""Users to become when we are root, first choice first; none is ever created."""

KILL_WAIT_S: Final = 10
_TETHER: Final = Path(__file__).with_name("tether.py")


@dataclass(frozen=True, slots=True)
class Account:
    """The user that a server runs as; `uid` -1 is ourselves."""

    uid: int = -1
    gid: int = -1

    def can_enter(self, folder: Path) -> bool:
        """Tell whether that user can pass through `folder`, all the way from the root.

        Access lists beyond the mode bits are not looked at: then the answer is a careful no.
        """
        if self.uid < 0:
            return os.access(folder, os.X_OK)
        whole = folder.resolve()
        return all(self._may_pass(path) for path in (whole, *whole.parents))

    def own(self, path: Path) -> None:
        """Give a file or folder to that user."""
        if self.uid >= 0:
            os.chown(path, self.uid, self.gid)

    def _may_pass(self, folder: Path) -> bool:
        status = folder.stat()
        if status.st_uid == self.uid:
            return bool(status.st_mode & 0o100)
        if status.st_gid == self.gid:
            return bool(status.st_mode & 0o010)
        return bool(status.st_mode & 0o001)


def unprivileged() -> Account:
    """Choose who runs a server: ourselves, or, for root, a user without rights.

    Errors: Fault if we are root and the machine has none of `UNPRIVILEGED`.
    """
    if os.geteuid() != 0:
        return Account()
    for name in UNPRIVILEGED:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid)
    raise Fault(f"as root, a server needs one of the users {', '.join(UNPRIVILEGED)}")


class Child:
    """A running program that gets `death_signal` when this process dies.

    The kernel sends it when the *thread* that started the child ends, so each child has a thread of
    its own, which lives as long as the child does.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        account: Account,
        log: IO[bytes],
        death_signal: signal.Signals,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start the program.

        Errors: Fault if it can't be started.
        """
        self._argv = tethered(argv, account=account, death_signal=death_signal)
        self._log = log
        self._environment = {"PATH": os.defpath, **(environment or {})}
        self._started = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._failure: OSError | None = None
        self._keeper = threading.Thread(target=self._keep, name="pakka-child", daemon=True)
        self._keeper.start()
        self._started.wait()
        if self._failure is not None:
            raise Fault(f"{argv[0]} can't be started: {self._failure}")

    @property
    def pid(self) -> int:
        """The process id, which is the program's own: nothing stands between us and it."""
        assert self._process is not None
        return self._process.pid

    def is_running(self) -> bool:
        """Tell whether the program has not ended yet."""
        return self._keeper.is_alive()

    def end(self, polite: signal.Signals, *, wait_s: float) -> None:
        """Ask the program to stop, and kill it when it has not after `wait_s` seconds."""
        for number, patience_s in ((polite, wait_s), (signal.SIGKILL, KILL_WAIT_S)):
            if self._process is None or not self.is_running():
                return
            self._process.send_signal(number)  # which knows a process that has just ended
            self._keeper.join(patience_s)

    def _keep(self) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 -- the launcher's own argv, no shell
                self._argv,
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                cwd="/",
                env=dict(self._environment),
                start_new_session=True,  # Ctrl-C is for us; we stop the server when we are done
            )
        except OSError as error:
            self._failure = error
        self._started.set()
        if self._process is not None:
            self._process.wait()


def tethered(
    argv: Sequence[str], *, account: Account, death_signal: signal.Signals
) -> tuple[str, ...]:
    """Derive the command that runs `argv` as `account`, tied to this process's life."""
    own = (os.getpid(), int(death_signal), account.uid, account.gid)
    return (sys.executable, "-I", "-S", str(_TETHER), *map(str, own), *argv)


def run_as(account: Account, argv: Sequence[str], *, given: str = "", wait_s: float = 120) -> str:
    """Run a short program to its end and return what it wrote.

    Errors: Fault with its last line if it fails.
    """
    done = subprocess.run(  # noqa: S603 -- the launcher's own argv, no shell
        tethered(argv, account=account, death_signal=signal.SIGKILL),
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        cwd="/",
        env={"PATH": os.defpath, "LC_ALL": "C"},
        timeout=wait_s,
        check=False,
    )
    if done.returncode != 0:
        lines = done.stdout.strip().splitlines() or [f"exit {done.returncode}"]
        raise Fault(f"{Path(argv[0]).name} failed: {lines[-1]}")
    return done.stdout
