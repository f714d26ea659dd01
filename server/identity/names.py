"""Names: which are allowed, and when two are the same. Pure."""

import unicodedata
from typing import Final

from server.errors import Refusal

NAME_MIN: Final = 2
NAME_MAX: Final = 24
GUEST_MARK: Final = "#"
"""Parts a guest's name from its number; no account's name may hold it."""

_GONE: Final = "gone" + GUEST_MARK


def clean_name(written: str) -> str:
    """Read a name as its bearer wrote it: NFC, without spaces at its ends.

    Units:  `NAME_MIN` to `NAME_MAX` characters.
    Errors: Refusal `bad_name`.
    """
    name = unicodedata.normalize("NFC", written.strip())
    if not NAME_MIN <= len(name) <= NAME_MAX:
        raise Refusal("bad_name", f"a name has {NAME_MIN} to {NAME_MAX} characters", "name")
    if not name.isprintable() or GUEST_MARK in name or "  " in name:
        raise Refusal("bad_name", f"a name is printable and has no {GUEST_MARK}", "name")
    if not any(character.isalnum() for character in name):
        raise Refusal("bad_name", "a name has a letter or a digit", "name")
    return name


def key_of(name: str) -> str:
    """Derive what makes two names the same: case, width and composition don't part them."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)


def guest_name(name: str, number: int) -> str:
    """Derive the name that a guest is shown by."""
    return f"{name}{GUEST_MARK}{number}"


def name_of_nobody(player_id: int) -> str:
    """Derive what stands in place of the name of a deleted account."""
    return f"{_GONE}{player_id}"
