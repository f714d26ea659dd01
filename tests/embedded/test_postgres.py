"""The launcher: a server that keeps its data, dies with its owner, and has one owner."""

import asyncio
import json
import os
import shutil
import signal
import stat
import subprocess
import threading
import time
from pathlib import Path

import asyncpg
import pytest

from server.embedded import (
    EmbeddedPostgres,
    find_running,
    rooms,
    throwaway,
)
from server.embedded.child import unprivileged
from server.errors import Fault
from tests.conftest import execute
from tests.embedded.conftest import Owner, until_gone, user_of, value_of


def test_data_are_there_after_a_clean_restart(new_home: Path) -> None:
    with EmbeddedPostgres.start(new_home) as server:
        execute(server.url, "create table t as select 42 as n")
        assert find_running(new_home) == server.url
    assert find_running(new_home) is None
    with EmbeddedPostgres.start(new_home) as server:
        assert value_of(server.url, "select n from t") == 42


def test_the_server_is_durable_private_and_utf_8(home: Path) -> None:
    with EmbeddedPostgres.start(home) as server:
        for name, value in {
            "fsync": "on",
            "synchronous_commit": "on",
            "full_page_writes": "on",
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "server_encoding": "UTF8",
            "timezone": "UTC",
        }.items():
            assert value_of(server.url, f"show {name}") == value
        assert value_of(server.url, "show server_version_num") >= "150000"  # type: ignore[operator]
        with pytest.raises(asyncpg.InvalidPasswordError):
            value_of(server.url.replace("@", "x@"), "select 1")


def test_secrets_are_for_the_owner_alone(new_home: Path) -> None:
    with EmbeddedPostgres.start(new_home) as server:
        for name in ("postgres.json", "postgres.password", "postgres.log", "postgres.lock"):
            assert stat.S_IMODE((new_home / name).stat().st_mode) == 0o600
        data = (new_home / "postgres").resolve() / "data"
        assert stat.S_IMODE(data.stat().st_mode) == 0o700
        assert json.loads((new_home / "postgres.json").read_text())["url"] == server.url
        command = Path(f"/proc/{server.pid}/cmdline").read_text()
        assert (new_home / "postgres.password").read_text().strip() not in command


@pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another user")
def test_as_root_the_server_is_an_unprivileged_user_s(new_home: Path) -> None:
    with EmbeddedPostgres.start(new_home) as server:
        assert user_of(server.pid) == unprivileged().uid != 0
        assert ((new_home / "postgres").resolve() / "data").stat().st_uid == unprivileged().uid


@pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another user")
def test_a_home_that_the_server_s_user_can_not_enter_is_linked_out(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As below /root: the folder of the data is elsewhere, and found again."""
    monkeypatch.setattr(rooms, "SHARED", open_folder / "shared")
    closed = open_folder / "closed"
    closed.mkdir(mode=0o700)
    home = closed / "home"
    with EmbeddedPostgres.start(home) as server:
        execute(server.url, "create table t as select 42 as n")
        assert (home / "postgres").resolve().parent == open_folder / "shared"
        shutil.copytree(home, closed / "copy", symlinks=True)
        with pytest.raises(Fault, match="is a copy of"):
            EmbeddedPostgres.start(closed / "copy")
        assert value_of(server.url, "select n from t") == 42
    with EmbeddedPostgres.start(home) as server:
        assert value_of(server.url, "select n from t") == 42
    shutil.rmtree(home)
    with EmbeddedPostgres.start(home) as server:
        assert value_of(server.url, "select to_regclass('t')") is None


def test_the_server_survives_the_thread_that_started_it(home: Path) -> None:
    started: list[EmbeddedPostgres] = []
    thread = threading.Thread(target=lambda: started.append(EmbeddedPostgres.start(home)))
    thread.start()
    thread.join()
    with started[0] as server:
        time.sleep(0.3)
        assert server.is_running()
        assert value_of(server.url, "select 1") == 1


async def test_the_server_can_be_started_beside_an_event_loop(home: Path) -> None:
    server = await asyncio.to_thread(EmbeddedPostgres.start, home)
    connection = await asyncpg.connect(server.url)
    assert await connection.fetchval("select 1") == 1
    await connection.close()
    await asyncio.to_thread(server.stop)
    assert not server.is_running()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_the_server_dies_with_its_owner_and_the_next_one_finds_the_data(
    home: Path, owners: list[Owner], number: signal.Signals
) -> None:
    owner = Owner(home)
    owners.append(owner)
    pid, url = owner.read()
    execute(url, "create table t as select 42 as n")
    owner.end(number)
    with EmbeddedPostgres.start(home) as server:
        until_gone(pid)
        assert value_of(server.url, "select n from t") == 42
    log = (home / "postgres.log").read_text()
    assert "fast shutdown request" in log
    assert "was not properly shut down" not in log


def test_a_killed_server_recovers_what_was_committed(home: Path) -> None:
    with EmbeddedPostgres.start(home) as server:
        execute(server.url, "create table t as select 42 as n")
        os.kill(server.pid, signal.SIGKILL)
    with EmbeddedPostgres.start(home) as server:
        assert value_of(server.url, "select n from t") == 42
    assert "automatic recovery in progress" in (home / "postgres.log").read_text()


def test_a_stale_pid_file_with_somebody_else_s_number_is_no_obstacle(home: Path) -> None:
    """After a restart of the machine the number in the file is anybody's."""
    account = unprivileged()
    with EmbeddedPostgres.start(home) as server:
        pid_file = (home / "postgres").resolve() / "data" / "postmaster.pid"
        written = pid_file.read_text().splitlines()
        command = ["sleep", "60"]
        other = subprocess.Popen(command, user=account.uid if account.uid >= 0 else None)
    try:
        pid_file.write_text("\n".join([str(other.pid), *written[1:]]) + "\n")
        account.own(pid_file)
        with EmbeddedPostgres.start(home) as server:
            assert value_of(server.url, "select 1") == 1
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_a_half_made_folder_is_made_anew(new_home: Path) -> None:
    """As after a kill in the middle of the first start."""
    half = new_home / "postgres" / "data.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("15")
    for folder in (new_home, new_home / "postgres", half):
        folder.chmod(0o711)
        unprivileged().own(folder)
    with EmbeddedPostgres.start(new_home) as server:
        assert value_of(server.url, "select current_database()") == "pakka"


def test_a_throwaway_leaves_nothing() -> None:
    with throwaway() as server:
        pid = server.pid
        folder = Path(str(value_of(server.url, "show data_directory")))
        assert folder.exists()
    until_gone(pid)
    assert not folder.exists()
