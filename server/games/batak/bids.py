"""The auction: who calls next, what may be bid, what is won."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from server.cards.game import Seat
from server.cards.tricks import SEATS, seat_after, seats_from

LEAST: Final = 5
MOST: Final = 13
FORCED: Final = 4
"""Tricks. Source: rules.md 3.1, 3.5."""

PASS: Final = 0


class Call(NamedTuple):
    """What a seat has called: `tricks`, or `PASS`."""

    seat: Seat
    tricks: int


class Contract(NamedTuple):
    """What the winner of the auction must take."""

    seat: Seat
    tricks: int
    is_forced: bool


def highest(calls: Sequence[Call]) -> Call | None:
    """Find the highest bid; None if nobody has bid."""
    bids = [call for call in calls if call.tricks != PASS]
    return bids[-1] if bids else None


def may_bid(calls: Sequence[Call]) -> range:
    """List what the next caller may bid. Source: rules.md 3.1."""
    top = highest(calls)
    return range(LEAST if top is None else top.tricks + 1, MOST + 1)


def find_caller(dealer: Seat, calls: Sequence[Call], *, single_round: bool) -> Seat | None:
    """Find who calls next; None if the auction is over. Source: rules.md 3.2 to 3.4."""
    top = highest(calls)
    if top is not None and top.tricks == MOST:
        return None
    if single_round and len(calls) == SEATS:
        return None
    passed = {call.seat for call in calls if call.tricks == PASS}
    after = seat_after(calls[-1].seat if calls else dealer)
    for seat in seats_from(after):
        if seat not in passed and (top is None or top.seat != seat):
            return seat
    return None


def contract_of(dealer: Seat, calls: Sequence[Call]) -> Contract:
    """Derive what was won, once nobody calls any more. Source: rules.md 3.5."""
    top = highest(calls)
    if top is None:
        return Contract(dealer, FORCED, is_forced=True)
    return Contract(top.seat, top.tricks, is_forced=False)
