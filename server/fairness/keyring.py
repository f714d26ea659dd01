"""The signing keys of a house: the one that signs now, and those that it has replaced.

A hand is signed to its end by the key that opened it, and a record is made when it is asked for:
so a replaced key stays, for the hands that it opened and for nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from server.fairness.signing import LOG_KEY_FILE, SIGNING_KEY_FILE, LogSigner, SigningKey
from server.secret_files import old_files


@dataclass(frozen=True, slots=True)
class Keyring:
    """Shape: `old` are the replaced keys by their public halves."""

    current: SigningKey
    old: Mapping[bytes, SigningKey]

    @classmethod
    def from_folder(cls, home: Path) -> "Keyring":
        """Load the keys of a folder (`PAKKA_HOME`); the current one is made at the first start.

        Errors: Fault if a file has a wrong mode or size.
        """
        return cls(SigningKey.from_file(home), _old_keys(home))

    @property
    def publics(self) -> frozenset[bytes]:
        """Give all public halves."""
        return frozenset({self.current.public, *self.old})


def public_keys(home: Path) -> frozenset[bytes]:
    """Read the public halves of all keys of a folder; empty if it has none. Nothing is made.

    Errors: Fault as `Keyring.from_folder`.
    """
    if not (home / SIGNING_KEY_FILE).exists():
        return frozenset()
    return Keyring.from_folder(home).publics


def old_log_signers(home: Path, origin: str) -> tuple[LogSigner, ...]:
    """Load the log's keys that were replaced. Errors: as `LogSigner.from_file`."""
    names = old_files(home, LOG_KEY_FILE)
    return tuple(LogSigner.from_file(home, origin, name) for name in names)


def _old_keys(home: Path) -> Mapping[bytes, SigningKey]:
    keys = [SigningKey.from_file(home, name) for name in old_files(home, SIGNING_KEY_FILE)]
    return {key.public: key for key in keys}
