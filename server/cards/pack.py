"""Packs: which cards there are, and the number of each (fairdeal/1 section 2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from server.cards.card import PRINTED_JOKER, RANKS, SUITS, Card


@dataclass(frozen=True, slots=True)
class Pack:
    """The cards of a table: `packs` times 52, and printed jokers.

    Units: cards. Source: fairdeal/1 section 2 ("Cards are numbered").
    """

    packs: int
    printed_jokers: int

    @property
    def size(self) -> int:
        """Count the cards, `52 * packs + printed_jokers`."""
        return 52 * self.packs + self.printed_jokers

    @property
    def cards(self) -> tuple[Card, ...]:
        """List all cards; a card's index is its number."""
        return _cards(self.packs, self.printed_jokers)

    def card_of(self, number: int) -> Card:
        """Derive the card with that number.

        Errors: IndexError if the pack has no such number.
        """
        if number < 0:
            raise IndexError(number)
        return self.cards[number]

    def number_of(self, card: Card) -> int:
        """Derive the number of a card.

        Errors: KeyError if the pack has no such card.
        """
        return _numbers(self.packs, self.printed_jokers)[card]


@cache
def _cards(packs: int, printed_jokers: int) -> tuple[Card, ...]:
    faces = [rank + suit for suit in SUITS for rank in RANKS]
    naturals = [_copy(face, pack) for pack in range(packs) for face in faces]
    return tuple(naturals + [_copy(PRINTED_JOKER, joker) for joker in range(printed_jokers)])


@cache
def _numbers(packs: int, printed_jokers: int) -> Mapping[Card, int]:
    return {card: number for number, card in enumerate(_cards(packs, printed_jokers))}


def _copy(face: str, copy: int) -> Card:
    return Card(f"{face}#{copy}" if copy else face)
