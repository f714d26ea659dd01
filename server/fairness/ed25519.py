"""Ed25519 verification by RFC 8032, with integers alone, for where nothing is installed.

Stricter than the RFC where it leaves a choice: keys of small order and encodings that are not
canonical are refused, and the equation is checked without the cofactor. Nothing here is secret, so
nothing here needs constant time.
"""

import hashlib
from functools import cache, lru_cache

KEY_BYTES = 32
SIGNATURE_BYTES = 64

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_D2 = 2 * _D % _P
_ROOT_OF_MINUS_ONE = pow(2, (_P - 1) // 4, _P)
_SIGN = 1 << 255
_KEYS_KEPT = 64
_WINDOW_BITS = 4
_WINDOWS = 64

Point = tuple[int, int, int, int]
"""Extended coordinates X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z."""

Table = tuple[tuple[Point, ...], ...]
"""For each 4-bit window of a scalar, the multiples 0..15 of the point at that window."""

_NEUTRAL: Point = (0, 1, 1, 0)


def is_acceptable_key(public: bytes) -> bool:
    """Tell whether a key is a canonical point, and not one of the few of small order."""
    return _key_point(public) is not None


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Tell whether the signature is the key's over the message.

    Shape:  a key of 32 bytes, a signature of 64; any other length is answered with False.
    Source: RFC 8032 section 5.1.7.
    """
    scalar = int.from_bytes(signature[32:], "little")
    if len(signature) != SIGNATURE_BYTES or scalar >= _ORDER:
        return False
    table = _negative_table(public)
    if table is None:
        return False
    challenge = hashlib.sha512(signature[:32] + public + message).digest()
    factor = int.from_bytes(challenge, "little") % _ORDER
    found = _add(_multiple(_base_table(), scalar), _multiple(table, factor))
    # compared as bytes, so that an R which is not canonical never equals
    return _encode(found) == signature[:32]


@lru_cache(_KEYS_KEPT)
def _negative_table(public: bytes) -> Table | None:
    point = _key_point(public)
    if point is None:
        return None
    x, y, z, t = point
    return _table(((_P - x) % _P, y, z, (_P - t) % _P))


def _key_point(public: bytes) -> Point | None:
    point = _decode(public) if len(public) == KEY_BYTES else None
    if point is None:
        return None
    eightfold = point
    for _ in range(3):
        eightfold = _add(eightfold, eightfold)
    return None if eightfold[0] == 0 else point


@cache
def _base_table() -> Table:
    y = 4 * pow(5, -1, _P) % _P
    base = _decode(y.to_bytes(32, "little"))
    assert base is not None
    return _table(base)


def _table(point: Point) -> Table:
    rows = []
    for _ in range(_WINDOWS):
        row = [_NEUTRAL]
        for _ in range(1 << _WINDOW_BITS):
            row.append(_add(row[-1], point))
        point = row.pop()
        rows.append(tuple(row))
    return tuple(rows)


def _multiple(table: Table, scalar: int) -> Point:
    total = _NEUTRAL
    for row in table:
        if digit := scalar & 15:
            total = _add(total, row[digit])
        scalar >>= _WINDOW_BITS
    return total


def _add(one: Point, other: Point) -> Point:
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a = (y1 - x1) * (y2 - x2) % _P
    b = (y1 + x1) * (y2 + x2) % _P
    c = t1 * _D2 * t2 % _P
    d = 2 * z1 * z2 % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _decode(encoded: bytes) -> Point | None:
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (_SIGN - 1)
    if y >= _P:
        return None
    u, v = (y * y - 1) % _P, (_D * y * y + 1) % _P
    x = u * pow(v, 3, _P) * pow(u * pow(v, 7, _P), (_P - 5) // 8, _P) % _P
    if v * x * x % _P != u:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if v * x * x % _P != u or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return (x, y, 1, x * y % _P)


def _encode(point: Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, _P)
    return (y * inverse % _P | (x * inverse % _P & 1) << 255).to_bytes(32, "little")
