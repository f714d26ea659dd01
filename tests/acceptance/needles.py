"""What must not be found, and finding it in any of the forms in which bytes are written."""

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SECRET_BYTES = 32
HEX = 2 * SECRET_BYTES
CORE = 42
"""Letters of base64 that 32 bytes fix wherever they begin in what was encoded."""

CARD = re.compile(r"(?<![A-Za-z0-9#])(?:[A2-9TJQK][SHDC]|JK)(?:#[1-9])?(?![A-Za-z0-9#])", re.ASCII)
SQL_AS = re.compile(r"\bAS (?=[a-z_\"(])")
_HEX_RUN = re.compile(rf"[0-9a-fA-F]{{{HEX},}}")
_BASE64_RUN = re.compile(rf"[A-Za-z0-9+/_-]{{{CORE},}}")
_BYTES = re.compile(
    r"(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*[0-9])[A-Za-z0-9]{6}"
)
_URL_SAFE = str.maketrans("-_", "+/")


class Leak(AssertionError):
    """Something was sent or stored that its receiver may not have."""


@dataclass(frozen=True, slots=True)
class Secret:
    """Why some 32 bytes are secret.

    Shape: `kind` is "S", "key" (PRK and those made of it) or "salt"; a salt has its place.
    """

    kind: str
    table: str
    hand_no: int
    attempt: int
    epoch: int = 0
    position: int = -1


class Needles:
    """Finds secrets in text and bytes: raw, as hex of either case, as either base64."""

    def __init__(self, secrets: Mapping[bytes, Secret]) -> None:
        assert all(len(value) == SECRET_BYTES for value in secrets)
        self._raw = dict(secrets)
        self._hex = {value.hex(): secret for value, secret in secrets.items()}
        self._base64 = {core: secret for value, secret in secrets.items() for core in _cores(value)}

    def __len__(self) -> int:
        return len(self._raw)

    def find(self, text: str) -> Iterator[Secret]:
        """Find every secret in a text, whatever stands beside it."""
        for run in _HEX_RUN.finditer(text):
            yield from _windows(run[0].lower(), HEX, self._hex)
        for run in _BASE64_RUN.finditer(text):
            if _HEX_RUN.fullmatch(run[0]) is None:
                yield from _windows(run[0].translate(_URL_SAFE), CORE, self._base64)
        if not text.isascii():
            yield from self.find_raw(text.encode("latin-1", "ignore"))

    def find_raw(self, data: bytes) -> Iterator[Secret]:
        """Find every secret that lies in `data` as it is; 32 random bytes are never ASCII."""
        if not data.isascii():
            yield from _windows(data, SECRET_BYTES, self._raw)

    def find_anywhere(self, data: bytes) -> Iterator[Secret]:
        """Find every secret in bytes of unknown form."""
        yield from self.find_raw(data)
        yield from self.find(data.decode("utf-8", "replace"))


def _cores(value: bytes) -> Iterator[str]:
    for before in range(3):
        first = -(-8 * before // 6)
        written = base64.b64encode(bytes(before) + value + bytes(2)).decode("ascii")
        yield written[first : first + CORE]


def _windows(whole: Any, size: int, wanted: Mapping[Any, Secret]) -> Iterator[Secret]:
    for at in range(len(whole) - size + 1):
        found = wanted.get(whole[at : at + size])
        if found is not None:
            yield found


def faces_in(text: str) -> set[str]:
    """Find the cards that a text names; two letters of a signature between `+` and `/` are none."""
    return set(CARD.findall(_BASE64_RUN.sub(_but_for_bytes, text)))


def _but_for_bytes(run: re.Match[str]) -> str:
    """Drop what can only be bytes: neither a list of cards nor a path has words of that kind."""
    return "" if _BYTES.search(run[0]) or _is_padded(run) else run[0]


def _is_padded(run: re.Match[str]) -> bool:
    """Tell whether it ends as base64 of whole bytes does: one root in a million has no such word.

    A list of cards has no small letters; the `n` of an escaped line's end is none of the run's.
    """
    is_escaped = run.string[run.start() - 1 : run.start()] == "\\"
    letters, behind = run[0][is_escaped:], run.string[run.end() : run.end() + 2]
    padding = len(behind) - len(behind.lstrip("="))
    is_whole = padding > 0 and (len(letters) + padding) % 4 == 0
    return is_whole and not letters.isupper()


def texts_in(value: Any) -> Iterator[str]:
    """List every string of a JSON value, names of members too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner)


def demand_no_long_numbers(value: Any, *, longest: int = 8, key: str = "") -> None:
    """Refuse lists of numbers that could be an order of cards or bytes, and huge numbers.

    `numbers` are a reshuffle's call, which is judged by its own rule.
    """
    if isinstance(value, dict):
        for name, inner in value.items():
            demand_no_long_numbers(inner, longest=longest, key=name)
    elif isinstance(value, list):
        if key != "numbers" and len(value) > longest and all(isinstance(one, int) for one in value):
            raise Leak(f"{len(value)} numbers in {key!r}")
        for inner in value:
            demand_no_long_numbers(inner, longest=longest, key=key)
    elif isinstance(value, int) and abs(value) >= 2**63:
        raise Leak(f"a number of {value.bit_length()} bits in {key!r}")


def demand_nothing_secret(where: str, text: str, needles: Needles, words: Iterable[str]) -> None:
    """Refuse a text, such as a log, that holds any card, secret or sign-in. Raises Leak."""
    faces = faces_in(SQL_AS.sub("", text))
    if faces:
        raise Leak(f"{where} names {sorted(faces)}")
    for secret in needles.find_anywhere(text.encode("utf-8", "surrogateescape")):
        raise Leak(f"{where} holds {secret}")
    for word in words:
        if word in text:
            raise Leak(f"{where} holds a sign-in")
