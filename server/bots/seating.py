"""Who sits at a table, as its events and snapshots say."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from server.bots.evidence import Cheated
from server.bots.form import bytes_of, number_of, part_of, text_of
from server.fairness.commitment import PLAYER_BYTES

KINDS: Final = {"human": 1, "bot": 2}
"""The numbers of fairdeal/1's seat kinds."""

LEFT: Final = "left"
"""Why a substitute plays for an owner who got up."""


@dataclass(frozen=True, slots=True)
class Stand:
    """The bot that plays a seat in its owner's place, and why."""

    kind: int
    pseudonym: bytes
    why: str


@dataclass(frozen=True, slots=True)
class Sitting:
    """A seat's player, under the pseudonym of this table."""

    name: str
    kind: int
    pseudonym: bytes
    sits_out: str | None = None
    substitute: "Stand | None" = None
    stood_in: tuple[int, bytes] | None = None


class Seating:
    """The seats that are taken, and which of them is this client's."""

    def __init__(self) -> None:
        self.by_seat: dict[int, Sitting] = {}
        self.me: int | None = None
        self.is_substitute = False

    @property
    def known(self) -> dict[int, tuple[int, bytes]]:
        """Give (kind, pseudonym) by seat of who plays it, as a list must have them."""
        pilots = ((seat, one.substitute or one) for seat, one in self.by_seat.items())
        return {seat: (pilot.kind, pilot.pseudonym) for seat, pilot in pilots}

    @property
    def known_before(self) -> dict[int, tuple[tuple[int, bytes], ...]]:
        """Give who a seat may be listed as in a hand that began before this client looked.

        Since then a substitute may have come in, or its owner may have come back.
        """
        return {
            seat: ((one.kind, one.pseudonym), *([one.stood_in] if one.stood_in else []))
            for seat, one in self.by_seat.items()
        } | {
            seat: ((one.kind, one.pseudonym), (one.substitute.kind, one.substitute.pseudonym))
            for seat, one in self.by_seat.items()
            if one.substitute is not None
        }

    @property
    def is_pilot(self) -> bool:
        """Tell whether this client plays its seat now: as its owner, or in the owner's place."""
        mine = None if self.me is None else self.by_seat.get(self.me)
        return mine is not None and (mine.substitute is None or self.is_substitute)

    @property
    def replaced(self) -> str | None:
        """Tell why a substitute plays this client's own seat, None if none does."""
        mine = None if self.me is None else self.by_seat.get(self.me)
        if mine is None or mine.substitute is None or self.is_substitute:
            return None
        return mine.substitute.why

    @property
    def my_absence(self) -> str | None:
        """Tell why this client's seat sits out, None if it doesn't."""
        mine = None if self.me is None else self.by_seat.get(self.me)
        return None if mine is None or self.is_substitute else mine.sits_out

    @property
    def have_all_left(self) -> bool:
        """Tell whether every person has left its seat to a substitute."""
        people = [one for one in self.by_seat.values() if one.kind == KINDS["human"]]
        stand_ins = [one.substitute for one in people]
        return bool(people) and all(stand and stand.why == LEFT for stand in stand_ins)

    def reset(self, part: Mapping[str, Any]) -> None:
        """Take a snapshot's seats."""
        self.by_seat = {
            number_of(row, "seat"): _sitting_of(row, row)
            for row in part.get("seats") or ()
            if row is not None
        }
        self.me = part.get("you")
        mine = None if self.me is None else self.by_seat.get(self.me)
        is_played_on = mine is not None and mine.substitute is not None
        self.is_substitute = is_played_on and part.get("pilot") is True

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
            case "seat.substituted" | "seat.returned" if seat in self.by_seat:
                stand = _stand_of(part)
                out = self.by_seat[seat].sits_out if stand else None  # who is back sits out no more
                self.by_seat[seat] = replace(self.by_seat[seat], substitute=stand, sits_out=out)
                if stand is None and seat == self.me and self.is_substitute:
                    self.me, self.is_substitute = None, False
            case _ if seat in self.by_seat:
                reason = part.get("sits_out")
                self.by_seat[seat] = replace(self.by_seat[seat], sits_out=reason)
            case _:
                pass


def _sitting_of(player: Mapping[str, Any], place: Mapping[str, Any]) -> Sitting:
    kind, pseudonym = _known_by(player)
    name = text_of(player, "name")
    stood_in = place.get("stood_in") and _known_by(part_of(place, "stood_in"))
    return Sitting(name, kind, pseudonym, place.get("sits_out"), _stand_of(place), stood_in)


def _stand_of(place: Mapping[str, Any]) -> Stand | None:
    if place.get("substitute") is None:
        return None
    part = part_of(place, "substitute")
    return Stand(*_known_by(part), text_of(part, "why"))


def _known_by(player: Mapping[str, Any]) -> tuple[int, bytes]:
    kind = text_of(player, "kind")
    if kind not in KINDS:
        raise Cheated(17, f"a player of kind {kind!r}")
    return KINDS[kind], bytes_of(player, "pseudonym", PLAYER_BYTES)
