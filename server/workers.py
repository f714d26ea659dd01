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
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from time import monotonic, sleep
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

PROGRAM: Final = (sys.executable, "-m", "server.cli", "serve", "--json", "--fd")
"""What a worker runs; the number of its socket comes last."""

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

    def end(self, *, unless: Callable[[], bool] = lambda: False) -> None:
        """Wait until it has ended; kill it if that takes too long. `unless` ends the wait."""
        until = monotonic() + STOP_MAX_S
        while not self.has_ended() and not unless():
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

    def _demand_ready(self, worker: Worker) -> None:
        until = worker.started_at + self._start_max_s
        while not worker.ready.wait(LOOK_S) and not self._signals.is_stopping:
            if worker.has_ended() or monotonic() > until:
                raise Fault(f"worker {worker.number} does not start; see the log")

    def _look(self) -> None:
        for number, worker in tuple(self._workers.items()):
            age_s = monotonic() - worker.started_at
            if worker.has_ended() and age_s >= AGAIN_S:
                log.error("worker_died", worker=number, pid=worker.pid)
                self._start(number)
            elif not worker.ready.is_set() and age_s > self._start_max_s:
                log.error("worker_stuck", worker=number, pid=worker.pid)
                worker.kill()  # the next look starts another
        if self._signals.is_to_renew:
            self._signals.is_to_renew = False
            self._renew()

    def _renew(self) -> None:
        """End and start the workers one after the other; the rest take over meanwhile."""
        if not self._migrate():
            return  # they run on as they were
        for number, worker in tuple(self._workers.items()):
            if self._signals.is_stopping:
                return
            log.info("worker_renewed", worker=number, pid=worker.pid)
            worker.ask_to_end()
            worker.end(unless=lambda: self._signals.is_stopping)
            if self._signals.is_stopping:
                return
            self._start(number)
            try:
                self._demand_ready(self._workers[number])
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


def serve(settings: Settings, count: int, announce: Callable[[str], None]) -> None:
    """Run `count` serving processes until SIGTERM or SIGINT; `announce` is told their address.

    Errors: Fault in one line if something can't be started.
    """
    set_up_logging(level=settings.log_level, form=settings.log_format)
    signals = Signals()
    with ExitStack() as stack:
        premises = Premises(stack, settings)
        addresses, redis_url = premises.addresses, premises.redis_url
        make_home(settings.home)
        prepare(addresses)
        sock = stack.enter_context(bound(settings.host, settings.port))
        environment = {
            **os.environ,
            **_said(settings),
            "DATABASE_URL": addresses.application,
            "REDIS_URL": redis_url,
        }
        environment.pop("PAKKA_OWNER_DATABASE_URL", None)
        url = address_of(settings.host, sock.getsockname()[1])
        workers = Workers(count, sock, environment, signals, owner_url=addresses.owner)
        workers.run(lambda: announce(url), premises.demand)


class Premises:
    """The database and the messages' carrier: the given ones, or our own, which are watched."""

    def __init__(self, stack: ExitStack, settings: Settings) -> None:
        """Start what isn't given; it is stopped with the stack. Errors: Fault."""
        self._postgres: EmbeddedPostgres | None = None
        self._valkey: EmbeddedValkey | None = None
        given = addresses_of(settings)
        if given is None:
            self._postgres = EmbeddedPostgres.start(settings.home)
            stack.callback(self._postgres.stop)
            given = Addresses(owner=self._postgres.url, application=self._postgres.application_url)
        self.addresses = given
        if settings.redis_url is not None:
            self.redis_url = settings.redis_url
        else:
            self._valkey = EmbeddedValkey.start()
            stack.callback(self._valkey.stop)
            self.redis_url = self._valkey.url

    def demand(self) -> None:
        """Start our Valkey again if it has ended, at its address: the workers come back to it.

        Errors: Fault if our PostgreSQL has ended: the house ends with it.
        """
        if self._postgres is not None and not self._postgres.is_running():
            raise Fault("PostgreSQL has ended; see its log in PAKKA_HOME")
        if self._valkey is not None and not self._valkey.is_running():
            log.error("valkey_ended")
            self._valkey.start_again()


def _said(settings: Settings) -> Mapping[str, str]:
    """Write what the command's own options may have changed."""
    return {"PAKKA_HOST": settings.host, "PAKKA_HOME": str(settings.home)}
