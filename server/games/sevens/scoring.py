"""The points of a hand, the score of a match, and the text that carries it from hand to hand."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from server.cards.card import RANKS, Card, rank_of

ANTE = 1
PASS_COST = 1
CARD_COST = 1
"""Chips. Source: rules.md 5."""

FACE_POINTS = 10
FACES = "JQK"

_MEMO = re.compile(r"([1-9]):((?:0|-?[1-9][0-9]{0,4})(?:,(?:0|-?[1-9][0-9]{0,4}))*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Match:
    """A match so far: hands dealt before this one, and the scores in the order of the seats."""

    played: int
    scores: tuple[int, ...]


def card_points(card: Card) -> int:
    """Count a card left in a holding: ace 1, face cards 10. Source: rules.md 4.3."""
    rank = rank_of(card)
    return FACE_POINTS if rank in FACES else RANKS.index(rank) + 1


def penalty(cards: Sequence[Card]) -> int:
    """Count the cards left in a holding.

    Example: penalty(["KC", "9D", "AS"]) is 20.
    """
    return sum(card_points(card) for card in cards)


def pool_of(passes: Sequence[int]) -> int:
    """Count the chips in the middle: an ante of each seat, and the passes."""
    return ANTE * len(passes) + PASS_COST * sum(passes)


def chips_of(*, winner: int, passes: Sequence[int], cards_left: Sequence[int]) -> tuple[int, ...]:
    """Settle a hand of Sevens: what each seat has gained or lost; it sums to zero.

    Shape:   one entry for each seat; `winner` is an index.
    Units:   chips.
    Source:  rules.md 5.
    Example: chips_of(winner=0, passes=[1, 0, 2, 1], cards_left=[0, 3, 5, 2]) is (16, -4, -8, -4).
    """
    paid = [
        ANTE + PASS_COST * passed + CARD_COST * left
        for passed, left in zip(passes, cards_left, strict=True)
    ]
    taken = pool_of(passes) + CARD_COST * sum(cards_left)
    return tuple((taken if index == winner else 0) - chips for index, chips in enumerate(paid))


def winners_of(scores: Sequence[int], *, has_chips: bool) -> tuple[int, ...]:
    """List who has won a match, by index: the most chips or the fewest points; equals share.

    Source: rules.md 4.5, 5.5.
    """
    best = max(scores) if has_chips else min(scores)
    return tuple(index for index, score in enumerate(scores) if score == best)


def memo_of(match: Match) -> str:
    """Write what a match carries into its next hand: `2:15,0,33,8`, "" before its first."""
    return f"{match.played}:{','.join(map(str, match.scores))}" if match.played else ""


def match_of(memo: str, *, seats: int, hands: int) -> Match:
    """Read what a match carries. Errors: ValueError if `memo` is not of such a match."""
    if memo == "":
        return Match(0, (0,) * seats)
    if (found := _MEMO.fullmatch(memo)) is None:
        raise ValueError(f"not the memo of a match: {memo[:40]!r}")
    played, scores = int(found[1]), tuple(map(int, found[2].split(",")))
    if played >= hands or len(scores) != seats:
        raise ValueError(f"a memo of another match: {memo[:40]!r}")
    return Match(played, scores)
