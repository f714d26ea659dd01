"""How a hand of the demo stands in the public log: asked for over HTTP, and proved."""

from dataclasses import dataclass
from typing import Any

import httpx

from server.bots.opening_checks import LogHead
from server.cli.demo_house import DemoHouse
from server.fairness.checkpoint import read_checkpoint
from server.fairness.merkle import root_from_path
from server.fairness.note import NoteKey
from server.fairness.signing import LogSigner

LOG = "/api/v1/log"


@dataclass(frozen=True, slots=True, kw_only=True)
class InLog:
    """The entry of a hand's end, and the proof of it in the log as it was signed a moment ago.

    Shape: `path` are the hashes from the entry's leaf to the root of the first `size` entries.
    """

    index: int
    size: int
    root: bytes
    path: tuple[bytes, ...]
    is_proved: bool

    def document(self) -> dict[str, Any]:
        """Write it as JSON has it."""
        return {
            "index": self.index,
            "size": self.size,
            "root": self.root.hex(),
            "path": [node.hex() for node in self.path],
            "proved": self.is_proved,
        }

    def __str__(self) -> str:
        """Write it for people."""
        verdict = "proved" if self.is_proved else "NOT PROVED"
        return f"log entry {self.index} {verdict} among {self.size} by {len(self.path)} hashes"


async def log_key_of(house: DemoHouse, http: httpx.AsyncClient) -> NoteKey:
    """Give the log's key, from the house's own file: what the server says of it is not asked."""
    origin = (await http.get(LOG)).json()["origin"]
    return LogSigner.from_file(house.home, origin).key


async def find_in_log(http: httpx.AsyncClient, head: LogHead, key: NoteKey) -> InLog:
    """Have the server prove the entry of a hand's end in its latest signed checkpoint.

    Errors: RefusedNote if the checkpoint is not the log's; httpx.HTTPError if there is no answer.
    """
    note = (await http.get(f"{LOG}/checkpoint")).raise_for_status().text
    signed = read_checkpoint(note, key)
    asked = {"index": head.index, "size": signed.size}
    answer = (await http.get(f"{LOG}/inclusion", params=asked)).raise_for_status().json()
    path = tuple(bytes.fromhex(node) for node in answer["path"])
    try:
        is_proved = root_from_path(head.leaf, head.index, signed.size, path) == signed.root
    except ValueError:
        is_proved = False
    return InLog(
        index=head.index, size=signed.size, root=signed.root, path=path, is_proved=is_proved
    )
