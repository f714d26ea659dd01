"""How a program plays rummy: near-melds are kept, bad hands dropped, a finish declared at once.

Pure but for the generator it is given: the same sight and the same generator give the same move.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from server.cards.card import RANKS, Card, face_of
from server.games.rummy.melds import HIGH_ACE, best
from server.games.rummy.moves import Declare, Discard, Draw, Drop
from server.games.rummy.scoring import count, is_joker, points_of

Move = Draw | Discard | Declare | Drop

DROP_POINTS: Final = 80
"""A first hand from which a loss would be dear; without any promise it is dropped for 20."""

PROMISE_MIN: Final = 45
TAKE_GAIN_MIN: Final = 30
"""How much better, in points of `_cost`, a hand must become for a card that all have seen."""

WHIM: Final = 24
"""A discard may cost this much more than the best one: nobody wants to play with an oracle."""

CARELESS_GAIN_MIN: Final = 60
CARELESS_WHIM: Final = 70
"""How a careless player takes and discards; it never drops, so that hands last."""

NEXT_IN_SUIT: Final = 6
NEAR_IN_SUIT: Final = 4
SAME_RANK: Final = 3
IN_A_RUN: Final = 12
IN_A_SET: Final = 7
"""What a card's neighbours are worth, in points, before they are a group that counts."""

JOKER_WORTH: Final = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What a seat sees when it must act.

    Shape: `hand` has 13 cards before the draw and 14 after it; `known` are those of them that
           the others have seen taken; `refused` may not be discarded in this turn.
    """

    hand: tuple[Card, ...]
    known: frozenset[Card]
    wild_rank: str | None
    open_top: Card | None
    may_take_joker: bool
    refused: Card | None
    has_drawn: bool
    draws: int


def choose(sight: Sight, random: Random, *, is_careless: bool = False) -> Move:
    """Choose a legal move; a careless player's hands last longer."""
    if sight.has_drawn:
        whim = CARELESS_WHIM if is_careless else WHIM
        return _finish(sight) or Discard(_discard(sight, random, whim))
    if sight.draws == 0 and not is_careless and _is_hopeless(sight.hand, sight.wild_rank):
        return Drop()
    gain = CARELESS_GAIN_MIN if is_careless else TAKE_GAIN_MIN
    return Draw("open" if _wants_open(sight, gain) else "closed")


def _finish(sight: Sight) -> Declare | None:
    """Find a finish card that leaves a complete hand."""
    for card in _by_face(sight.hand, lambda each: points_of(each, sight.wild_rank)):
        rest = _without(sight.hand, card)
        found = best(rest, sight.wild_rank)
        if found.points == 0 and found.case == "two_sequences":
            return Declare(card, count(rest, sight.wild_rank).groups)
    return None


def _discard(sight: Sight, random: Random, whim: int) -> Card:
    wild_rank = sight.wild_rank
    allowed = [card for card in sight.hand if card != sight.refused]
    faces = _by_face(allowed, lambda card: -points_of(card, wild_rank))
    naturals = [card for card in faces if not is_joker(card, wild_rank)]
    cheapest = min(
        naturals or faces,
        key=lambda card: _cost(_without(sight.hand, card), wild_rank) + random.randrange(whim),
    )
    return _copy_of(cheapest, allowed, sight.known, random)


def _copy_of(card: Card, allowed: Sequence[Card], known: frozenset[Card], random: Random) -> Card:
    """Name the copy of a face so that it tells the others nothing (fairdeal/1, Transcript)."""
    copies = sorted(each for each in allowed if face_of(each) == face_of(card))
    seen = [each for each in copies if each in known]
    return seen[0] if seen else random.choice(copies)


def _wants_open(sight: Sight, gain_min: int) -> bool:
    top = sight.open_top
    if top is None:
        return False
    if is_joker(top, sight.wild_rank):
        return sight.may_take_joker
    hand = (*sight.hand, top)
    after = min(
        _cost(_without(hand, card), sight.wild_rank) for card in _by_face(sight.hand, face_of)
    )
    gain = _cost(sight.hand, sight.wild_rank) - after
    return gain >= gain_min


def _is_hopeless(hand: Sequence[Card], wild_rank: str | None) -> bool:
    if any(is_joker(card, wild_rank) for card in hand):
        return False
    found = best(hand, wild_rank)
    return (
        found.case == "none"
        and found.points >= DROP_POINTS
        and _promise(hand, wild_rank) < PROMISE_MIN
    )


def _cost(hand: Sequence[Card], wild_rank: str | None) -> int:
    """Price a hand: its points, less what its cards promise together."""
    return best(hand, wild_rank).points - _promise(hand, wild_rank)


def _promise(hand: Sequence[Card], wild_rank: str | None) -> int:
    naturals = {face_of(card) for card in hand if not is_joker(card, wild_rank)}
    jokers = sum(is_joker(card, wild_rank) for card in hand)
    return JOKER_WORTH * jokers + sum(_ties(face, naturals) for face in naturals)


def _ties(face: str, faces: set[str]) -> int:
    """Value a card by its neighbours in the suit and its like in other suits."""
    rank, suit = face[0], face[1]
    place = RANKS.index(rank)
    worth = 0
    for low in (place, HIGH_ACE) if place == 0 else (place,):
        near = [_at(low + step, suit) in faces for step in (-2, -1, 1, 2)]
        if (near[0] and near[1]) or (near[1] and near[2]) or (near[2] and near[3]):
            worth = max(worth, IN_A_RUN)
        elif near[1] or near[2]:
            worth = max(worth, NEXT_IN_SUIT)
        elif near[0] or near[3]:
            worth = max(worth, NEAR_IN_SUIT)
    like = sum(other[0] == rank for other in faces) - 1
    return max(worth, IN_A_SET if like >= 2 else SAME_RANK * like)


def _at(place: int, suit: str) -> str:
    """Name the card at a place of a suit, the ace once more above the king; "" outside."""
    return RANKS[place % HIGH_ACE] + suit if 0 <= place <= HIGH_ACE else ""


def _by_face(cards: Sequence[Card], key: Callable[[Card], int | str]) -> list[Card]:
    """List one card of each face, in the order of `key`."""
    return sorted({face_of(card): card for card in cards}.values(), key=lambda c: (key(c), c))


def _without(hand: Sequence[Card], card: Card) -> tuple[Card, ...]:
    at = hand.index(card)
    return (*hand[:at], *hand[at + 1 :])
