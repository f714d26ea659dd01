"""Signed notes: the example that Go's documentation publishes, a second reading, and attacks."""

import base64
import hashlib

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from server.fairness.note import NoteKey, RefusedNote, key_of, open_note, sign_note, text_of

# golang.org/x/mod/sumdb/note: the example of the package's documentation (the key is public there)
VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SECRET = base64.b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
STAMP = (
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
)
NOTE = f"{TEXT}\n— PeterNeumann {STAMP}\n"

KEY = key_of(VKEY)
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))
OTHER_KEY = NoteKey("other.example/log", OTHER.public_key().public_bytes_raw())


def second_reading(note: bytes, vkey: str) -> bytes:
    """Read a note anew from C2SP's words alone, sharing no code with the one that is tested."""
    name, key_id, material = vkey.encode().split(b"+", 2)
    raw = base64.b64decode(material)
    assert raw[0] == 1
    assert hashlib.sha256(name + b"\n" + raw).hexdigest()[:8].encode() == key_id
    at = note.rindex(b"\n\n")
    text, lines = note[: at + 1], note[at + 2 :].splitlines()
    for line in lines:
        dash, signer, stamp = line.split(b" ")
        assert dash == "—".encode()
        signed = base64.b64decode(stamp)
        if signer == name and signed[:4].hex().encode() == key_id:
            Ed25519PublicKey.from_public_bytes(raw[1:]).verify(signed[4:], text)
            return text
    raise InvalidSignature


def code_of(note: str, key: NoteKey = KEY) -> str:
    with pytest.raises(RefusedNote) as refused:
        open_note(note, key)
    return refused.value.code


def test_the_published_key_has_its_published_id() -> None:
    assert (KEY.name, KEY.key_id.hex(), KEY.vkey) == ("PeterNeumann", "c74f20a3", VKEY)


def test_the_published_note_opens_and_is_signed_again_byte_for_byte() -> None:
    private = Ed25519PrivateKey.from_private_bytes(SECRET)
    assert open_note(NOTE, KEY) == TEXT
    assert sign_note(TEXT, KEY, private.sign) == NOTE


def test_a_second_reading_agrees_with_ours() -> None:
    for text in ("one\n", "log/fairdeal-1\n7\nAAAA\n", "पक्का\n\nwith an empty line\n"):
        note = sign_note(text, OTHER_KEY, OTHER.sign)
        assert second_reading(note.encode(), OTHER_KEY.vkey).decode() == text
        assert open_note(note, OTHER_KEY) == text
    assert second_reading(NOTE.encode(), VKEY).decode() == TEXT


def test_another_signature_beside_ours_is_passed_over() -> None:
    stranger = sign_note(TEXT, OTHER_KEY, OTHER.sign).removeprefix(TEXT + "\n")
    for note in (NOTE + stranger, f"{TEXT}\n{stranger}{NOTE.removeprefix(TEXT)[1:]}"):
        assert open_note(note, KEY) == TEXT
        assert second_reading(note.encode(), VKEY).decode() == TEXT


def test_a_note_that_was_changed_is_refused() -> None:
    assert code_of(NOTE.replace("cryptography", "cryptographY")) == "bad_signature"
    raw = bytearray(base64.b64decode(STAMP))
    raw[40] ^= 1
    assert code_of(NOTE.replace(STAMP, base64.b64encode(raw).decode())) == "bad_signature"
    short = base64.b64encode(base64.b64decode(STAMP)[:-1]).decode()
    assert code_of(NOTE.replace(STAMP, short)) == "bad_signature"
    assert code_of(NOTE + f"— PeterNeumann {base64.b64encode(raw).decode()}\n") == "bad_signature"


def test_a_note_that_the_pinned_key_did_not_sign_is_refused() -> None:
    assert code_of(NOTE, OTHER_KEY) == "not_signed"
    assert code_of(NOTE, NoteKey("PeterNeuman", KEY.public)) == "not_signed"
    assert code_of(NOTE, NoteKey(KEY.name, OTHER_KEY.public)) == "not_signed"


BAD = {
    "nothing": "",
    "no signatures": TEXT,
    "an empty line and no signatures": TEXT + "\n",
    "no last line feed": NOTE[:-1],
    "another dash": NOTE.replace("—", "-"),
    "no name": f"{TEXT}\n—  {STAMP}\n",
    "a plus in a name": NOTE + f"— a+b {STAMP}\n",
    "two spaces": NOTE.replace("— PeterNeumann ", "— PeterNeumann  "),
    "more words": NOTE[:-1] + " x\n",
    "not base64": NOTE.replace(STAMP, STAMP[:-2]),
    "base64 with a tail": NOTE.replace(STAMP, STAMP[:-2] + "N="),
    "no bytes but the id": NOTE.replace(STAMP, STAMP[:5] + "ow=="),
    "a carriage return": NOTE.replace("\n", "\r\n"),
    "a control character": "\x00" + NOTE,
    "half a letter": "\ud800" + NOTE,
    "too long": "x" * 4_096 + NOTE,
    "too many signatures": NOTE + f"— other {STAMP}\n" * 16,
}


@pytest.mark.parametrize("name", BAD)
def test_a_note_of_another_form_is_refused(name: str) -> None:
    assert code_of(BAD[name]) == "bad_note"
    with pytest.raises(RefusedNote):
        text_of(BAD[name])


def test_the_bad_notes_are_bad_for_one_reason_each() -> None:
    assert text_of(NOTE + f"— other {STAMP}\n" * 15) == TEXT


BAD_KEYS = {
    "two parts": "PeterNeumann+c74f20a3",
    "another id": VKEY.replace("c74f20a3", "c74f20a4"),
    "an id in capitals": VKEY.replace("c74f20a3", "C74F20A3"),
    "another name": VKEY.replace("Peter", "Petra"),
    "a name with a space": VKEY.replace("Peter", "Peter "),
    "no name": VKEY.removeprefix("PeterNeumann"),
    "a short key": "PeterNeumann+c74f20a3+ARpc2Q==",
    "another algorithm": VKEY.replace("+ARpc", "+Ahpc"),
    "not base64": VKEY + "!",
    "a secret key": f"PRIVATE+KEY+PeterNeumann+c74f20a3+{base64.b64encode(b'1' + SECRET).decode()}",
    "a key that verifies forgeries": NoteKey("PeterNeumann", bytes(32)).vkey,
}


@pytest.mark.parametrize("name", BAD_KEYS)
def test_a_key_of_another_form_is_refused(name: str) -> None:
    with pytest.raises(RefusedNote) as refused:
        key_of(BAD_KEYS[name])
    assert refused.value.code == "bad_vkey"


def test_what_can_be_no_note_is_not_signed() -> None:
    for text, key in (("no line feed", OTHER_KEY), ("x\n", NoteKey("a b", OTHER_KEY.public))):
        with pytest.raises(ValueError, match="whole lines"):
            sign_note(text, key, OTHER.sign)
