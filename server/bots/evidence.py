"""What a client keeps, so that a victim can show what it was sent."""

import json
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

FRAMES_MAX: Final = 4_000
"""The frames of several hands; the oldest go first."""

NEVER_KEPT: Final = frozenset({"token"})
"""Fields of sent frames that are nobody's evidence: the sign-in."""

T = TypeVar("T")


class Cheated(Exception):
    """A check of fairdeal/1 failed.

    Shape: `check` is the number of section 6, `text` one sentence that says what was seen.
    """

    def __init__(self, check: int, text: str) -> None:
        super().__init__(f"check {check} of fairdeal/1 failed: {text}")
        self.check = check
        self.text = text


def demand(holds: bool, check: int, text: str) -> None:
    """Raise `Cheated(check, text)` unless `holds`."""
    if not holds:
        raise Cheated(check, text)


def found(value: T | None, check: int, text: str) -> T:
    """Pass `value` on; raise `Cheated(check, text)` if there is none."""
    if value is None:
        raise Cheated(check, text)
    return value


class Evidence:
    """The last frames, both ways; written to `folder` when a check fails."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._frames: deque[tuple[int, str, Mapping[str, Any]]] = deque(maxlen=FRAMES_MAX)

    def sent(self, frame: Mapping[str, Any]) -> None:
        """Note a frame that this client sends."""
        self._note("sent", {key: value for key, value in frame.items() if key not in NEVER_KEPT})

    def received(self, frame: Mapping[str, Any]) -> None:
        """Note a frame from the server, before any check of it."""
        self._note("received", frame)

    def write(
        self, cheated: Cheated, *, server_key: bytes, log: Mapping[str, Any] | None = None
    ) -> Path | None:
        """Write what was seen as one JSON document; None if no folder was given.

        Shape: `log` is what was kept of the public log: its pinned key, its last checkpoint.
        """
        if self._folder is None:
            return None
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"evidence-{time.time_ns()}-check-{cheated.check}.json"
        document = {
            "check": cheated.check,
            "text": cheated.text,
            "server_key": server_key.hex(),
            "log": log,
            "frames": [{"at": at, "way": way, "frame": frame} for at, way, frame in self._frames],
        }
        path.write_text(json.dumps(document, indent=1), encoding="ascii")
        return path

    def _note(self, way: str, frame: Mapping[str, Any]) -> None:
        self._frames.append((time.time_ns() // 1_000_000, way, frame))
