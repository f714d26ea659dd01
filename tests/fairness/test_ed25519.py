"""The verifier's own Ed25519 against RFC 8032, `cryptography` and known forgeries."""

import random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from server.fairness import ed25519

ORDER = 2**252 + 27742317777372353535851937790883648493
P = 2**255 - 19

RFC_8032_7_1 = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]

SMALL_ORDER_KEYS = [
    # the eight points of small order: 0, 1 and -1 as y, the two of order 8, and their signs
    bytes(32),
    bytes(31) + b"\x80",
    b"\x01" + bytes(31),
    (P - 1).to_bytes(32, "little"),
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85"),
    bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
    bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"),
]


def their_verdict(public: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


@pytest.mark.parametrize(("public", "message", "signature"), RFC_8032_7_1)
def test_rfc_8032_7_1_known_signatures_hold(public: str, message: str, signature: str) -> None:
    parts = [bytes.fromhex(text) for text in (public, message, signature)]
    assert ed25519.verify(parts[0], parts[1], parts[2])
    assert not ed25519.verify(parts[0], parts[1] + b"x", parts[2])


def test_random_signatures_hold_as_cryptography_makes_them() -> None:
    for number in range(30):
        key = Ed25519PrivateKey.generate()
        message = bytes([number]) * number
        assert ed25519.verify(key.public_key().public_bytes_raw(), message, key.sign(message))


def test_mutated_inputs_get_the_verdict_of_cryptography() -> None:
    chance = random.Random(8032)
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public = key.public_key().public_bytes_raw()
    verdicts = set()
    for _ in range(150):
        message = chance.randbytes(20)
        parts = [bytearray(public), bytearray(message), bytearray(key.sign(message))]
        if chance.random() < 0.9:
            part = chance.choice(parts)
            part[chance.randrange(len(part))] ^= 1 << chance.randrange(8)
        one, two, three = map(bytes, parts)
        assert ed25519.verify(one, two, three) == their_verdict(one, two, three)
        verdicts.add(ed25519.verify(one, two, three))
    assert verdicts == {True, False}


def test_8_keys_of_small_order_verify_no_forgery() -> None:
    """Under the zero key (order 4) R = 1, S = 0 verifies every fourth message elsewhere."""
    forged = b"\x01" + bytes(63)
    for public in SMALL_ORDER_KEYS:
        assert not ed25519.is_acceptable_key(public)
        for number in range(16):
            assert not ed25519.verify(public, bytes([number]), forged)
            assert not ed25519.verify(public, bytes([number]), bytes(64))


def test_an_s_beyond_the_order_is_refused() -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    signature = key.sign(b"m")
    scalar = int.from_bytes(signature[32:], "little") + ORDER
    malleable = signature[:32] + scalar.to_bytes(32, "little")
    assert ed25519.verify(key.public_key().public_bytes_raw(), b"m", signature)
    assert not ed25519.verify(key.public_key().public_bytes_raw(), b"m", malleable)


@pytest.mark.parametrize("beyond", range(19))
def test_points_that_are_not_canonical_are_refused_as_keys(beyond: int) -> None:
    for sign in (0, 1 << 255):
        assert not ed25519.is_acceptable_key((P + beyond | sign).to_bytes(32, "little"))


def test_a_point_off_the_curve_is_refused_as_key() -> None:
    assert not ed25519.is_acceptable_key(b"\x02" + bytes(31))


def test_other_lengths_are_refused() -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    public, signature = key.public_key().public_bytes_raw(), key.sign(b"m")
    assert not ed25519.verify(public[:-1], b"m", signature)
    assert not ed25519.verify(public + b"\x00", b"m", signature)
    assert not ed25519.verify(public, b"m", signature[:-1])
    assert not ed25519.verify(public, b"m", signature + b"\x00")
    assert not ed25519.verify(b"", b"m", b"")
