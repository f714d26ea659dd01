"""`pg_dump` and `pg_restore`: what they are told, and what they may not see on a command line."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sqlalchemy.engine import URL, make_url

from server.embedded.binaries import find_tools
from server.errors import Fault
from server.upkeep.archive import secret_beside

NOT_RESTORED: Final = ("DEFAULT ACL", "SCHEMA - public", "ACL - SCHEMA public", "EXTENSION")
"""What belongs to the database or its owner, who may have another name: we say it ourselves."""


def dump(url: str, target: Path, *, major: int) -> None:
    """Write a consistent snapshot of a database, whoever works on it meanwhile.

    Errors: Fault with pg_dump's first line.
    """
    arguments = ["--format=custom", "--no-password", f"--file={target}"]
    _run(url, "pg_dump", arguments, major=major)


def restore(url: str, source: Path, *, major: int) -> None:
    """Bring a dump into an empty database, whole or not at all.

    Errors: Fault with pg_restore's first line.
    """
    program = find_tools(major) / "pg_restore"
    listed = _done([str(program), "--list", str(source)], {})
    kept = [
        line
        for line in listed.splitlines()
        if not line.startswith(";") and not any(f" {kind}" in line for kind in NOT_RESTORED)
    ]
    with secret_beside(source) as contents:
        contents.write_text("\n".join(kept), encoding="utf-8")
        arguments = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-password"]
        _run(url, "pg_restore", [*arguments, f"--use-list={contents}", str(source)], major=major)


def _run(url: str, program: str, arguments: Sequence[str], *, major: int) -> None:
    address = make_url(url)
    shown = _without_password(address).render_as_string()
    password = {} if address.password is None else {"PGPASSWORD": str(address.password)}
    _done([str(find_tools(major) / program), f"--dbname={shown}", *arguments], password)


def _without_password(address: URL) -> URL:
    """Anybody on the machine may read command lines; the password goes by the environment."""
    query = {("sslmode" if key == "ssl" else key): value for key, value in address.query.items()}
    return URL.create(
        "postgresql",
        username=address.username,
        host=address.host,
        port=address.port,
        database=address.database,
        query=query,
    )


def _done(command: Sequence[str], environment: dict[str, str]) -> str:
    done = subprocess.run(  # noqa: S603 - PostgreSQL's own program, no shell
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        env={**os.environ, "LC_ALL": "C", **environment},
        check=False,
    )
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit {done.returncode}"]
        raise Fault(f"{Path(command[0]).name} failed: {lines[0]}")
    return done.stdout
