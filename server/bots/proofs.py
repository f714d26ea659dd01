"""Proofs of the public log that did not come along with a frame, asked for over HTTP."""

from typing import Final

import httpx

from server.bots.evidence import Cheated, demand
from server.bots.form import exact
from server.bots.opening_checks import LogHead, check_inclusion
from server.bots.vault import Vault

PROOF_S: Final = 5
OK: Final = 200
TOO_MANY: Final = 429
SERVER_FAULT: Final = 500
PATH: Final = "/api/v1/log/inclusion"


class Proofs:
    """Asks the server to prove its log entries, and remembers how far the log has come."""

    def __init__(self, url: str, vault: Vault) -> None:
        self._http = httpx.AsyncClient(base_url=url, timeout=PROOF_S, trust_env=False)
        self._vault = vault
        self._pin = f"log {url}"

    async def prove(self, head: LogHead) -> bool:
        """Check that an entry is in the log, and that the log has not lost what it had.

        Shape:  False if the server can't be asked just now: then nothing is known yet.
        Errors: Cheated (2, 10, 19) for a proof that is wrong, or refused for good.
        """
        try:
            params = {"index": head.index, "size": head.size}
            answer = await self._http.get(PATH, params=params)
        except httpx.HTTPError:
            return False
        if answer.status_code == TOO_MANY or answer.status_code >= SERVER_FAULT:
            return False
        text = f"the server does not prove log entry {head.index} at size {head.size}"
        demand(answer.status_code == OK, 2, text)
        try:
            path = [exact(node, "path") for node in answer.json()["path"]]
        except (ValueError, KeyError, TypeError):
            raise Cheated(19, "a log proof is not one") from None
        check_inclusion(head, path, check=2)
        self._keep(head)
        return True

    def _keep(self, head: LogHead) -> None:
        known: list[object] = self._vault.find(self._pin) or [0, ""]
        size, root = int(str(known[0])), str(known[1])
        if head.size == size:
            demand(head.root.hex() == root, 10, f"the log of size {size} has two roots")
        if head.size > size:
            self._vault.keep(self._pin, [head.size, head.root.hex()])

    async def close(self) -> None:
        """Close the HTTP connections."""
        await self._http.aclose()
