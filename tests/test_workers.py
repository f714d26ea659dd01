"""The process that keeps others running: what it does at each signal, death and failure.

The workers here are small programs, so that they can be slow to begin and to end when a test wants
that; `acceptance/test_workers.py` has the real ones.
"""

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server.embedded import EmbeddedValkey
from server.errors import Fault
from server.settings import Settings
from server.workers import Premises, Signals, Workers

WAIT_S = 180
PROGRAM = """
import os, pathlib, signal, sys, time
room = pathlib.Path(sys.argv[1])
def end(*_):
    (room / f"asked-{os.getpid()}").touch()
    while (room / "slow").exists():
        time.sleep(0.05)
    os._exit(0)
signal.signal(signal.SIGTERM, end)
is_mute = (room / "mute").exists()
(room / f"begun-{os.getpid()}").touch()
if not is_mute:
    print('{"url": ""}', flush=True)
while True:
    time.sleep(60)
"""


class Room:
    """What the small workers see and leave behind, and who keeps them."""

    def __init__(self, folder: Path, sock: socket.socket) -> None:
        self.folder = folder
        self.signals = Signals()
        program = (sys.executable, "-c", PROGRAM, str(folder))
        self.workers = Workers(2, sock, os.environ, self.signals, program=program)

    def pids(self, word: str) -> set[int]:
        """List the workers that have left such a mark."""
        return {int(path.name.split("-")[1]) for path in self.folder.glob(f"{word}-*")}

    def run(
        self, act: Callable[[], None], demand_premises: Callable[[], None] = lambda: None
    ) -> None:
        """Keep workers; meanwhile `act`, beside them, once they are all there; then end."""
        failures: list[BaseException] = []

        def beside() -> None:
            try:
                act()
            except BaseException as failure:  # it is raised again where the test sees it
                failures.append(failure)
            finally:
                (self.folder / "slow").unlink(missing_ok=True)
                os.kill(os.getpid(), signal.SIGTERM)

        thread = threading.Thread(target=beside)
        self.workers.run(thread.start, demand_premises)
        thread.join()
        for failure in failures:
            raise failure


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Two small workers to be; this process's signals are as before afterwards."""
    heard = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    before = [signal.getsignal(number) for number in heard]
    with socket.create_server(("127.0.0.1", 0)) as sock:
        try:
            yield Room(tmp_path, sock)
        finally:
            for number, handler in zip(heard, before, strict=True):
                signal.signal(number, handler)


def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_there(pid: int) -> bool:
    """Tell whether a process runs, or nobody has asked yet how it ended."""
    return Path(f"/proc/{pid}").exists()


def test_a_call_to_renew_that_comes_too_early_ends_nothing_and_is_not_forgotten(
    room: Room,
) -> None:
    os.kill(os.getpid(), signal.SIGHUP)
    room.run(lambda: until(lambda: len(room.pids("begun")) == 4))
    assert not any(map(is_there, room.pids("begun")))


def test_a_call_to_end_before_anything_serves_ends_it_on_the_ordinary_way(room: Room) -> None:
    with pytest.raises(SystemExit) as ended:
        os.kill(os.getpid(), signal.SIGTERM)
    assert ended.value.code == 0
    os.kill(os.getpid(), signal.SIGTERM)  # the way out is not disturbed
    room.workers.run(lambda: None, lambda: None)
    assert room.pids("begun") == set()


def test_a_worker_that_never_serves_is_ended_and_another_one_tried(room: Room) -> None:
    def act() -> None:
        first = room.pids("begun")
        (room.folder / "mute").touch()
        os.kill(min(first), signal.SIGKILL)
        until(lambda: len(room.pids("begun")) == 3)
        (mute,) = room.pids("begun") - first
        (room.folder / "mute").unlink()
        room.workers._start_max_s = 0
        until(lambda: not is_there(mute))
        room.workers._start_max_s = WAIT_S
        until(lambda: all(one.ready.is_set() for one in list(room.workers._workers.values())))

    with capture_logs() as lines:
        room.run(act)
    assert "worker_stuck" in [line["event"] for line in lines]
    assert not any(map(is_there, room.pids("begun")))


def test_a_call_to_end_is_not_kept_waiting_by_a_renewal(room: Room) -> None:
    def act() -> None:
        (room.folder / "slow").touch()
        os.kill(os.getpid(), signal.SIGHUP)
        until(lambda: len(room.pids("asked")) == 1)
        os.kill(os.getpid(), signal.SIGTERM)
        until(lambda: len(room.pids("asked")) == 2)

    room.run(act)
    assert len(room.pids("begun")) == 2, "none was started to be ended at once"
    assert not any(map(is_there, room.pids("begun")))


def test_a_worker_that_dies_while_another_is_renewed_is_started_again_meanwhile(
    room: Room,
) -> None:
    def act() -> None:
        (room.folder / "slow").touch()
        os.kill(os.getpid(), signal.SIGHUP)
        until(lambda: len(room.pids("asked")) == 1)
        (slow,) = room.pids("asked")
        (other,) = room.pids("begun") - {slow}
        os.kill(other, signal.SIGKILL)
        until(lambda: len(room.pids("begun")) == 3)
        assert is_there(slow), "the renewal waits for it all the while"

    room.run(act)
    assert not any(map(is_there, room.pids("begun")))


def test_workers_end_with_what_they_stand_on(room: Room) -> None:
    def demand() -> None:
        raise Fault("PostgreSQL has ended")

    with pytest.raises(Fault, match="PostgreSQL"):
        room.workers.run(lambda: None, demand)
    assert len(room.pids("begun")) == 2
    assert not any(map(is_there, room.pids("begun")))


def test_our_own_valkey_is_started_again_and_our_own_postgresql_is_missed(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    home = tmp_path_factory.mktemp("home")
    home.chmod(0o711)
    with ExitStack() as stack:
        premises = Premises(stack, Settings(home=home))
        premises.demand()
        valkey, postgres = premises._valkey, premises._postgres
        assert isinstance(valkey, EmbeddedValkey)
        assert postgres is not None
        pid, url = valkey.pid, premises.redis_url
        os.kill(pid, signal.SIGKILL)
        until(lambda: not valkey.is_running())
        with capture_logs() as lines:
            premises.demand()
        assert [line["event"] for line in lines] == ["valkey_ended"]
        assert valkey.is_running()
        assert (valkey.pid != pid, valkey.url) == (True, url)
        os.kill(postgres.pid, signal.SIGKILL)
        until(lambda: not postgres.is_running())
        with pytest.raises(Fault, match="PostgreSQL has ended"):
            premises.demand()
