"""What a program sees of a game of tricks, and what it can tell of the others' cards."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from server.cards.card import Card, suit_of
from server.cards.tricks import PlayedCard, best_of, in_suit, strength


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickSight:
    """What a seat sees when it must play a card.

    Shape: `may_play` are those of `hand` that are legal now; `unseen` are the cards that others
           hold (or that stay in the pack), `lacking` those that a seat can't hold, by what it
           has played. `taken` are tricks by seat.
    """

    me: int
    hand: tuple[Card, ...]
    may_play: tuple[Card, ...]
    trump: str
    trick: tuple[PlayedCard, ...]
    unseen: frozenset[Card]
    lacking: Mapping[int, frozenset[Card]]
    taken: Mapping[int, int]

    @property
    def cards(self) -> tuple[Card, ...]:
        """List the cards on the table, the led one first."""
        return tuple(one.card for one in self.trick)

    @property
    def winning(self) -> PlayedCard | None:
        """Find the card that is winning the trick."""
        return self.trick[best_of(self.cards, self.trump)] if self.trick else None

    @property
    def is_last(self) -> bool:
        """Tell whether nobody plays to this trick any more."""
        return len(self.trick) == 3

    def is_boss(self, card: Card) -> bool:
        """Tell whether no unseen card of its suit is higher."""
        rivals = in_suit(self.unseen, suit_of(card))
        return all(strength(card) > strength(rival) for rival in rivals)

    def may_hold(self, seat: int, suit: str) -> bool:
        """Tell whether a seat may hold a card of a suit."""
        return any(card not in self.lacking[seat] for card in in_suit(self.unseen, suit))

    def may_ruff(self, seat: int, suit: str) -> bool:
        """Tell whether a seat is known to have none of a suit, and may have a trump."""
        if suit == self.trump or self.may_hold(seat, suit):
            return False
        return self.may_hold(seat, self.trump)

    def beats(self, card: Card) -> bool:
        """Tell whether a card would be winning the trick."""
        return best_of((*self.cards, card), self.trump) == len(self.trick)

    def is_safe(self, card: Card, opponents: Iterable[int]) -> bool:
        """Tell whether a card that wins now will surely, or almost surely, take the trick.

        A trump on another suit does unless an opponent that plays yet is known to have none of it.
        """
        if not self.beats(card):
            return False
        led = suit_of(self.cards[0]) if self.trick else suit_of(card)
        yet = [s for s in opponents if s not in {one.seat for one in self.trick}]
        if self.is_last or not yet:
            return True
        may_be_ruffed = any(self.may_ruff(seat, led) for seat in yet)
        if suit_of(card) == self.trump != led:
            return not may_be_ruffed or self.is_boss(card)
        return not may_be_ruffed and self.is_boss(card)


def cheapest(cards: Iterable[Card], trump: str) -> Card:
    """Choose the card that is least dear: trumps last, then the rank."""
    return min(cards, key=lambda card: (suit_of(card) == trump, strength(card)))
