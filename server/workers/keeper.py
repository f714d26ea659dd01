"""Keeps a number of workers running: started, started anew, renewed in turn, ended."""

import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import monotonic, sleep
from typing import Final

import structlog

from server.errors import Fault
from server.workers.worker import LOOK_S, PROGRAM, Worker

START_MAX_S: Final = 120
AGAIN_S: Final = 1
"""The rest before a worker that died is started again."""

log = structlog.get_logger("workers")


class Signals:
    """What this process has been asked for: to end, or to renew its workers.

    They are heard before anything is started: by itself, SIGHUP would end us.
    """

    def __init__(self) -> None:
        """Hear them from now on; until `hold` is called, SIGTERM and SIGINT end us at once."""
        self.is_stopping = False
        self.is_to_renew = False
        self._are_held = False
        for heard in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(heard, self._hear)

    def hold(self) -> None:
        """Have SIGTERM and SIGINT only noted from now on."""
        self._are_held = True

    def _hear(self, number: int, _frame: object) -> None:
        if number == signal.SIGHUP:
            self.is_to_renew = True
            return
        self.is_stopping = True
        if not self._are_held:
            self._are_held = True  # nothing disturbs the way out, where what was started is ended
            raise SystemExit(0)


class Workers:
    """Keeps a number of workers running until it is asked to stop."""

    def __init__(
        self,
        count: int,
        sock: socket.socket,
        environment: Mapping[str, str],
        signals: Signals,
        *,
        program: Sequence[str] = PROGRAM,
        start_max_s: float = START_MAX_S,
        owner_url: str | None = None,
    ) -> None:
        """Shape: `owner_url` is the database's owner's, which the workers are not told."""
        self._count = count
        self._sock = sock
        self._environment = environment
        self._signals = signals
        self._program = program
        self._start_max_s = start_max_s
        self._owner_url = owner_url
        self._workers: dict[int, Worker] = {}

    def run(self, announce: Callable[[], None], demand_premises: Callable[[], None]) -> None:
        """Start them all, `announce` it, and keep them running until SIGTERM or SIGINT.

        Shape:  `demand_premises` is asked again and again whether what they need is there.
        Errors: Fault if a worker does not start; what `demand_premises` raises.
        """
        self._signals.hold()
        try:
            for number in range(self._count):
                self._start(number)
            for worker in tuple(self._workers.values()):
                self._demand_ready(worker)
            if not self._signals.is_stopping:
                announce()
            while not self._signals.is_stopping:
                sleep(LOOK_S)
                demand_premises()
                self._look()
        finally:
            self._end_all()

    def _start(self, number: int) -> None:
        if self._signals.is_stopping:
            return
        worker = Worker(number, self._sock, self._environment, self._program)
        self._workers[number] = worker
        log.info("worker_started", worker=number, pid=worker.pid)

    def _demand_ready(self, worker: Worker, meanwhile: Callable[[], None] = lambda: None) -> None:
        until = worker.started_at + self._start_max_s
        while not worker.ready.wait(LOOK_S) and not self._signals.is_stopping:
            meanwhile()
            if worker.has_ended() or monotonic() > until:
                raise Fault(f"worker {worker.number} does not start; see the log")

    def _look(self) -> None:
        self._look_after()
        if self._signals.is_to_renew:
            self._signals.is_to_renew = False
            self._renew()

    def _look_after(self, *, but: int | None = None) -> None:
        """Start those anew that died or got stuck; `but` is being renewed, and ends as it is to."""
        for number, worker in tuple(self._workers.items()):
            if number == but:
                continue
            age_s = monotonic() - worker.started_at
            if worker.has_ended() and age_s >= AGAIN_S:
                log.error("worker_died", worker=number, pid=worker.pid)
                self._start(number)
            elif not worker.ready.is_set() and age_s > self._start_max_s:
                log.error("worker_stuck", worker=number, pid=worker.pid)
                worker.kill()  # the next look starts another

    def _renew(self) -> None:
        """End and start the workers one after the other; the rest take over meanwhile."""
        if not self._migrate():
            return  # they run on as they were
        for number in tuple(self._workers):
            if self._signals.is_stopping:
                return
            worker = self._workers[number]  # perhaps another than when the renewal began
            meanwhile = partial(self._look_after, but=number)
            log.info("worker_renewed", worker=number, pid=worker.pid)
            worker.ask_to_end()
            worker.end(unless=lambda: self._signals.is_stopping, meanwhile=meanwhile)
            if self._signals.is_stopping:
                return
            self._start(number)
            try:
                self._demand_ready(self._workers[number], meanwhile)
            except Fault as fault:
                log.error("renewal_stopped", why=str(fault))
                return  # the others still run as they were

    def _migrate(self) -> bool:
        """Bring the schema to what the workers that come now need; False if that fails."""
        if self._owner_url is None:
            return True
        done = subprocess.run(
            [sys.executable, "-m", "server.cli", "migrate"],
            env={**self._environment, "PAKKA_OWNER_DATABASE_URL": self._owner_url},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode != 0:
            log.error("renewal_stopped", why="the schema could not be brought up to date")
        return done.returncode == 0

    def _end_all(self) -> None:
        for worker in self._workers.values():
            if not worker.has_ended():
                worker.ask_to_end()
        for worker in self._workers.values():
            worker.end()
