"""Several processes and one folder: refused, joined, waited for, one server for all."""

import signal
import threading
from pathlib import Path

import pytest

from server.embedded import EmbeddedPostgres, find_running, join_or_start
from server.errors import Fault
from tests.embedded.conftest import Owner, until_gone, value_of


def test_two_launchers_on_one_folder_are_refused(home: Path, owners: list[Owner]) -> None:
    owners.append(Owner(home))
    owners[0].read()
    with pytest.raises(Fault, match="another process runs the server"):
        EmbeddedPostgres.start(home, wait_s=0.2)


def test_a_server_that_runs_is_joined_and_left_alone(home: Path, owners: list[Owner]) -> None:
    owners.append(Owner(home))
    pid, url = owners[0].read()
    with join_or_start(home) as joined:
        assert joined.url == url
        assert not joined.is_owner
        assert Path(joined.bin_folder, "postgres").exists()
    assert Path(f"/proc/{pid}").exists()
    assert value_of(url, "select 1") == 1


def test_many_that_join_or_start_at_once_share_one_server(
    new_home: Path, owners: list[Owner]
) -> None:
    owners.extend(Owner(new_home, "join") for _ in range(3))
    answers = [owner.read() for owner in owners]
    assert len({url for _, url in answers}) == 1
    assert sorted(pid > 0 for pid, _ in answers) == [False, False, True]


def test_who_must_own_it_waits_for_a_short_command_to_end(home: Path, owners: list[Owner]) -> None:
    owners.append(Owner(home))
    owners[0].read()
    threading.Timer(0.5, owners[0].end, [signal.SIGKILL]).start()
    with EmbeddedPostgres.start(home, wait_s=30) as server:
        assert server.is_owner


def test_the_notice_of_a_dead_owner_is_not_believed(home: Path, owners: list[Owner]) -> None:
    owners.append(Owner(home))
    pid, _ = owners[0].read()
    owners[0].end(signal.SIGKILL)
    until_gone(pid)
    assert (home / "postgres.json").exists()
    assert find_running(home) is None
