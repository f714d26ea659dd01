"""The lines on the table: one for each suit, from its seven down to the ace and up to the king."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from server.cards.card import RANKS, Card, rank_of, suit_of

SUIT_ORDER = "SHCD"
"""The order of the suits in the source: spades, hearts, clubs, diamonds."""

SEVEN = "7"


class Line(NamedTuple):
    """An open suit: its lowest and its highest card on the table."""

    low: Card
    high: Card


Lines = tuple[Line, ...]
"""The open suits in the order of `SUIT_ORDER`; a suit without its seven has no line."""


@lru_cache(maxsize=256)  # of the same lines it is asked for the move, the view and the next seat
def fitting(lines: Lines) -> frozenset[Card]:
    """Collect the cards that may be laid next: unplayed sevens, and the next at each line's ends.

    Source: rules.md 3.2 to 3.4.
    """
    opened = {suit_of(line.low) for line in lines}
    sevens = {Card(SEVEN + suit) for suit in SUIT_ORDER if suit not in opened}
    ends = [(line.low, -1) for line in lines] + [(line.high, 1) for line in lines]
    return frozenset(sevens | {card for end in ends if (card := _beside(*end)) is not None})


def with_card(lines: Lines, card: Card) -> Lines:
    """Lay a card that fits. Errors: AssertionError if it does not."""
    assert card in fitting(lines), card
    if rank_of(card) == SEVEN:
        return _sorted((*lines, Line(card, card)))
    line = next(line for line in lines if suit_of(line.low) == suit_of(card))
    is_below = place_of(card) < place_of(line.low)
    longer = line._replace(low=card) if is_below else line._replace(high=card)
    return _sorted(longer if other == line else other for other in lines)


def place_of(card: Card) -> int:
    """Derive a card's place in its line: 0 the ace, 12 the king."""
    return RANKS.index(rank_of(card))


def length_of(lines: Lines) -> int:
    """Count the cards on the table."""
    return sum(place_of(line.high) - place_of(line.low) + 1 for line in lines)


def lowest(cards: Iterable[Card]) -> Card:
    """Choose the first by suit in `SUIT_ORDER`, then the lowest. Source: rules.md 6.2."""
    return min(cards, key=lambda card: (SUIT_ORDER.index(suit_of(card)), place_of(card)))


def _beside(card: Card, step: int) -> Card | None:
    place = place_of(card) + step
    return Card(RANKS[place] + suit_of(card)) if 0 <= place < len(RANKS) else None


def _sorted(lines: Iterable[Line]) -> Lines:
    return tuple(sorted(lines, key=lambda line: SUIT_ORDER.index(suit_of(line.low))))
