"""Who chooses trump, and which position of the pack goes where."""

from collections.abc import Sequence
from typing import Final

from server.cards.card import SUITS, Card, suit_of
from server.cards.game import Seat
from server.cards.tricks import SEATS, PlayedCard, seats_from, strength

BATCHES: Final = (5, 4, 4)
"""Cards to each seat, batch by batch. Source: rules.md 2.4."""

LUCK: Final = SEATS * BATCHES[0]
"""The position of the card of luck: the top of what is not dealt yet. Source: rules.md 3.4."""

DRAWS: Final = (52, 51, 50, 49)
"""What the toss must bring for the first draw. Source: rules.md 2.2."""


def drawn_cards(pack: Sequence[Card], draws: Sequence[int]) -> tuple[PlayedCard, ...]:
    """Draw a card for each seat from 0 on, without putting back. Source: rules.md 2.2."""
    left = list(pack)
    return tuple(PlayedCard(Seat(seat), left.pop(place)) for seat, place in enumerate(draws))


def chooser_of(drawn: Sequence[PlayedCard]) -> Seat:
    """Find who drew the highest card; of equal ranks the first of S H D C. Source: rules.md 2.1."""
    highest = max(drawn, key=lambda one: (strength(one.card), -SUITS.index(suit_of(one.card))))
    return highest.seat


def positions_of(batch: int, chooser: Seat) -> tuple[tuple[Seat, tuple[int, ...]], ...]:
    """List the positions that each seat gets in a batch 1, 2 or 3, in the order of dealing."""
    size = BATCHES[batch - 1]
    begin = SEATS * sum(BATCHES[: batch - 1])
    return tuple(
        (seat, tuple(range(begin + offset * size, begin + (offset + 1) * size)))
        for offset, seat in enumerate(seats_from(chooser))
    )
