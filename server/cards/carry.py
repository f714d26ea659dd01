"""What a match brings from hand to hand, and how a hand's record says it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from server.cards.seats import Seat, SeatInfo


@dataclass(frozen=True, slots=True)
class Carry:
    """What a match brings from hand to hand.

    `dealer` is the seat that the last hand named to deal (or, as the game has it, to act first)
    next; None if the toss decides. `memo` is the game's own ASCII text: scores, runs, deals played.
    """

    dealer: Seat | None = None
    memo: str = ""


def dealer_of(carry: Carry, listed: Sequence[Seat]) -> Seat | None:
    """Derive the dealer of the next hand: the named seat, or the next listed one after it.

    Shape:  `listed` are the seats dealt in, ascending, at least one.
    Source: fairdeal/1 section 3 ("the next one is the next listed seat in playing order").
    """
    named = carry.dealer
    if named is None:
        return None
    return next((seat for seat in listed if seat >= named), listed[0])


MARK: Final = "#"
"""What a brought memo begins with if seats have finished matches; no game's memo does."""

_PLAYED = re.compile(r"#((?:[0-9]+:[1-9][0-9]*)(?:,[0-9]+:[1-9][0-9]*)*) (.*)")


def brought_memo(memo: str, seats: Sequence[SeatInfo]) -> str:
    """Write all that a hand is given besides its list: the game's memo, and who has played before.

    A hand's record holds this line, so that it can be played again from the record alone.

    Example: brought_memo("1 2", (SeatInfo(Seat(0), SeatKind.HUMAN, 3),)) == "#0:3 1 2"
    """
    assert not memo.startswith(MARK), "a game's memo begins otherwise"
    played = ",".join(f"{one.seat}:{one.matches_played}" for one in seats if one.matches_played)
    return f"{MARK}{played} {memo}" if played else memo


def read_brought(line: str) -> tuple[str, Mapping[Seat, int]]:
    """Read what `brought_memo` wrote: the game's memo, and matches finished by seat.

    Errors: ValueError if it wrote no such line.
    """
    if not line.startswith(MARK):
        return line, {}
    found = _PLAYED.fullmatch(line)
    if found is None or found[2].startswith(MARK):
        raise ValueError(f"no memo that a hand is given: {line[:40]!r}")
    rows = [row.split(":") for row in found[1].split(",")]
    played = {Seat(int(seat)): int(count) for seat, count in rows}
    if ",".join(f"{seat}:{count}" for seat, count in sorted(played.items())) != found[1]:
        raise ValueError("seats ascend, each once")
    return found[2], played
