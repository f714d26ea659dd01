"""The server's signing key as a client holds it: pinned at first sight, followed by rotations.

A hand is signed by the key that was in force where the log has its OPEN: a key that was replaced
signs nothing new.
"""

from collections.abc import Callable
from typing import Any

from server.bots.evidence import demand
from server.bots.proofs import NotNow, Proofs
from server.bots.rotations import Rotation, key_at, leads_to, rotation_of
from server.bots.vault import Vault
from server.fairness.encoding import hash32
from server.fairness.entries import KeyRole

KeyAt = Callable[[int], bytes]
"""Gives the key in force at an index of the log."""


class ServerKeys:
    """Holds a server to its keys: the pinned ones, or those that these handed over to.

    Shape: `server_key` is the signing key if it is known from elsewhere.
    """

    def __init__(
        self, url: str, vault: Vault, proofs: Proofs, *, server_key: bytes | None = None
    ) -> None:
        self.current = b""
        self._vault = vault
        self._proofs = proofs
        self._pin = f"server {url}"
        self._kept = f"rotations {url}"
        if server_key is not None:
            vault.pin(self._pin, server_key.hex())

    async def welcome(self, server_key: bytes, vkey: str) -> None:
        """Hear which keys the server says that it has.

        Errors: Cheated(1) for a signing key that the pinned one has not handed over to, (10) for
                such a key of the log, or a rotation that the log does not hold; ConnectionError if
                the server can't be asked just now.
        """
        pinned = hash32(bytes.fromhex(self._vault.pin(self._pin, server_key.hex())))
        is_known = pinned == server_key and self._proofs.is_pinned(vkey)
        try:
            told = await self._proofs.rotations()
        except NotNow:
            if not is_known:
                raise ConnectionError(
                    "the server can't say just now where its keys are from"
                ) from None
            told = self._rotations
        leads = leads_to(told, KeyRole.SIGNING, pinned, server_key)
        demand(leads, 1, "the server's key is not the pinned one")
        self._proofs.pin(vkey, told)
        await self._prove(told, is_known=is_known)
        self.current = server_key
        self._vault.keep(self._pin, server_key.hex())
        self._proofs.keep(vkey, self._rotations)

    def at(self, index: int) -> bytes:
        """Give the key that was in force at an index of the log, as far as rotations are known."""
        return key_at(self._rotations, KeyRole.SIGNING, self.current, index)

    async def _prove(self, told: tuple[Rotation, ...], *, is_known: bool) -> None:
        """Have the log prove what is new, and keep it."""
        new = [one for one in told if one not in self._rotations and self._is_of_use(one)]
        try:
            for one in new:
                await self._proofs.prove_rotation(one)
        except NotNow:
            if not is_known:
                raise ConnectionError("the server can't prove its rotations just now") from None
            return
        if new:
            kept = sorted({*self._rotations, *new}, key=lambda one: one.index)
            rows: list[Any] = [[one.index, one.entry.hex()] for one in kept]
            self._vault.keep(self._kept, rows)

    def _is_of_use(self, one: Rotation) -> bool:
        return one.said.role is not KeyRole.SEALING and one.holds

    @property
    def _rotations(self) -> tuple[Rotation, ...]:
        """Read what was proved before."""
        rows = self._vault.find(self._kept) or []
        return tuple(rotation_of(index, entry) for index, entry in rows)
