"""What a client must not lose: its seeds with their "revealed once" flags, its key, its pins.

A seed is on disk before its commit leaves, and a reveal's flag before the reveal leaves, so that
a program that dies and comes back neither loses its entropy nor reveals it for a second list.
"""

import contextlib
import json
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from server.bots.evidence import Cheated

SEEDS_KEPT: Final = 64
"""Seeds of the newest hands; an older hand has long ended."""

Seeds = dict[str, dict[str, Any]]


class Vault:
    """Seeds, pins and the seat key of one player; in memory only if no folder is given."""

    def __init__(
        self, folder: Path | None = None, fresh: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        """Take up what `folder` holds; `fresh` makes so many random bytes."""
        self._folder = folder
        self._fresh = fresh
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._seeds: Seeds = self._read("seeds.json")
        self._pins: dict[str, Any] = self._read("pins.json")

    def key(self) -> bytes:
        """Give the 32 secret bytes of the seat's signing key, made at the first call."""
        if "key" not in self._pins:
            self._pins["key"] = self._fresh(32).hex()
            self._write("pins.json", self._pins)
        return bytes.fromhex(self._pins["key"])

    def make_seed(self, hand: bytes) -> bytes:
        """Give z for a hand's attempt: fresh at the first call, stored before it is returned."""
        entry = self._seeds.get(hand.hex())
        if entry is None:
            entry = {"z": self._fresh(32).hex(), "revealed": {}}
            self._seeds[hand.hex()] = entry
            for old in list(self._seeds)[:-SEEDS_KEPT]:
                del self._seeds[old]
            self._write("seeds.json", self._seeds)
        return bytes.fromhex(entry["z"])

    def find_seed(self, hand: bytes) -> bytes | None:
        """Find z of a hand's attempt; None if this client never made one."""
        entry = self._seeds.get(hand.hex())
        return None if entry is None else bytes.fromhex(entry["z"])

    def mark_revealed(self, hand: bytes, epoch: int, why: bytes) -> None:
        """Note, before it is sent, that the link of `epoch` is revealed for list or call `why`.

        The same reveal may be sent again, as after a lost connection.

        Errors: Cheated (4, or 14 for a reshuffle) if it was revealed for another list or call.
        """
        revealed = self._seeds[hand.hex()]["revealed"]
        before = revealed.get(str(epoch))
        if before is not None and before != why.hex():
            what = "list" if epoch == 0 else "call"
            raise Cheated(14 if epoch else 4, f"a second reveal is asked for, for another {what}")
        if before is None:
            revealed[str(epoch)] = why.hex()
            self._write("seeds.json", self._seeds)

    def pin(self, name: str, value: str) -> str:
        """Keep `value` under `name` at the first call; give what was kept then ever after."""
        if name not in self._pins:
            self.keep(name, value)
        return str(self._pins[name])

    def find(self, name: str) -> Any:
        """Find what was last kept under `name`, or None."""
        return self._pins.get(name)

    def keep(self, name: str, value: Any) -> None:
        """Keep `value` under `name` in place of what was there."""
        self._pins[name] = value
        self._write("pins.json", self._pins)

    def _read(self, name: str) -> dict[str, Any]:
        if self._folder is None:
            return {}
        with contextlib.suppress(FileNotFoundError):
            found: dict[str, Any] = json.loads((self._folder / name).read_text(encoding="ascii"))
            return found
        return {}

    def _write(self, name: str, content: dict[str, Any]) -> None:
        if self._folder is None:
            return
        path = self._folder / name
        fresh = path.with_suffix(".new")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            json.dump(content, file)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
