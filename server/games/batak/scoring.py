"""The points of a hand, and the score of a match."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.cards.game import Seat
from server.cards.tricks import SEATS
from server.games.batak.bids import Contract

DEALS: Final = 8
OWED_BY_OTHERS: Final = 1
PER_TRICK_OWED: Final = 10
"""Source: rules.md 5."""

_TOTAL = r"(?:0|-?[1-9][0-9]{0,3})"
_MEMO = re.compile(rf"deals=([1-7]) totals=({_TOTAL}(?:,{_TOTAL}){{3}})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Standing:
    """A match so far; `totals` are points by seat."""

    deals_played: int = 0
    totals: tuple[int, ...] = (0,) * SEATS

    @property
    def is_over(self) -> bool:
        """Tell whether all deals are played."""
        return self.deals_played == DEALS

    @property
    def winners(self) -> tuple[Seat, ...]:
        """List the seats with the highest total. Source: rules.md 5.3."""
        best = max(self.totals)
        return tuple(Seat(seat) for seat, total in enumerate(self.totals) if total == best)

    def after(self, points: Sequence[int]) -> "Standing":
        """Add a deal's points."""
        totals = tuple(total + more for total, more in zip(self.totals, points, strict=True))
        return Standing(self.deals_played + 1, totals)


def owed_by(contract: Contract) -> tuple[int, ...]:
    """List by seat how many tricks each owes. Source: rules.md 5.1."""
    return tuple(
        contract.tricks if seat == contract.seat else OWED_BY_OTHERS for seat in range(SEATS)
    )


def points_of(*, owed: int, taken: int) -> int:
    """Count one seat. Source: rules.md 5.2."""
    promised = PER_TRICK_OWED * owed
    return promised + taken - owed if taken >= owed else -promised


def memo_of(standing: Standing) -> str:
    """Write what a match carries: `deals=3 totals=62,12,-10,11`; nothing before and after one."""
    if standing.deals_played in (0, DEALS):
        return ""
    return f"deals={standing.deals_played} totals={','.join(map(str, standing.totals))}"


def standing_of(memo: str) -> Standing:
    """Read what a match carries. Errors: ValueError if it is not exactly of that form."""
    if memo == "":
        return Standing()
    if (found := _MEMO.fullmatch(memo)) is None:
        raise ValueError(f"not a memo of batak: {memo[:40]!r}")
    return Standing(int(found[1]), tuple(map(int, found[2].split(","))))
