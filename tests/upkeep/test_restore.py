"""A backup comes back whole or not at all, into a place that is empty and stays its own."""

import subprocess
from pathlib import Path

import pytest

from server.embedded import binaries
from server.errors import Fault
from server.fairness.keyring import public_keys
from server.schema import is_current, migrate
from server.secret_files import read_or_make_key
from server.upkeep import postgres_tools
from server.upkeep.inspection import look_at
from server.upkeep.restore import restore
from tests.conftest import execute, run_apart
from tests.upkeep.house import KEYS, at, broken, members, nowhere, remade


def assert_nothing_restored(url: str, home: Path) -> None:
    assert look_at(url).is_empty
    assert not home.exists() or list(home.iterdir()) == []


def schema_of(url: str) -> list[str]:
    """Describe a schema with all its rights, as pg_dump does."""
    program = binaries.find_tools(look_at(url).major) / "pg_dump"
    said = subprocess.run(
        [program, "--schema-only", f"--dbname={url}"], capture_output=True, text=True, check=True
    )
    return [
        line
        for line in said.stdout.splitlines()
        if not line.startswith(("\\restrict", "\\unrestrict"))
    ]


def test_every_key_is_in_it_and_comes_back(
    file: Path, kept: Path, empty_url: str, new: Path
) -> None:
    manifest = restore(at(empty_url), new, file)
    assert set(manifest.files) == {
        "database.dump",
        "keys/bot.token",
        *(f"keys/{name}" for name in KEYS),
    }
    for name in ("bot.token", *KEYS):
        assert (new / name).read_bytes() == (kept / name).read_bytes()
        assert (new / name).stat().st_mode & 0o777 == 0o600
    assert len(list(new.iterdir())) == len(KEYS) + 1


def test_the_schema_comes_back_as_it_was_rights_and_triggers_too(
    file: Path, database_url: str, empty_url: str, new: Path
) -> None:
    restore(at(empty_url), new, file)
    assert is_current(empty_url)
    assert schema_of(empty_url) == schema_of(database_url)


def test_another_owner_restores_it_too(file: Path, stranger_url: str, new: Path) -> None:
    """Whoever owns the database owns the restored house; the application's role comes along."""
    restore(at(stranger_url), new, file)
    assert run_apart(lambda: broken(stranger_url, new)) == []
    assert public_keys(new)


def test_only_an_empty_house_is_restored_into(
    file: Path, kept: Path, database_url: str, empty_url: str, new: Path
) -> None:
    with pytest.raises(Fault, match=r"bot\.token is there already"):
        restore(nowhere, kept, file)
    with pytest.raises(Fault, match="not empty"):
        restore(at(database_url), new, file)
    execute(empty_url, "create table anything (id int)")
    with pytest.raises(Fault, match="not empty"):
        restore(at(empty_url), new, file)
    assert not new.exists()


def test_a_dump_that_can_not_be_restored_leaves_nothing(
    file: Path, empty_url: str, new: Path
) -> None:
    parts = members(file)
    whole = parts["database.dump"]
    for dump in (b"no dump", whole[: len(whole) * 2 // 3]):
        with pytest.raises(Fault, match=r"^pg_restore failed: [^\n]+$"):
            restore(at(empty_url), new, remade(file, {**parts, "database.dump": dump}))
        assert_nothing_restored(empty_url, new)


def test_a_restore_that_breaks_off_leaves_nothing(file: Path, empty_url: str, new: Path) -> None:
    """Here at the keys, the last of its steps: the database was back already."""
    parts = members(file)
    parts["keys/too-large.key"] = b"x" * 5_000
    with pytest.raises(Fault, match="damaged"):
        restore(at(empty_url), new, remade(file, parts))
    assert_nothing_restored(empty_url, new)
    restore(at(empty_url), new, file)


def test_a_house_that_came_between_keeps_what_it_has(
    file: Path, empty_url: str, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody starts a house on the same place while we restore: theirs is left alone."""

    def with_another(url: str, source: Path, *, major: int) -> None:
        migrate(url)
        pg_restore(url, source, major=major)

    pg_restore = postgres_tools.restore
    monkeypatch.setattr(postgres_tools, "restore", with_another)
    with pytest.raises(Fault, match=r"^pg_restore failed: [^\n]+ already exists$"):
        restore(at(empty_url), new, file)
    assert is_current(empty_url)


def test_a_key_that_came_between_is_not_overwritten(
    file: Path, empty_url: str, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_another(url: str) -> None:
        migrate(url)
        read_or_make_key(new, "sealing.key")

    monkeypatch.setattr("server.upkeep.restore.migrate", with_another)
    with pytest.raises(Fault, match=r"sealing\.key is there already"):
        restore(at(empty_url), new, file)
    assert look_at(empty_url).is_empty
    assert [path.name for path in new.iterdir()] == ["sealing.key"]
