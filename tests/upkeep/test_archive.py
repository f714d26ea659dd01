"""Backups that are none, or not any more what they were; houses that can't be backed up."""

import json
import random
import re
import tarfile
from pathlib import Path

import pytest

from server.embedded import binaries
from server.errors import Fault
from server.secret_files import read_or_make_key
from server.upkeep import archive
from server.upkeep.backup import back_up
from server.upkeep.restore import restore
from tests.conftest import execute
from tests.upkeep.house import at, members, nowhere, remade

NONE = re.compile(r"not a backup|damaged|can't be read")


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
