"""A table of Batak for tests."""

from collections.abc import Sequence
from typing import Self

from server.cards.game import Carry, Seat
from server.games.batak import GAME
from server.games.batak.options import Options
from tests.games import tricks
from tests.games.tricks import filled, order_of

SUITS_EACH = (
    "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S",
    "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H",
    "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
    "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C",
)
"""Everybody holds one suit."""


class Table(tricks.Table):
    """One hand of Batak, dealt."""

    def __init__(
        self,
        hands: Sequence[str] = SUITS_EACH,
        *,
        dealer: int = 3,
        memo: str = "",
        options: Options | None = None,
    ) -> None:
        carry = Carry(dealer=Seat(dealer), memo=memo)
        super().__init__(GAME, options or Options(), carry=carry)
        self.deal(order_of(filled(hands), dealer, [1] * 13))

    def bid(self, tricks: int = 5, trump: str = "S") -> Self:
        """Let the seat at the dealer's right win the auction and name trump."""
        first = self.state.acting
        self.say(f"{first} bid {tricks}")
        while self.state.phase == "auction":
            self.say(f"{self.state.acting} pass")
        self.say(f"{first} trump {trump}")
        return self
