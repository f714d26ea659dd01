"""Several processes on one machine: they share one address, one PostgreSQL and one Redis.

This process listens and serves nobody: it starts the others on its socket, starts one anew that has
died, and at SIGHUP ends and starts them one after the other, so that hands go on meanwhile.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from time import monotonic
from typing import Final

import structlog

from server.database import Addresses
from server.embedded import EmbeddedPostgres, EmbeddedValkey
from server.embedded.child import Account, tethered
from server.errors import Fault
from server.logs import set_up_logging
from server.schema import prepare
from server.settings import Settings
from server.tuning import addresses_of
from server.upkeep.premises import make_home
from server.web.listening import address_of, bound

LOOK_S: Final = 0.2
START_MAX_S: Final = 120
STOP_MAX_S: Final = 30
AGAIN_S: Final = 1
"""The rest before a worker that died is started again."""

log = structlog.get_logger("workers")


class Worker:
    """One serving process; `ready` is set when it listens."""

    def __init__(self, number: int, sock: socket.socket, environment: Mapping[str, str]) -> None:
        """Start it."""
        self.number = number
        self.ready = threading.Event()
        self.started_at = monotonic()
        fd = sock.fileno()
        argv = [sys.executable, "-m", "server.cli", "serve", "--fd", str(fd), "--json"]
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

    def end(self) -> None:
        """Wait until it has ended; kill it if that takes too long."""
        try:
            self._process.wait(STOP_MAX_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as said:
            for line in said:
                if b'"url"' in line:
                    self.ready.set()


class Workers:
    """Keeps a number of workers running until it is asked to stop."""

    def __init__(self, count: int, sock: socket.socket, environment: Mapping[str, str]) -> None:
        self._count = count
        self._sock = sock
        self._environment = environment
        self._workers: dict[int, Worker] = {}
        self._woken = threading.Event()
        self._is_stopping = False
        self._is_to_renew = False

    def run(self, announce: Callable[[], None]) -> None:
        """Start them all, `announce` it, and keep them running until SIGTERM or SIGINT.

        Errors: Fault if a worker does not start.
        """
        for heard in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(heard, self._hear)
        try:
            for number in range(self._count):
                self._start(number)
            for worker in tuple(self._workers.values()):
                self._demand_ready(worker)
            if not self._is_stopping:
                announce()
            while not self._is_stopping:
                self._woken.wait(LOOK_S)
                self._woken.clear()
                self._look()
        finally:
            self._end_all()

    def _hear(self, number: int, _frame: object) -> None:
        if number == signal.SIGHUP:
            self._is_to_renew = True
        else:
            self._is_stopping = True
        self._woken.set()

    def _start(self, number: int) -> None:
        worker = Worker(number, self._sock, self._environment)
        self._workers[number] = worker
        log.info("worker_started", worker=number, pid=worker.pid)

    def _demand_ready(self, worker: Worker) -> None:
        until = monotonic() + START_MAX_S
        while not worker.ready.wait(LOOK_S) and not self._is_stopping:
            if worker.has_ended() or monotonic() > until:
                raise Fault(f"worker {worker.number} does not start; see the log")

    def _look(self) -> None:
        for number, worker in tuple(self._workers.items()):
            if worker.has_ended() and monotonic() - worker.started_at >= AGAIN_S:
                log.error("worker_died", worker=number, pid=worker.pid)
                self._start(number)
        if self._is_to_renew:
            self._is_to_renew = False
            self._renew()

    def _renew(self) -> None:
        """End and start the workers one after the other; the rest take over meanwhile."""
        for number, worker in tuple(self._workers.items()):
            if self._is_stopping:
                return
            log.info("worker_renewed", worker=number, pid=worker.pid)
            worker.ask_to_end()
            worker.end()
            self._start(number)
            try:
                self._demand_ready(self._workers[number])
            except Fault as fault:
                log.error("renewal_stopped", why=str(fault))
                return  # the others still run as they were

    def _end_all(self) -> None:
        for worker in self._workers.values():
            if not worker.has_ended():
                worker.ask_to_end()
        for worker in self._workers.values():
            worker.end()


def serve(settings: Settings, count: int, announce: Callable[[str], None]) -> None:
    """Run `count` serving processes until SIGTERM or SIGINT; `announce` is told their address.

    Errors: Fault in one line if something can't be started.
    """
    set_up_logging(level=settings.log_level, form=settings.log_format)
    with ExitStack() as stack:
        addresses = addresses_of(settings) or _own_postgres(stack, settings)
        redis_url = settings.redis_url
        if redis_url is None:
            valkey = EmbeddedValkey.start()
            stack.callback(valkey.stop)
            redis_url = valkey.url
        make_home(settings.home)
        prepare(addresses)
        sock = stack.enter_context(bound(settings.host, settings.port))
        environment = {
            **os.environ,
            **_said(settings),
            "DATABASE_URL": addresses.application,
            "PAKKA_OWNER_DATABASE_URL": addresses.owner,
            "REDIS_URL": redis_url,
        }
        url = address_of(settings.host, sock.getsockname()[1])
        Workers(count, sock, environment).run(lambda: announce(url))


def _own_postgres(stack: ExitStack, settings: Settings) -> Addresses:
    postgres = EmbeddedPostgres.start(settings.home)
    stack.callback(postgres.stop)
    return Addresses(owner=postgres.url, application=postgres.application_url)


def _said(settings: Settings) -> Mapping[str, str]:
    """Write what the command's own options may have changed."""
    return {"PAKKA_HOST": settings.host, "PAKKA_HOME": str(settings.home)}
