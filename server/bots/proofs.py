"""The public log as a client holds a server to it (fairdeal/1 check 10; by its proofs 2, 9, 16).

Every root that a frame names must hold its entry, be signed by the log's pinned key, and be of one
log that only grows: the last checkpoint that this client has seen, kept by the vault, is its
beginning. What a frame does not bring along is asked for over HTTP.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import httpx

from server.bots.evidence import Cheated, demand
from server.bots.form import exact
from server.bots.opening_checks import LogHead, check_inclusion
from server.bots.rotations import Rotation, key_at, leads_to, rotation_of
from server.bots.vault import Vault
from server.fairness.checkpoint import Checkpoint, read_checkpoint
from server.fairness.entries import KeyRole
from server.fairness.merkle import is_consistent, leaf_hash
from server.fairness.note import NoteKey, RefusedNote, key_of

PROOF_S: Final = 5
OK: Final = 200
TOO_MANY: Final = 429
SERVER_FAULT: Final = 500
INCLUSION: Final = "/api/v1/log/inclusion"
CONSISTENCY: Final = "/api/v1/log/consistency"
CHECKPOINT: Final = "/api/v1/log/checkpoint"
KEYS: Final = "/api/v1/log/keys"
GROWS: Final = 10
"""The check on the log's consistency."""


class NotNow(Exception):
    """The server can't be asked at this moment."""


class _Root(NamedTuple):
    """What the log is said to have been at a size."""

    size: int
    root: bytes


