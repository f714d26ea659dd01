"""A client of the table in this process, and what its commands are as facts."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from server.bots.evidence import Cheated
from server.bots.table_watch import TableWatch
from server.database import PlayerId
from server.tables import facts

Frame = dict[str, Any]
Lie = Callable[[Frame], Frame]
NOW_MS = 1_764_460_000_000


class Seen:
    """A client at the table: its watch, and a way to lie to it."""

    def __init__(self, player: int, watch: TableWatch) -> None:
        self.player = PlayerId(player)
        self.watch = watch
        self.lie: Lie = lambda frame: frame
        self.frames: list[Frame] = []
        self.caught: Cheated | None = None

    def take(self, frame: dict[str, object]) -> None:
        """Hear a frame, or what the lie makes of it; the audience must not hear what it caught."""
        told = self.lie(deepcopy(frame))
        self.frames.append(told)
        try:
            self.watch.take(told)
        except Cheated as cheated:
            self.caught = self.caught or cheated


def fact_of(frame: Frame, number: int) -> facts.Fact:
    """Read a client's command as the fact that the server would journal."""
    if frame["t"] == "table.back":
        return facts.SeatChanged(
            seat=number, away=False, sits_out=None, leaving=False, why="back", at_ms=NOW_MS
        )
    d = frame["d"]
    sig = bytes.fromhex(d["sig"]) if d.get("sig") else None
    if frame["t"] == "deal.commit":
        given = "commit" in d
        return facts.Committed(
            seat=number,
            status=int(given),
            pub=bytes.fromhex(d["pub"]) if given else bytes(32),
            commit=bytes.fromhex(d["commit"]) if given else bytes(32),
            sig=sig,
            at_ms=NOW_MS,
        )
    epoch = d.get("epoch", 0)
    return facts.Revealed(seat=number, epoch=epoch, x=bytes.fromhex(d["x"]), sig=sig, at_ms=NOW_MS)
