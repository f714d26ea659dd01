"""The slow, plain reading of the rules: sets are laid aside one after another, in every way."""

from collections.abc import Sequence
from itertools import combinations

from server.cards.card import RANKS, Card

Part = frozenset[Card]


def worth(cards: Sequence[Card] | Part) -> int:
    """Add cards up."""
    return sum(RANKS.index(card[0]) + 1 for card in cards)


def sets_of(cards: Sequence[Card], value: int) -> list[Part]:
    """List all sets of cards that add up to the value."""
    sizes = range(1, len(cards) + 1)
    parts = (part for size in sizes for part in combinations(cards, size))
    return [frozenset(part) for part in parts if worth(part) == value]


def takes(loose: Sequence[Card], value: int) -> set[Part]:
    """List what a card of that value may take of loose cards; the empty part if it takes none."""
    return _whole({frozenset()}, sets_of(loose, value))


def joins(loose: Sequence[Card], card: Card, value: int) -> set[Part]:
    """List which loose cards may go into a house of the value with a played card."""
    with_card = sets_of([*loose, card], value)
    own = {one - {card} for one in with_card if card in one}
    return _whole(own, [one for one in with_card if card not in one])


def _whole(begun: set[Part], sets: list[Part]) -> set[Part]:
    """Go on from each beginning until no further set is left."""
    found, seen, open_ = set(), set(begun), list(begun)
    while open_:
        laid = open_.pop()
        longer = {laid | one for one in sets if not laid & one}
        if not longer:
            found.add(laid)
        open_ += longer - seen
        seen |= longer
    return found
