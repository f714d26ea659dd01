"""From points to house tokens, pure: who pays what, in whole micro-HT."""

from collections.abc import Sequence
from dataclasses import dataclass

from server.cards.game import Scored, Seat
from server.ledger.transfers import commission_of


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a hand moves.

    Shape: `amounts` has (seat, net amount) for each seat, ascending; the amounts and `commission`
           sum to zero.
    Units: micro-HT.
    """

    amounts: tuple[tuple[Seat, int], ...]
    gross: int
    commission: int


def settle(scored: Scored, *, rate: int, commission_bps: int) -> Settlement:
    """Turn a hand's points into amounts.

    Units:  `rate` is micro-HT a point; `commission_bps` of the gross, floored to the micro.
    Source: rules.md 1b, Q-RUM-37 and Q-RUM-38.
    """
    assert scored.winner is not None, "tokens move only where somebody has won"
    gross = sum(points * rate for seat, points in scored.points if seat != scored.winner)
    commission = commission_of(gross, commission_bps).commission_micro
    amounts = tuple(
        (seat, gross - commission if seat == scored.winner else -points * rate)
        for seat, points in scored.points
    )
    assert sum(amount for _, amount in amounts) + commission == 0, "tokens were made or lost"
    return Settlement(amounts, gross, commission)


def nothing_moves(points: Sequence[tuple[Seat, int]]) -> Settlement:
    """Give the settlement of a free table."""
    return Settlement(tuple((seat, 0) for seat, _ in points), 0, 0)