class Proofs:
    """Asks the server to prove its log, and remembers how far the log has come.

    Shape: `log_key` is the log's `vkey` if it is known from elsewhere; else the first one is kept.
    """

    def __init__(self, url: str, vault: Vault, *, log_key: str | None = None) -> None:
        self._http = httpx.AsyncClient(base_url=url, timeout=PROOF_S, trust_env=False)
        self._vault = vault
        self._last = f"log {url}"
        self._pinned = f"log key {url}"
        self._key: NoteKey | None = None
        self._rotations: tuple[Rotation, ...] = ()
        if log_key is not None:
            vault.pin(self._pinned, log_key)

    @property
    def kept(self) -> Mapping[str, Any]:
        """Give what was kept of this log, for who must show it: its key, its last checkpoint."""
        return {"key": self._vault.find(self._pinned), "last": self._vault.find(self._last)}

    def pin(self, vkey: str, rotations: Sequence[Rotation] = ()) -> None:
        """Hold the server to the log's key that was seen first, or that this one handed over to.

        Errors: Cheated(10).
        """
        pinned = self._vault.pin(self._pinned, vkey)
        try:
            known, self._key = key_of(pinned), key_of(vkey)
        except RefusedNote as refused:
            raise Cheated(GROWS, f"the log's key can't be one: {refused.text}") from None
        leads = leads_to(rotations, KeyRole.LOG, known.public, self._key.public)
        is_same = leads and known.name == self._key.name
        demand(is_same, GROWS, "the log's key is not the pinned one")

    def is_pinned(self, vkey: str) -> bool:
        """Tell whether a key is the pinned one, or may become it."""
        return self._vault.find(self._pinned) in (None, vkey)

    def keep(self, vkey: str, rotations: Sequence[Rotation]) -> None:
        """Pin a key in the place of the one that handed over to it, by proved rotations."""
        self._vault.keep(self._pinned, vkey)
        self._rotations = tuple(rotations)

    async def rotations(self) -> tuple[Rotation, ...]:
        """Ask for the rotations in the log; none if the server has no such list.

        Errors: NotNow; Cheated(19) for a list of another form.
        """
        answer = await self._get(KEYS, {})
        if answer.status_code != OK:
            return ()
        try:
            body: Any = answer.json()
            return tuple(rotation_of(row["index"], row["entry"]) for row in body["keys"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Cheated(19, "the list of rotations has a wrong form") from None

    async def prove_rotation(self, rotation: Rotation) -> None:
        """Check that a rotation lies in the signed log, where it is said to.

        Errors: NotNow; Cheated (10, 19).
        """
        assert self._key is not None, "the log's key is pinned first"
        answer = await self._ask(CHECKPOINT, {}, GROWS)
        signed = _read(answer.text, self._key)
        demand(rotation.index < signed.size, GROWS, "a rotation lies beyond the log")
        head = LogHead(
            check=GROWS,
            leaf=leaf_hash(rotation.entry),
            index=rotation.index,
            size=signed.size,
            root=signed.root,
            path=None,
            note=answer.text,
        )
        if not await self.prove(head):
            raise NotNow

    async def prove(self, head: LogHead) -> bool:
        """Check that an entry is in the log, that the log is signed, and that it has only grown.

        Shape:  False if the server can't be asked just now: then nothing is known yet.
        Errors: Cheated (the head's check, 10, 19) for a proof that is wrong, or refused for good.
        """
        if self._key is None:
            return False
        try:
            if head.path is None:
                wanted = {"index": head.index, "size": head.size}
                check_inclusion(head, await self._proof(INCLUSION, "path", wanted, head.check))
            await self._only_grew(*await self._signed(head, self._key))
        except NotNow:
            return False
        return True

    async def close(self) -> None:
        """Close the HTTP connections."""
        await self._http.aclose()

    async def _signed(self, head: LogHead, key: NoteKey) -> tuple[_Root, str]:
        """Find the signed checkpoint that vouches for a head: its own, or the latest one."""
        named = _Root(head.size, head.root)
        if head.note is not None:
            # a frame has the checkpoint of its day, by the key that was in force then
            public = key_at(self._rotations, KeyRole.LOG, key.public, head.size - 1)
            signed = _read(head.note, NoteKey(key.name, public))
            text = f"the checkpoint that came along is not of the log of size {head.size}"
            demand((signed.size, signed.root) == named, GROWS, text)
            return named, head.note
        answer = await self._ask(CHECKPOINT, {}, GROWS)
        signed = _read(answer.text, key)
        text = f"the log's checkpoint, of size {signed.size}, is older than size {head.size}"
        demand(signed.size >= head.size, GROWS, text)
        latest = _Root(signed.size, signed.root)
        await self._grew_into(named, latest)
        return latest, answer.text

    async def _only_grew(self, seen: _Root, note: str) -> None:
        """Demand that what was kept and what is seen now are of one log; keep the longer one."""
        kept = self._vault.find(self._last)
        if kept is not None:
            known = _Root(int(kept[0]), bytes.fromhex(kept[1]))
            older, newer = sorted([known, seen])
            await self._grew_into(older, newer)
        if kept is None or seen.size > int(kept[0]):
            self._vault.keep(self._last, [seen.size, seen.root.hex(), note])

    async def _grew_into(self, older: _Root, newer: _Root) -> None:
        proof: list[bytes] = []
        if older.size != newer.size:
            wanted = {"old": older.size, "new": newer.size}
            proof = await self._proof(CONSISTENCY, "proof", wanted, GROWS)
        holds = is_consistent(
            old=older.size, old_root=older.root, new=newer.size, new_root=newer.root, proof=proof
        )
        text = f"the log of size {newer.size} does not begin with that of size {older.size}"
        demand(holds, GROWS, text)

    async def _proof(
        self, path: str, field: str, wanted: Mapping[str, int], check: int
    ) -> list[bytes]:
        answer = await self._ask(path, wanted, check)
        try:
            body: Any = answer.json()
            return [exact(node, field) for node in body[field]]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Cheated(19, "a proof of the log has a wrong form") from None

    async def _ask(self, path: str, wanted: Mapping[str, int], check: int) -> httpx.Response:
        answer = await self._get(path, wanted)
        text = f"the server refuses a proof of its log: {path} {dict(wanted)}"
        demand(answer.status_code == OK, check, text)
        return answer

    async def _get(self, path: str, wanted: Mapping[str, int]) -> httpx.Response:
        try:
            answer = await self._http.get(path, params=dict(wanted))
        except httpx.HTTPError:
            raise NotNow from None
        if answer.status_code == TOO_MANY or answer.status_code >= SERVER_FAULT:
            raise NotNow
        return answer


def _read(note: str, key: NoteKey) -> Checkpoint:
    try:
        return read_checkpoint(note, key)
    except RefusedNote as refused:
        raise Cheated(GROWS, f"a checkpoint of the log: {refused.text}") from None
