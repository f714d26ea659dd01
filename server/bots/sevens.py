"""How a program plays Badam Satti and Sevens: it opens its own way and keeps the others waiting.

Every turn sheds one card, so who never has to pass is first. A card is good to lay if own
cards wait behind it, the more so if others must lay theirs in between; it is good to keep
if only others' cards wait behind it. Pure but for the generator it is given.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from server.cards.card import RANKS, Card, rank_of, suit_of
from server.games.sevens.lines import SEVEN, Lines, place_of
from server.games.sevens.moves import Move, Pass, Play
from server.games.sevens.scoring import card_points

OWN_BEHIND: Final = 10
"""What an own card is worth that waits behind the one laid."""

EACH_BETWEEN: Final = 6
"""What it is worth more for each of the others' cards that must be laid before it."""

OTHERS_BEHIND: Final = 6
"""What each of the others' cards costs that is let go."""

LET_GO_NEXT: Final = 6
"""What it costs besides if somebody can lay the next one at once."""

HURRY_FROM: Final = 3
"""When another seat holds so few cards, points are shed before they are counted."""

HURRY: Final = 4
WHIM: Final = 4
CARELESS_WHIM: Final = 60
"""A move may be worth this much less than the best one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What a seat sees when it must act.

    Shape: `counts` are the others' cards by seat; `lacking` are cards by seat that it can't hold,
           because it passed when they could be laid. `may_play` are those of `hand` that fit.
    """

    hand: tuple[Card, ...]
    may_play: tuple[Card, ...]
    lines: Lines
    counts: Mapping[int, int]
    lacking: Mapping[int, frozenset[Card]]
    has_chips: bool


def choose(sight: Sight, random: Random, *, is_careless: bool = False) -> Move:
    """Choose a legal move."""
    if not sight.may_play:
        return Pass()
    whim = CARELESS_WHIM if is_careless else WHIM
    return Play(max(sight.may_play, key=lambda card: _worth(sight, card) + random.randrange(whim)))


def _worth(sight: Sight, card: Card) -> int:
    """Value a card that may be laid: what it lets go of one's own, less what of the others'."""
    worth = sum(_worth_behind(sight, tuple(behind)) for behind in _ways(card))
    if min(sight.counts.values(), default=HURRY_FROM) <= HURRY_FROM and not sight.has_chips:
        worth += HURRY * card_points(card)
    return worth


def _worth_behind(sight: Sight, behind: tuple[Card, ...]) -> int:
    worth, between = 0, 0
    for card in behind:
        if card in sight.hand:
            worth += OWN_BEHIND + EACH_BETWEEN * between
        else:
            between += 1
            worth -= OTHERS_BEHIND
    if behind and behind[0] not in sight.hand:
        held = any(behind[0] not in cards for cards in sight.lacking.values())
        worth -= LET_GO_NEXT if held else 0
    return worth


def _ways(card: Card) -> Iterator[Iterator[Card]]:
    """List the cards that wait behind a card, nearest first: two ways for a seven."""
    place, suit = place_of(card), suit_of(card)
    if rank_of(card) == SEVEN or place < RANKS.index(SEVEN):
        yield (Card(rank + suit) for rank in reversed(RANKS[:place]))
    if rank_of(card) == SEVEN or place > RANKS.index(SEVEN):
        yield (Card(rank + suit) for rank in RANKS[place + 1 :])
