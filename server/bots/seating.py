"""Who sits at a table, as its events and snapshots say."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from server.bots.evidence import Cheated
from server.bots.form import bytes_of, number_of, part_of, text_of
from server.fairness.commitment import PLAYER_BYTES

KINDS: Final = {"human": 1, "bot": 2}
"""The numbers of fairdeal/1's seat kinds."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A seat's player, under the pseudonym of this table."""

    name: str
    kind: int
    pseudonym: bytes
    sits_out: str | None = None


class Seating:
    """The seats that are taken, and which of them is this client's."""

    def __init__(self) -> None:
        self.by_seat: dict[int, Sitting] = {}
        self.me: int | None = None

    @property
    def known(self) -> dict[int, tuple[int, bytes]]:
        """Give (kind, pseudonym) by seat, as a list must have them."""
        return {seat: (one.kind, one.pseudonym) for seat, one in self.by_seat.items()}

    @property
    def my_absence(self) -> str | None:
        """Tell why this client's seat sits out, None if it doesn't."""
        mine = None if self.me is None else self.by_seat.get(self.me)
        return None if mine is None else mine.sits_out

    def reset(self, part: Mapping[str, Any]) -> None:
        """Take a snapshot's seats."""
        self.by_seat = {
            number_of(row, "seat"): _sitting_of(row, row)
            for row in part.get("seats") or ()
            if row is not None
        }
        self.me = part.get("you")

    def take(self, part: Mapping[str, Any]) -> None:
        """Follow a `seat.` event."""
        seat = number_of(part, "seat")
        match part["e"]:
            case "seat.taken":
                self.by_seat[seat] = _sitting_of(part_of(part, "player"), part)
            case "seat.left":
                self.by_seat.pop(seat, None)
                if seat == self.me:
                    self.me = None
            case _ if seat in self.by_seat:
                old = self.by_seat[seat]
                reason = part.get("sits_out")
                self.by_seat[seat] = Sitting(old.name, old.kind, old.pseudonym, reason)
            case _:
                pass


def _sitting_of(player: Mapping[str, Any], place: Mapping[str, Any]) -> Sitting:
    kind = text_of(player, "kind")
    if kind not in KINDS:
        raise Cheated(17, f"a player of kind {kind!r}")
    pseudonym = bytes_of(player, "pseudonym", PLAYER_BYTES)
    return Sitting(text_of(player, "name"), KINDS[kind], pseudonym, place.get("sits_out"))
