"""The folders that servers keep in `PAKKA_HOME`, and the files in them that hold secrets."""

import os
import secrets
import socket
import tempfile
from pathlib import Path
from typing import Final

from server.embedded.child import Account
from server.errors import Fault

SHARED: Final = Path("/var/lib/pakka")
"""Where root keeps servers whose user can't enter `PAKKA_HOME` (root's home is closed to it)."""


def make_home(home: Path) -> Path:
    """Make the folder and return its absolute path.

    Root's can be passed through but not listed, so that an unprivileged server can live in it.
    """
    mode = 0o711 if os.geteuid() == 0 else 0o700
    home = home.expanduser().absolute()
    home.mkdir(mode=mode, parents=True, exist_ok=True)
    return home


def room_of(home: Path, name: str, account: Account) -> Path:
    """Make the folder `home/name` for a server that runs as `account`, which owns it.

    Where `account` can't enter `home`, it is a link to a folder in `SHARED`, and stays one. Its
    name is by chance: a home that was deleted and is made again has nothing to do with the old.

    Errors: Fault if an existing folder can't be entered any more, or is another home's.
    """
    link = home / name
    if not link.exists():
        if account.can_enter(home):
            link.mkdir(mode=0o700)
        else:
            SHARED.mkdir(mode=0o755, parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(Path(tempfile.mkdtemp(prefix=f"{name}-", dir=SHARED)))
            (link / "home").write_text(str(link), encoding="utf-8")
        account.own(link)
    room = link.resolve()
    if not account.can_enter(room):
        raise Fault(f"the user of the server can't enter {room}")
    if link.is_symlink():
        _refuse_another(link, room)
    return room


def _refuse_another(link: Path, room: Path) -> None:
    """A copy of a home has a copy of its link: two servers on one folder would be its end."""
    owner = Path((room / "home").read_text(encoding="utf-8"))
    if owner != link and owner.exists() and owner.resolve() == room:
        raise Fault(f"{link} is a copy of {owner}; remove the copy")


def write_secret(path: Path, text: str, account: Account | None = None) -> None:
    """Write a file that only its owner reads (ourselves or `account`), whole or not at all."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    if account is not None:
        account.own(beside)
    beside.replace(path)


def password_of(path: Path) -> str:
    """Read a password, after making it if it is the first time."""
    if not path.exists():
        write_secret(path, secrets.token_urlsafe(24))
    return path.read_text(encoding="utf-8").strip()


def free_port() -> int:
    """Find a port on 127.0.0.1 that nobody listens on; somebody else may take it at any time."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    """Tell whether somebody listens on that port of 127.0.0.1."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
