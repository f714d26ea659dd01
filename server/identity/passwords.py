"""Passwords by argon2id, tokens by SHA-256."""

import asyncio
import hashlib
import secrets
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from server.errors import Refusal

PASSWORD_MIN: Final = 8
PASSWORD_MAX: Final = 128
TOKEN_BYTES: Final = 32
TOKEN_MAX: Final = 128

_hasher: Final = PasswordHasher()
_threads: Final = ThreadPoolExecutor(2, "pakka-argon2")
"""Two at once: each takes 64 MiB and a core, and the event loop goes on meanwhile."""


def check_password(password: str) -> None:
    """Refuse a password that is too short or too long.

    Errors: Refusal `bad_password`.
    """
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        text = f"a password has {PASSWORD_MIN} to {PASSWORD_MAX} characters"
        raise Refusal("bad_password", text, "password")
    if not _is_text(password):
        raise Refusal("bad_password", "a password is text", "password")


async def hash_of_password(password: str) -> str:
    """Derive what is kept of a password."""
    return await asyncio.get_running_loop().run_in_executor(_threads, _hasher.hash, password)


async def is_password(password: str, kept: str | None) -> bool:
    """Tell whether that is the password; for nobody's (`kept` is None) it takes as long."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads, _verify, password, kept)


def is_outdated(kept: str) -> bool:
    """Tell whether a password should be hashed anew, with today's cost."""
    return _hasher.check_needs_rehash(kept)


def new_token() -> str:
    """Make a token that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_of_token(token: str) -> bytes:
    """Derive what is kept of a token: it has 256 bits of chance, so one plain hash is enough."""
    return hashlib.sha256(token[:TOKEN_MAX].encode("utf-8", "replace")).digest()


def _verify(password: str, kept: str | None) -> bool:
    if len(password) > PASSWORD_MAX or not _is_text(password):
        password, kept = "", None
    try:
        matches = _hasher.verify(kept if kept is not None else _nobodys(), password)
    except (VerificationError, InvalidHashError):
        return False
    return matches and kept is not None


def _is_text(password: str) -> bool:
    """Tell whether it can be encoded: JSON lets half a surrogate pair through."""
    return not any("\ud800" <= character <= "\udfff" for character in password)


@cache
def _nobodys() -> str:
    return _hasher.hash(new_token())
