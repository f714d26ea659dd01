"""Secrets stay in their holders, at rest as in memory."""

import hashlib
import json
import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import UUID

import pytest

from server.errors import Fault
from server.fairness.ed25519 import verify
from server.fairness.encoding import signed_bytes
from server.fairness.seal import Sealer, Seed
from server.fairness.signing import SigningKey, is_signed
from server.secret_files import read_or_make_key

SECRET = bytes(range(32))
TABLE = UUID(int=7)


# --- key files


def test_7_a_key_is_made_at_the_first_start_with_mode_0600(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        key = read_or_make_key(tmp_path, "signing.key")
    finally:
        os.umask(before)
    assert len(key) == 32
    assert [path.name for path in tmp_path.iterdir()] == ["signing.key"]
    assert (tmp_path / "signing.key").stat().st_mode & 0o777 == 0o600
    assert read_or_make_key(tmp_path, "signing.key") == key
    assert read_or_make_key(tmp_path, "sealing.key") != key


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o700, 0o400])
def test_7_a_key_file_of_another_mode_is_refused(tmp_path: Path, mode: int) -> None:
    read_or_make_key(tmp_path, "signing.key")
    (tmp_path / "signing.key").chmod(mode)
    with pytest.raises(Fault, match=f"mode 0600, not {mode:04o}"):
        read_or_make_key(tmp_path, "signing.key")


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_key_file_of_another_size_is_refused(tmp_path: Path, size: int) -> None:
    path = tmp_path / "signing.key"
    path.touch(mode=0o600)
    path.write_bytes(bytes(size))
    with pytest.raises(Fault, match="32 bytes"):
        read_or_make_key(tmp_path, "signing.key")


def test_a_link_or_folder_in_the_place_of_a_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.key").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "b.key").mkdir(mode=0o600)
    with pytest.raises(Fault, match="can't be read"):
        read_or_make_key(tmp_path, "a.key")
    with pytest.raises(Fault, match="no plain file"):
        read_or_make_key(tmp_path, "b.key")


def test_a_folder_that_is_not_there_is_a_fault_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="can't be made"):
        read_or_make_key(tmp_path / "nowhere", "signing.key")


def test_processes_that_start_at_once_read_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as threads:
        keys = set(threads.map(lambda _: read_or_make_key(tmp_path, "signing.key"), range(64)))
    assert len(keys) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["signing.key"]


# --- signing


def test_2_a_signature_is_over_its_role_and_digest() -> None:
    key = SigningKey(SECRET)
    signature = key.sign("head", bytes(32))
    assert verify(key.public, signed_bytes("head", bytes(32)), signature)
    assert is_signed(key.public, "head", bytes(32), signature)
    assert not is_signed(key.public, "list", bytes(32), signature)
    assert not is_signed(key.public, "head", SECRET, signature)
    assert not is_signed(SigningKey(bytes(32)).public, "head", bytes(32), signature)
    assert not is_signed(key.public, "head", bytes(32), signature[:-1])


def test_8_the_key_of_zeros_has_signed_nothing() -> None:
    forged = b"\x01" + bytes(63)
    assert not any(is_signed(bytes(32), "commit", bytes([n]) * 32, forged) for n in range(32))


def test_7_a_signing_key_does_not_show_its_secret(tmp_path: Path) -> None:
    key = SigningKey(SECRET)
    assert repr(key) == f"<SigningKey {key.public.hex()}>"
    with pytest.raises(TypeError):
        pickle.dumps(key)
    assert SigningKey.from_file(tmp_path).public == SigningKey.from_file(tmp_path).public
    with pytest.raises(ValueError, match="32 bytes"):
        SigningKey(b"short")


# --- seeds


def test_7_a_seed_has_no_repr_no_json_no_pickle_and_no_hash() -> None:
    seed = Seed(SECRET)
    assert repr(seed) == str(seed) == f"{seed}" == "<Seed>"
    for serialise in (json.dumps, pickle.dumps, hash):
        with pytest.raises(TypeError):
            serialise(seed)
    assert not hasattr(seed, "__dict__")


def test_7_seeds_are_compared_by_their_bytes() -> None:
    assert Seed(SECRET) == Seed(SECRET)
    assert Seed(SECRET) != Seed(bytes(32))
    assert Seed(SECRET) != SECRET


def test_3_seeds_are_fresh_each_time() -> None:
    assert len({Seed.fresh().expose() for _ in range(100)}) == 100


def test_7_a_seal_opens_in_its_own_place_alone() -> None:
    sealer = Sealer(SECRET)
    sealed = sealer.seal(Seed(SECRET), table_id=TABLE, hand_no=3, attempt=1)
    assert SECRET not in sealed
    assert sealed != sealer.seal(Seed(SECRET), table_id=TABLE, hand_no=3, attempt=1)
    assert sealer.unseal(sealed, table_id=TABLE, hand_no=3, attempt=1) == Seed(SECRET)
    for table, hand_no, attempt in ((UUID(int=8), 3, 1), (TABLE, 4, 1), (TABLE, 3, 0)):
        with pytest.raises(Fault, match=f"hand {hand_no}, attempt {attempt}"):
            sealer.unseal(sealed, table_id=table, hand_no=hand_no, attempt=attempt)


def test_7_a_mark_is_the_same_for_the_same_digest_and_means_nothing_without_the_key() -> None:
    sealer, digest = Sealer(SECRET), hashlib.sha256(b"discard 7H").digest()
    assert sealer.mark(digest) == Sealer(SECRET).mark(digest)
    assert len(sealer.mark(digest)) == len(digest)
    others = {digest, Sealer(bytes(32)).mark(digest), sealer.mark(bytes(32))}
    assert sealer.mark(digest) not in others


def test_7_a_changed_seal_or_another_key_is_a_fault_and_shows_nothing() -> None:
    sealer = Sealer(SECRET)
    sealed = sealer.seal(Seed(SECRET), table_id=TABLE, hand_no=3, attempt=1)
    changed = [sealed[:i] + bytes([sealed[i] ^ 1]) + sealed[i + 1 :] for i in range(len(sealed))]
    for other in [*changed, b"", sealed[:-1], sealed + b"\x00"]:
        with pytest.raises(Fault, match="does not open"):
            sealer.unseal(other, table_id=TABLE, hand_no=3, attempt=1)
    with pytest.raises(Fault) as caught:
        Sealer(bytes(32)).unseal(sealed, table_id=TABLE, hand_no=3, attempt=1)
    assert caught.value.__cause__ is None
    assert SECRET.hex() not in str(caught.value)
    assert repr(sealer) == "<Sealer>"
