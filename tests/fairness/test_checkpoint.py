"""Checkpoints: three signed lines, of this log and of no other, never of size 0."""

import pickle
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from server.fairness.checkpoint import (
    Checkpoint,
    read_checkpoint,
    sign_checkpoint,
    unproved_checkpoint,
)
from server.fairness.note import RefusedNote, open_note, sign_note
from server.fairness.signing import LOG_KEY_FILE, LogSigner, SigningKey
from tests.fairness.test_note import second_reading

ORIGIN = "pakka.example/fairdeal-1"
ROOT = bytes(range(32))
ROOT64 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
SIGNER = LogSigner(bytes(range(32)), ORIGIN)
NOTE = SIGNER.checkpoint(size=7, root=ROOT)


def code_of(note: str, signer: LogSigner = SIGNER) -> str:
    with pytest.raises(RefusedNote) as refused:
        read_checkpoint(note, signer.key)
    return refused.value.code


def test_4_a_checkpoint_is_origin_size_and_root_signed_by_the_origins_key() -> None:
    text = f"{ORIGIN}\n7\n{ROOT64}\n"
    assert NOTE.startswith(f"{text}\n— {ORIGIN} ")
    assert second_reading(NOTE.encode(), SIGNER.key.vkey).decode() == text
    assert read_checkpoint(NOTE, SIGNER.key) == Checkpoint(ORIGIN, 7, ROOT)
    assert unproved_checkpoint(NOTE) == Checkpoint(ORIGIN, 7, ROOT)


def test_4_the_same_checkpoint_is_signed_in_the_same_bytes() -> None:
    assert LogSigner(bytes(range(32)), ORIGIN).checkpoint(size=7, root=ROOT) == NOTE


def test_4_a_checkpoint_of_another_origin_is_refused() -> None:
    other = LogSigner(bytes(range(32)), "other.example/fairdeal-1")
    assert code_of(other.checkpoint(size=7, root=ROOT)) == "other_origin"
    lies = sign_note(f"other.example/fairdeal-1\n7\n{ROOT64}\n", SIGNER.key, PRIVATE.sign)
    assert open_note(lies, SIGNER.key)
    assert code_of(lies) == "other_origin"
    with pytest.raises(ValueError, match="its origin as name"):
        sign_checkpoint(Checkpoint("other.example/x", 7, ROOT), SIGNER.key, PRIVATE.sign)


def test_4_a_forged_checkpoint_is_refused() -> None:
    assert code_of(NOTE.replace("\n7\n", "\n8\n")) == "bad_signature"
    forger = LogSigner(bytes(32), ORIGIN)
    assert code_of(forger.checkpoint(size=7, root=ROOT)) == "not_signed"


BAD_TEXTS = {
    "size 0": f"{ORIGIN}\n0\n{ROOT64}\n",
    "a size with a zero before it": f"{ORIGIN}\n07\n{ROOT64}\n",
    "a size with a sign": f"{ORIGIN}\n+7\n{ROOT64}\n",
    "a size of other digits": f"{ORIGIN}\n७\n{ROOT64}\n",
    "a size beyond 63 bits": f"{ORIGIN}\n{2**63}\n{ROOT64}\n",
    "a root of 31 bytes": f"{ORIGIN}\n7\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg==\n",
    "a root that is no base64": f"{ORIGIN}\n7\n{ROOT64[:-1]}\n",
    "no root": f"{ORIGIN}\n7\n",
    "a line more": f"{ORIGIN}\n7\n{ROOT64}\nmore\n",
    "an empty origin": f"\n7\n{ROOT64}\n",
    "an origin with a space": f"pakka example\n7\n{ROOT64}\n",
}


@pytest.mark.parametrize("name", BAD_TEXTS)
def test_19_a_checkpoint_of_another_form_is_refused_though_it_is_signed(name: str) -> None:
    note = sign_note(BAD_TEXTS[name], SIGNER.key, PRIVATE.sign)
    assert code_of(note) == "bad_note"
    with pytest.raises(RefusedNote, match="bad_note"):
        unproved_checkpoint(note)


@pytest.mark.parametrize(("size", "root"), [(0, ROOT), (-1, ROOT), (2**63, ROOT), (7, b"short")])
def test_19_what_can_be_no_checkpoint_is_not_signed(size: int, root: bytes) -> None:
    with pytest.raises(ValueError, match="size above 0"):
        SIGNER.checkpoint(size=size, root=root)


def test_7_the_log_has_a_key_of_its_own_that_stays_in_its_holder(tmp_path: Path) -> None:
    signer = LogSigner.from_file(tmp_path, ORIGIN)
    assert (tmp_path / LOG_KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert LogSigner.from_file(tmp_path, ORIGIN).key == signer.key
    assert SigningKey.from_file(tmp_path).public != signer.key.public
    secret = (tmp_path / LOG_KEY_FILE).read_bytes()
    assert secret.hex() not in repr(signer)
    with pytest.raises(TypeError, match="not to be pickled"):
        pickle.dumps(signer)
    with pytest.raises(ValueError, match="printable ASCII"):
        LogSigner(secret, "an origin")
