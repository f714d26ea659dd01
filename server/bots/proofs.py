"""Proofs of the public log that did not come along with a frame, asked for over HTTP.

Every root that a frame names is proved to hold its entry (checks 2, 9, 16), and to be of one log
that only grows: the last root that this client has seen, kept by the vault, is its beginning (10).
"""

from collections.abc import Mapping
from typing import Any, Final

import httpx

from server.bots.evidence import Cheated, demand
from server.bots.form import exact
from server.bots.opening_checks import LogHead, check_inclusion
from server.bots.vault import Vault
from server.fairness.merkle import is_consistent

PROOF_S: Final = 5
OK: Final = 200
TOO_MANY: Final = 429
SERVER_FAULT: Final = 500
INCLUSION: Final = "/api/v1/log/inclusion"
CONSISTENCY: Final = "/api/v1/log/consistency"
GROWS: Final = 10
"""The check on the log's consistency."""


class _NotNow(Exception):
    """The server can't be asked at this moment."""


class Proofs:
    """Asks the server to prove its log, and remembers how far the log has come."""

    def __init__(self, url: str, vault: Vault) -> None:
        self._http = httpx.AsyncClient(base_url=url, timeout=PROOF_S, trust_env=False)
        self._vault = vault
        self._pin = f"log {url}"

    async def prove(self, head: LogHead) -> bool:
        """Check that an entry is in the log, and that the log has only grown.

        Shape:  False if the server can't be asked just now: then nothing is known yet.
        Errors: Cheated (the head's check, 10, 19) for a proof that is wrong, or refused for good.
        """
        try:
            wanted = {"index": head.index, "size": head.size}
            check_inclusion(head, await self._proof(INCLUSION, "path", wanted, head.check))
            await self._only_grew(head.size, head.root)
        except _NotNow:
            return False
        return True

    async def close(self) -> None:
        """Close the HTTP connections."""
        await self._http.aclose()

    async def _only_grew(self, size: int, root: bytes) -> None:
        kept = self._vault.find(self._pin)
        if kept is not None:
            known_size, known_root = int(kept[0]), bytes.fromhex(kept[1])
            older, newer = sorted([(known_size, known_root), (size, root)])
            text = f"the log of size {newer[0]} does not begin with that of size {older[0]}"
            proof: list[bytes] = []
            if older[0] != newer[0]:
                wanted = {"old": older[0], "new": newer[0]}
                proof = await self._proof(CONSISTENCY, "proof", wanted, GROWS)
            holds = is_consistent(
                old=older[0], old_root=older[1], new=newer[0], new_root=newer[1], proof=proof
            )
            demand(holds, GROWS, text)
        if kept is None or size > int(kept[0]):
            self._vault.keep(self._pin, [size, root.hex()])

    async def _proof(
        self, path: str, field: str, wanted: Mapping[str, int], check: int
    ) -> list[bytes]:
        try:
            answer = await self._http.get(path, params=dict(wanted))
        except httpx.HTTPError:
            raise _NotNow from None
        if answer.status_code == TOO_MANY or answer.status_code >= SERVER_FAULT:
            raise _NotNow
        text = f"the server refuses a proof of its log: {path} {dict(wanted)}"
        demand(answer.status_code == OK, check, text)
        try:
            body: Any = answer.json()
            return [exact(node, field) for node in body[field]]
        except (ValueError, KeyError, TypeError):
            raise Cheated(19, "a proof of the log has a wrong form") from None
