"""A table of Court Piece for tests."""

from collections.abc import Sequence
from typing import Self

from server.cards.game import Carry, Seat, SeatInfo
from server.games.court_piece import GAME
from server.games.court_piece.batches import BATCHES
from server.games.court_piece.options import Options
from server.games.court_piece.scoring import Standing, memo_of
from tests.games import tricks
from tests.games.tricks import filled, order_of

SUITS_EACH = (
    "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S",
    "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H",
    "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
    "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C",
)
"""Everybody holds one suit."""


def memo(
    score: tuple[int, int] = (0, 0),
    *,
    run: tuple[int, int] = (0, 0),
    hands: int = 1,
    target: int = 10,
) -> str:
    """Write the memo of a match in which `run` is (team, hands in a row)."""
    return memo_of(Standing(target, hands, score, *run))


class Table(tricks.Table):
    """One hand of Court Piece, dealt as far as trump is not fixed."""

    def __init__(
        self,
        hands: Sequence[str] = SUITS_EACH,
        *,
        dealer: int = 3,
        memo: str = "",
        options: Options | None = None,
        seats: tuple[SeatInfo, ...] | None = None,
    ) -> None:
        carry = Carry(dealer=Seat(dealer), memo=memo)
        super().__init__(GAME, options or Options(), carry=carry, seats=seats)
        self.deal(order_of(filled(hands), dealer, BATCHES))

    def finish(self, trump: str) -> Self:
        """Let the chooser name trump, and the clock play to the end."""
        self.say(f"{self.state.acting} trump {trump}")
        while not self.state.ended:
            self.time_out(self.state.acting)
        return self
