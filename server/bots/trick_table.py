"""The tricks of a hand as its public lines tell them (checks 13 and 18)."""

from collections.abc import Callable, Sequence
from typing import Final

from server.bots.evidence import demand
from server.bots.tricks import TrickSight
from server.cards.card import Card
from server.cards.game import Seat
from server.cards.pack import Pack
from server.cards.tricks import HAND_CARDS, SEATS, PlayedCard, Trick, best_of, seat_after

PACK: Final = Pack(1, 0).cards
HELD_ELSEWHERE: Final = 13
RULES: Final = 18

Legal = Callable[[Sequence[Card], Sequence[Card]], tuple[Card, ...]]
"""Which cards of a holding may be played to a trick, by the game's duties."""


class TrickTable:
    """What has been played, seen from the seat `me` or from a spectator's place (None)."""

    def __init__(self, me: int | None) -> None:
        self.me = me
        self.trump = ""
        self.holding: list[Card] = []
        self.trick: tuple[PlayedCard, ...] = ()
        self.tricks: list[Trick] = []
        self.lacking: dict[int, set[Card]] = {seat: set() for seat in range(SEATS)}
        self._left: set[int] = set()

    @property
    def played(self) -> list[Card]:
        """List the cards that were played, in order."""
        taken = [one.card for trick in self.tricks for one in trick.cards]
        return [*taken, *(one.card for one in self.trick)]

    def taken(self, seat: int) -> int:
        """Count the tricks of a seat."""
        return sum(trick.winner == seat for trick in self.tricks)

    def show(self, seat: int, card: Card) -> None:
        """Note that all have seen a card that a seat was given."""
        for other in range(SEATS):
            if other != seat:
                self.lacking[other].add(card)

    def comes_or_goes(self, seat: int, word: str) -> None:
        """Follow a leaver and an owner's return. Errors: Cheated(18)."""
        if word == "leave":
            demand(seat not in self._left, RULES, f"seat {seat} leaves twice")
            self._left.add(seat)
        else:
            self._left.discard(seat)

    def play(self, seat: int, card: Card, legal: Legal) -> int:
        """Follow a card and say who is next: the winner of a full trick leads.

        Errors: Cheated (13, 18).
        """
        demand(card not in self.played, HELD_ELSEWHERE, f"{card} is played twice")
        on_table = [one.card for one in self.trick]
        if seat == self.me:
            demand(card in self.holding, RULES, f"this seat plays {card}, which it does not hold")
            text = f"this seat plays {card}, which it may not"
            demand(card in legal(self.holding, on_table), RULES, text)
            self.holding.remove(card)
        else:
            text = f"seat {seat} plays {card}, which this seat holds"
            demand(card not in self.holding, HELD_ELSEWHERE, text)
        text = f"seat {seat} plays {card}, and played as one who has not got it"
        demand(card not in self.lacking[seat], RULES, text)
        # Every duty of a trick is owed for one card that is held: had the seat held it, `card`
        # would have been refused.
        open_to_all = set(PACK) - self.lacking[seat] - {card, *self.played}
        self.lacking[seat] |= {
            other for other in open_to_all if card not in legal([card, other], on_table)
        }
        self.trick = (*self.trick, PlayedCard(Seat(seat), card))
        if len(self.trick) < SEATS:
            return seat_after(Seat(seat))
        return self._take()

    def sight(self, legal: Legal) -> TrickSight:
        """Describe the decision that this seat has to make."""
        assert self.me is not None
        gone = {*self.played, *self.holding}
        return TrickSight(
            me=self.me,
            hand=tuple(self.holding),
            may_play=legal(self.holding, [one.card for one in self.trick]),
            trump=self.trump,
            trick=self.trick,
            unseen=frozenset(card for card in PACK if card not in gone),
            lacking={seat: frozenset(cards) for seat, cards in self.lacking.items()},
            taken={seat: self.taken(seat) for seat in range(SEATS)},
        )

    def _take(self) -> int:
        winner = self.trick[best_of([one.card for one in self.trick], self.trump)].seat
        self.tricks.append(Trick(winner, self.trick))
        self.trick = ()
        assert len(self.tricks) <= HAND_CARDS
        return winner
