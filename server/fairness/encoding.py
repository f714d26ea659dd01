"""The one injective encoding, and the hashes made over it (fairdeal/1 section 2)."""

import hashlib
import hmac

PREFIX = "fairdeal/1/"
HASH_BYTES = 32
ZERO_HASH = bytes(HASH_BYTES)
"""Stands in the place of a value that is not there; as a seat's key it means "no key"."""


def enc(label: str, *fields: bytes) -> bytes:
    """Encode a label and its fields so that no two lists of fields give the same bytes.

    Errors: UnicodeEncodeError if the label is not ASCII; OverflowError beyond 65535 fields.
    Source: fairdeal/1 section 2 (`enc`).
    """
    name = (PREFIX + label).encode("ascii")
    parts = [u16(len(name)), name, u16(len(fields))]
    for field in fields:
        parts += (u32(len(field)), field)
    return b"".join(parts)


def dec(data: bytes) -> tuple[str, tuple[bytes, ...]]:
    """Take an encoding apart: its label, its fields.

    Errors: ValueError if `data` is not exactly what `enc` gives for some label and fields.
    """
    fields, prefix = [], PREFIX.encode("ascii")
    name, at = _cut(data, 0, 2)
    count, at = int.from_bytes(data[at : at + 2], "big"), at + 2
    for _ in range(count):
        field, at = _cut(data, at, 4)
        fields.append(field)
    if at != len(data) or not name.startswith(prefix) or not name.isascii():
        raise ValueError("not an encoding of fairdeal/1")
    return name[len(prefix) :].decode("ascii"), tuple(fields)


def _cut(data: bytes, at: int, width: int) -> tuple[bytes, int]:
    """Cut off a part that has its length before it; the part, and where the next one begins."""
    first = at + width
    last = first + int.from_bytes(data[at:first], "big")
    if last > len(data):
        raise ValueError("not an encoding of fairdeal/1")
    return data[first:last], last


def digest(label: str, *fields: bytes) -> bytes:
    """Hash a label and its fields with SHA-256. Source: fairdeal/1 section 2 (`H`)."""
    return hashlib.sha256(enc(label, *fields)).digest()


def mac(key: bytes, label: str, *fields: bytes) -> bytes:
    """Derive 32 bytes from a key with HMAC-SHA-256.

    Errors: ValueError if the key is not 32 bytes.
    Source: fairdeal/1 section 2 (`M`).
    """
    return hmac.digest(hash32(key), enc(label, *fields), "sha256")


def signed_bytes(role: str, digest32: bytes) -> bytes:
    """Encode what a signature covers: the role, then the digest.

    Errors: ValueError if the digest is not 32 bytes.
    Source: fairdeal/1 section 2 ("Signatures").
    """
    return enc("sig", role.encode("ascii"), hash32(digest32))


def hash32(value: bytes) -> bytes:
    """Pass a hash, key or seed on if it is exactly 32 bytes; ValueError if not (check 19)."""
    if len(value) != HASH_BYTES:
        raise ValueError(f"expected {HASH_BYTES} bytes, not {len(value)}")
    return value


def u8(number: int) -> bytes:
    """Encode an unsigned integer of 8 bits; OverflowError if it is not one."""
    return number.to_bytes(1, "big")


def u16(number: int) -> bytes:
    """Encode an unsigned integer of 16 bits; OverflowError if it is not one."""
    return number.to_bytes(2, "big")


def u32(number: int) -> bytes:
    """Encode an unsigned integer of 32 bits; OverflowError if it is not one."""
    return number.to_bytes(4, "big")


def u64(number: int) -> bytes:
    """Encode an unsigned integer of 64 bits; OverflowError if it is not one."""
    return number.to_bytes(8, "big")
