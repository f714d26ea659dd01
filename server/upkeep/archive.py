"""A backup file: a tar that says first what is in it, readable for its owner alone.

manifest.json    format, revision of the schema, time, and the SHA-256 of every other member
database.dump    pg_dump's custom format
keys/<name>      the key files and the bots' token of PAKKA_HOME
"""

import hashlib
import io
import json
import os
import secrets
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from server.errors import Fault
from server.secret_files import MODE, SECRET_MAX_BYTES, is_secret_name, sync_folder

FORMAT: Final = "pakka-backup/1"
MANIFEST: Final = "manifest.json"
DUMP: Final = "database.dump"
KEYS: Final = "keys/"
MANIFEST_MAX_BYTES: Final = 1_048_576
PIECE_BYTES: Final = 1_048_576

_BROKEN: Final = (tarfile.TarError, EOFError, ValueError, OverflowError, RecursionError)
"""What the reader of tars says of bytes that are none, or not all."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself; `files` are its members' SHA-256 as hex."""

    revision: str
    made_at: str
    files: Mapping[str, str]


@contextmanager
def secret_beside(path: Path) -> Iterator[Path]:
    """Give an empty file beside `path` that only we may read; it is gone afterwards.

    Errors: Fault if it can't be made there.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, MODE))
    except OSError as error:
        raise Fault(f"{path.parent} can't be written to: {error.strerror}") from None
    try:
        yield beside
    finally:
        beside.unlink(missing_ok=True)


def demand_absent(target: Path) -> None:
    """Errors: Fault if there is a file of that name; no backup is ever overwritten."""
    if os.path.lexists(target):
        raise Fault(f"{target} is there already")


def write(
    target: Path, dump: Path, keys: Mapping[str, bytes], *, revision: str, made_at: str
) -> Manifest:
    """Write a backup, whole or not at all.

    Errors: Fault if there is such a file already, or it can't be written.
    """
    files = {DUMP: _sha256_of(dump)}
    files |= {KEYS + name: hashlib.sha256(key).hexdigest() for name, key in keys.items()}
    about = {"format": FORMAT, "revision": revision, "made_at": made_at, "files": files}
    with secret_beside(target) as beside:
        try:
            with beside.open("wb") as file:
                with tarfile.open(fileobj=file, mode="w") as tar:
                    add(tar, MANIFEST, json.dumps(about, indent=1).encode())
                    tar.add(dump, DUMP, filter=_plain)
                    for name, key in keys.items():
                        add(tar, KEYS + name, key)
                file.flush()
                os.fsync(file.fileno())
            os.link(beside, target)  # which fails if the name is taken
            sync_folder(target.parent)
        except FileExistsError:
            raise Fault(f"{target} is there already") from None
        except OSError as error:
            raise Fault(f"{target} can't be written: {error.strerror}") from None
    return Manifest(revision, made_at, files)


def add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    """Add a member."""
    about = tarfile.TarInfo(name)
    about.size = len(content)
    about.mode = MODE
    tar.addfile(about, io.BytesIO(content))


@contextmanager
def opened(source: Path) -> Iterator["Backup"]:
    """Open a backup, after checking that it is whole.

    Errors: Fault with one line if it isn't one, or was changed.
    """
    with ExitStack() as stack:
        with _read(source):
            tar = stack.enter_context(tarfile.open(source, mode="r:"))
        yield Backup(source, tar)


class Backup:
    """A backup that is being read. Nothing of it is unpacked by the names that it brings."""

    def __init__(self, source: Path, tar: tarfile.TarFile) -> None:
        """Take an open tar.

        Errors: Fault if it is none of ours, or a member is missing, too many, or was changed.
        """
        self._source = source
        self._tar = tar
        with _read(source):
            self.manifest = self._read_manifest()
            self._demand_whole()

    def keys(self) -> dict[str, bytes]:
        """Read the key files by their names."""
        found = {}
        for name, wanted in self.manifest.files.items():
            if name.startswith(KEYS):
                with _read(self._source), self._member(name) as file:
                    found[name.removeprefix(KEYS)] = key = file.read(SECRET_MAX_BYTES)
                self._demand_digest(name, hashlib.sha256(key).hexdigest(), wanted)
        return found

    def copy_dump(self, target: Path) -> None:
        """Copy the database's dump to a file. Errors: Fault if it changed since we looked."""
        with _read(self._source), self._member(DUMP) as file, target.open("wb") as out:
            while piece := file.read(PIECE_BYTES):
                out.write(piece)
        self._demand_digest(DUMP, _sha256_of(target), self.manifest.files[DUMP])

    def _read_manifest(self) -> Manifest:
        try:
            with self._member(MANIFEST) as file:
                about: Any = json.loads(file.read(MANIFEST_MAX_BYTES))
            files = {str(name): str(digest) for name, digest in about["files"].items()}
            if about["format"] != FORMAT or DUMP not in files:
                raise ValueError
            if not all(_is_ours(name) for name in files):
                raise ValueError
            return Manifest(str(about["revision"]), str(about["made_at"]), files)
        except (KeyError, TypeError, AttributeError):
            raise ValueError from None

    def _demand_whole(self) -> None:
        names = self._tar.getnames()
        if sorted(names) != sorted([MANIFEST, *self.manifest.files]):
            raise Fault(f"{self._source} is damaged: it does not hold the files that it names")
        for name, wanted in self.manifest.files.items():
            with self._member(name) as file:
                self._demand_digest(name, _sha256(file), wanted)

    def _demand_digest(self, name: str, found: str, wanted: str) -> None:
        if found != wanted:
            raise Fault(f"{self._source} is damaged: {name} is not what was backed up")

    def _member(self, name: str) -> IO[bytes]:
        found = self._tar.extractfile(name)
        if found is None:
            raise KeyError(name)
        return found


@contextmanager
def _read(source: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Fault(f"{source} can't be read: {error.strerror}") from None
    except (*_BROKEN, KeyError):
        raise Fault(f"{source} is not a backup of Pakka, or not all of one") from None


def _is_ours(name: str) -> bool:
    return name == DUMP or (name.startswith(KEYS) and is_secret_name(name.removeprefix(KEYS)))


def _plain(about: tarfile.TarInfo) -> tarfile.TarInfo:
    """Keep the names of users and machines out of it."""
    about.uid = about.gid = 0
    about.uname = about.gname = ""
    about.mode = MODE
    return about


def _sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return _sha256(file)


def _sha256(file: IO[bytes]) -> str:
    found = hashlib.sha256()
    while piece := file.read(PIECE_BYTES):
        found.update(piece)
    return found.hexdigest()
