"""Backups that are none, or not any more what they were, and places that are not empty."""

import hashlib
import json
import random
import re
import tarfile
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from server.embedded import binaries
from server.errors import Fault
from server.fairness.keyring import public_keys
from server.schema import is_current, migrate
from server.secret_files import read_or_make_key, read_or_make_token
from server.upkeep import archive, postgres_tools
from server.upkeep.backup import Reach, back_up
from server.upkeep.inspection import look_at
from server.upkeep.restore import restore
from tests.conftest import execute, run_apart
from tests.upkeep.house import broken

KEYS = ("log.key", "sealing.key", "signing.0123456789abcdef.key", "signing.key")
NONE = re.compile(r"not a backup|damaged|can't be read")


def at(url: str) -> Reach:
    def reach() -> AbstractContextManager[str]:
        return nullcontext(url)

    return reach


def nowhere() -> AbstractContextManager[str]:
    raise AssertionError("the database is not needed to see that")


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A home with keys, replaced ones too."""
    home = tmp_path / "kept"
    home.mkdir()
    for name in KEYS:
        read_or_make_key(home, name)
    read_or_make_token(home, "bot.token")
    (home / "postgres.password").write_text("of this cluster alone")
    return home


@pytest.fixture
def file(kept: Path, database_url: str, tmp_path: Path) -> Path:
    """A backup."""
    back_up(at(database_url), kept, tmp_path / "file")
    return tmp_path / "file"


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """A home that isn't there yet."""
    return tmp_path / "new"


def members(file: Path) -> dict[str, bytes]:
    with tarfile.open(file) as tar:
        found = {}
        for one in tar:
            member = tar.extractfile(one)
            assert member is not None
            found[one.name] = member.read()
        return found


def remade(file: Path, parts: dict[str, bytes]) -> Path:
    """Write an archive whose sums hold, whatever its members are."""
    about = json.loads(parts.pop("manifest.json"))
    about["files"] = {name: hashlib.sha256(body).hexdigest() for name, body in parts.items()}
    made = file.with_name("remade")
    with tarfile.open(made, "w") as tar:
        archive.add(tar, "manifest.json", json.dumps(about).encode())
        for name, content in parts.items():
            archive.add(tar, name, content)
    return made


def assert_nothing_restored(url: str, home: Path) -> None:
    assert look_at(url).is_empty
    assert not home.exists() or list(home.iterdir()) == []


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


def test_a_backup_that_was_changed_in_one_bit_is_refused(file: Path, new: Path) -> None:
    """Wherever it is: in a member, in the list of members, in a name or a size."""
    whole = file.read_bytes()
    with tarfile.open(file) as tar:
        places = [place for one in tar for place in (one.offset, one.offset_data)]
        heads = [one.offset + byte for one in tar for byte in range(156)]
    places += random.Random(0).sample(heads, 100)
    for place in places:
        body = bytearray(whole)
        body[place] ^= 1
        file.write_bytes(body)
        with pytest.raises(Fault, match=NONE), archive.opened(file):
            pytest.fail(f"a change of byte {place} went by")
    assert not new.exists()


def test_a_part_of_a_backup_and_another_file_are_refused(
    file: Path, new: Path, tmp_path: Path
) -> None:
    whole = file.read_bytes()
    for length in (0, 100, 600, len(whole) // 2, len(members(file)["database.dump"])):
        file.write_bytes(whole[:length])
        with pytest.raises(Fault, match=NONE):
            restore(nowhere, new, file)
    for strange in (b"\0" * 20_000, b"PK\3\4" + whole, bytes(range(256)) * 100):
        file.write_bytes(strange)
        with pytest.raises(Fault, match=NONE):
            restore(nowhere, new, file)
    for missing in (tmp_path / "nothing", tmp_path):
        with pytest.raises(Fault, match="can't be read"):
            restore(nowhere, new, missing)
    assert not new.exists()


@pytest.mark.parametrize(
    "name", ["keys/../../evil.key", "keys/.hidden.key", "keys/postgres.password", "keys/", "evil"]
)
def test_a_backup_brings_keys_alone_and_names_no_other_place(
    file: Path, new: Path, name: str
) -> None:
    parts = members(file)
    parts[name] = parts.pop("keys/bot.token")
    with pytest.raises(Fault, match="not a backup"):
        restore(nowhere, new, remade(file, parts))


def test_a_backup_of_a_later_version_is_refused(file: Path, new: Path) -> None:
    parts = members(file)
    about = json.loads(parts["manifest.json"])
    parts["manifest.json"] = json.dumps({**about, "revision": "9999"}).encode()
    with pytest.raises(Fault, match="later version"):
        restore(nowhere, new, remade(file, parts))


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


def test_a_house_without_its_keys_is_not_backed_up(
    kept: Path, database_url: str, empty_url: str, tmp_path: Path
) -> None:
    target = tmp_path / "target"
    with pytest.raises(Fault, match="no house"):
        back_up(at(empty_url), kept, target)
    for name in ("sealing.key", "log.key", "signing.key"):
        key = (kept / name).read_bytes()
        (kept / name).unlink()
        with pytest.raises(Fault, match=rf"{name} is missing"):
            back_up(nowhere, kept, target)
        read_or_make_key(kept, name)
        (kept / name).write_bytes(key)
    (kept / "signing.key").chmod(0o644)
    with pytest.raises(Fault, match="0600"):
        back_up(nowhere, kept, target)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept"]


def test_no_file_is_overwritten_and_none_is_left_half_written(
    file: Path, kept: Path, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = file.read_bytes()
    with pytest.raises(Fault, match="is there already"):
        back_up(nowhere, kept, file)
    assert file.read_bytes() == before
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Fault, match="is there already"):
        back_up(nowhere, kept, tmp_path / "link")
    with pytest.raises(Fault, match="can't be written to"):
        back_up(at(database_url), kept, tmp_path / "no-such-folder" / "file")
    monkeypatch.setattr(binaries, "_folders_with", lambda program: set())
    monkeypatch.setattr(binaries, "_package", lambda name: None)
    with pytest.raises(Fault, match="pg_dump of PostgreSQL"):
        back_up(at(database_url), kept, tmp_path / "other")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "kept", "link"]


def test_keys_that_are_another_database_s_are_not_backed_up_with_this_one(
    kept: Path, database_url: str, tmp_path: Path
) -> None:
    execute(
        database_url,
        "insert into ledger.seal (seq, xid_from, xid_to, entries, postings, holds, outcomes, root,"
        " prev_hash, seal_hash, server_pub, signature) select 1, 0, 1, 1, 2, 0, 0, z, z, z, z,"
        " z || z from (select decode(repeat('00', 32), 'hex') as z) t",
    )
    with pytest.raises(Fault, match="not those of this database"):
        back_up(at(database_url), kept, tmp_path / "target")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept"]
