"""The client's own transcript: every T is computed again, and must bear the server's signature."""

from collections.abc import Mapping
from typing import Any, Final

from server.bots.evidence import demand
from server.bots.form import SIG_BYTES, bytes_of
from server.bots.keys import demand_signed
from server.fairness import transcript

TRANSCRIPT: Final = 18
"""A line is a move as the rules have it, so a transcript that differs fails check 18."""


class Transcript:
    """T_k of one dealt hand."""

    def __init__(self, *, hand: bytes, server_pub: bytes, head: bytes) -> None:
        self._hand = hand
        self._server_pub = server_pub
        self.k = 0
        self.value = transcript.begin(hand, head)
        self.lines: list[str | None] = [None]

    def check(self, frame: Mapping[str, Any]) -> None:
        """Check a frame's T against the own one, and its signature. Errors: Cheated (18, 19)."""
        same = bytes_of(frame, "T") == self.value
        demand(same, TRANSCRIPT, f"T of step {self.k} is not the transcript's value")
        digest = transcript.digest_to_sign(self._hand, self.k, self.value)
        sig = bytes_of(frame, "sig", SIG_BYTES)
        what = f"step {self.k} of the transcript"
        demand_signed(self._server_pub, "event", digest, sig, check=TRANSCRIPT, what=what)

    def extend(self, line: str) -> None:
        """Take the next line."""
        demand(line.isascii(), TRANSCRIPT, "a line of the transcript is not ASCII")
        self.k += 1
        self.value = transcript.extend(self.value, self.k, line)
        self.lines.append(line)

    def reshuffled(self, head: bytes) -> None:
        """Take a reshuffle's HEAD_e."""
        self.k += 1
        self.value = transcript.reshuffled(self.value, self.k, head)
        self.lines.append(None)
