"""What a holding costs, and the fixed prices of leaving a hand."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from server.cards.card import RANKS, Card, face_of, is_printed_joker, rank_of, suit_of
from server.games.rummy.melds import HIGH_ACE, Case, Found, Group, best, points_of_rank

Kind = Literal["pure", "seq", "set"]
"""What a group is; a pure run is also a sequence, `seq` alone is impure."""

HAND_CARDS = 13
PACKS_MAX = 3
FIRST_DROP = 20
LATER_DROP = 40
WRONG_DECLARE = 80
WORST_HAND = 130
"""Points. Source: rules.md 6.2 (no cap), 7.1, 7.2, 5.4."""


@dataclass(frozen=True, slots=True)
class Count:
    """A holding at its best arrangement.

    Shape: `groups` and `loose` hold every card once, the pure run is the first group; `loose` are
           the cards of no group that counts.
    """

    points: int
    case: Case
    can_declare: bool
    groups: tuple[tuple[Card, ...], ...]
    loose: tuple[Card, ...]


def wild_rank_of(turned: Card) -> str | None:
    """Derive the wild rank; None if only the printed jokers are wild. Source: rules.md 1.6."""
    return None if is_printed_joker(turned) else rank_of(turned)


def is_joker(card: Card, wild_rank: str | None) -> bool:
    """Tell whether the card may stand for another: printed, or of the wild rank."""
    return is_printed_joker(card) or rank_of(card) == wild_rank


def points_of(card: Card, wild_rank: str | None) -> int:
    """Count one loose card. Source: rules.md 6.1."""
    return 0 if is_joker(card, wild_rank) else points_of_rank(rank_of(card))


def count(hand: Sequence[Card], wild_rank: str | None) -> Count:
    """Count a holding at its best arrangement, and show that arrangement.

    Shape:   13 cards in a hand; up to 14 of up to three packs are counted. Equal texts are copies.
    Units:   points.
    Errors:  KeyError if a text is no card; ValueError if a face is there more than three times.
    Source:  rules.md 6.
    Example: count(["4S", "5S", "6S", ...], "3").case is "two_sequences" if there is a second run.
    """
    faces = Counter(face_of(card) for card in hand if not is_printed_joker(card))
    if max(faces.values(), default=0) > PACKS_MAX:
        raise ValueError(f"no table has {max(faces.values())} packs")
    found = best(hand, wild_rank)
    layout = _Layout(hand, wild_rank)
    groups = tuple(layout.cards_of(group) for group in _with_spare_jokers(found, hand, wild_rank))
    can_declare = found.case == "two_sequences" and found.points == 0
    result = Count(found.points, found.case, can_declare, groups, tuple(layout.left))
    assert sum(points_of(card, wild_rank) for card in result.loose) == found.points, result
    assert all(kinds_of(group, wild_rank) for group in groups), result
    return result


def kinds_of(cards: Sequence[Card], wild_rank: str | None) -> frozenset[Kind]:
    """Tell what the cards are as a group; empty if they are none.

    Source: rules.md 4.
    """
    kinds: set[Kind] = set()
    own = [card for card in cards if not is_joker(card, wild_rank)]
    size = len(cards)
    if size < 3 or size > HAND_CARDS:
        return frozenset()
    if any(len({suit_of(card) for card in own}) <= 1 and span <= size for span in _spans(own)):
        kinds.add("seq")
    one_each = len({suit_of(card) for card in own}) == len(own)
    if size <= 4 and one_each and len({rank_of(card) for card in own}) <= 1:
        kinds.add("set")
    if _is_pure(cards):
        kinds.add("pure")
    return frozenset(kinds)


def _is_pure(cards: Sequence[Card]) -> bool:
    if any(is_printed_joker(card) for card in cards) or len({suit_of(c) for c in cards}) > 1:
        return False
    return len(cards) in _spans(cards)


def _spans(cards: Sequence[Card]) -> list[int]:
    """Measure from the lowest to the highest card, the ace low and high; none for equal ranks."""
    low = [RANKS.index(rank_of(card)) for card in cards]
    if len(set(low)) < len(low):
        return []
    high = [place or HIGH_ACE for place in low]
    return [max(places, default=0) - min(places, default=0) + 1 for places in (low, high)]


def _with_spare_jokers(
    found: Found, hand: Sequence[Card], wild_rank: str | None
) -> tuple[Group, ...]:
    """Give the jokers that no group needs to the second sequence; without one they stay loose."""
    if found.case != "two_sequences":
        return found.groups
    pure, *others = found.groups
    own = sum(face[0] == wild_rank for _, face in pure.own)
    needed = sum(group.jokers for group in others)
    spare = sum(is_joker(card, wild_rank) for card in hand) - own - needed
    second = next(number for number, group in enumerate(others) if group.is_run)
    others[second] = others[second]._replace(jokers=others[second].jokers + spare)
    return (pure, *others)


class _Layout:
    """The cards of a holding while its groups are laid out; `left` are those not yet placed."""

    def __init__(self, hand: Sequence[Card], wild_rank: str | None) -> None:
        self.left = list(hand)
        self.wild_rank = wild_rank

    def cards_of(self, group: Group) -> tuple[Card, ...]:
        """Lay out one group: a run with jokers in its gaps and at its ends, a set's behind."""
        own = [(place, self._take(face)) for place, face in group.own]
        if not own or not group.is_run:
            jokers = tuple(self._take_joker() for _ in range(group.jokers))
            return (*(card for _, card in own), *jokers)
        run = dict(own)
        size = len(run) + group.jokers
        first = min(own[0][0], HIGH_ACE + 1 - size)
        suit = suit_of(own[0][1])
        return tuple(
            run.get(place) or self._take_joker(RANKS[place % HIGH_ACE] + suit)
            for place in range(first, first + size)
        )

    def _take(self, face: str) -> Card:
        card = next(card for card in self.left if face_of(card) == face)
        self.left.remove(card)
        return card

    def _take_joker(self, instead_of: str = "") -> Card:
        """Take a joker; one that has this face anyway, else a printed one, else any."""
        jokers = [card for card in self.left if is_joker(card, self.wild_rank)]
        card = min(jokers, key=lambda c: (face_of(c) != instead_of, not is_printed_joker(c)))
        self.left.remove(card)
        return card
