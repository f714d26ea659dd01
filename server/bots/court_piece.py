"""How a program plays Court Piece: long trumps, no trump on the partner's trick, bosses counted.

Pure but for the generator it is given.
"""

from dataclasses import dataclass
from random import Random
from typing import Final

from server.bots.tricks import TrickSight, cheapest
from server.cards.card import Card, suit_of
from server.cards.game import Seat
from server.cards.tricks import TRUMP_SUITS, TrumpSuit, in_suit, strength
from server.games.court_piece.moves import NameTrump, Pass, Play
from server.games.court_piece.scoring import partner_of

PER_CARD: Final = 20
"""What length is worth against strength: four small cards are better than an ace alone."""

GOOD_SUIT: Final = 3 * PER_CARD
"""A choice worth less is left to the partner."""

HIGH: Final = 9
"""The strength of a jack: a partner's card below it does not hold a trick by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrumpSight:
    """What a seat sees when it chooses trump: its first five cards."""

    hand: tuple[Card, ...]
    may_pass: bool


def choose_trump(
    sight: TrumpSight, random: Random, *, is_careless: bool = False
) -> NameTrump | Pass:
    """Name the suit with most cards, or leave the choice to the partner."""
    if is_careless:
        suits = [suit_of(card) for card in sight.hand]
        return NameTrump(next(one for one in TRUMP_SUITS if one == random.choice(suits)))
    best = max(TRUMP_SUITS, key=lambda suit: _worth_of(sight.hand, suit))
    if sight.may_pass and _worth_of(sight.hand, best) < GOOD_SUIT:
        return Pass()
    return NameTrump(best)


def play(sight: TrickSight, random: Random, *, is_careless: bool = False) -> Play:
    """Choose a card to play."""
    if is_careless and random.random() < 0.5:
        return Play(random.choice(sight.may_play))
    return Play(_follow(sight) if sight.trick else _lead(sight))


def _worth_of(hand: tuple[Card, ...], suit: TrumpSuit) -> int:
    cards = in_suit(hand, suit)
    return PER_CARD * len(cards) + sum(map(strength, cards)) // 2


def _opponents(sight: TrickSight) -> tuple[int, int]:
    return (sight.me + 1) % 4, (sight.me + 3) % 4


def _lead(sight: TrickSight) -> Card:
    """Lead high cards that can't be trumped, draw trumps with high ones, else the long suit."""
    opponents = _opponents(sight)
    bosses = [card for card in sight.may_play if sight.is_boss(card)]
    safe = [
        card
        for card in bosses
        if suit_of(card) != sight.trump
        and not any(sight.may_ruff(seat, suit_of(card)) for seat in opponents)
    ]
    trumps = [card for card in bosses if suit_of(card) == sight.trump]
    they_have = any(sight.may_hold(seat, sight.trump) for seat in opponents)
    if trumps and they_have and len(in_suit(sight.hand, sight.trump)) > 2:
        return max(trumps, key=strength)
    if safe:
        return min(safe, key=lambda card: -len(in_suit(sight.unseen, suit_of(card))))
    if bosses and not they_have:
        return bosses[0]
    plain = [card for card in sight.may_play if suit_of(card) != sight.trump]
    return min(
        plain or sight.may_play,
        key=lambda card: (-len(in_suit(sight.hand, suit_of(card))), strength(card)),
    )


def _follow(sight: TrickSight) -> Card:
    """Leave the partner's trick to it, else win cheaply, else give the least away."""
    winning = sight.winning
    assert winning is not None
    losing = [card for card in sight.may_play if not sight.beats(card)]
    beating = [card for card in sight.may_play if sight.beats(card)]
    if winning.seat == partner_of(Seat(sight.me)) and _partner_holds(sight, winning.card):
        return cheapest(losing or sight.may_play, sight.trump)
    if not beating:
        return cheapest(losing, sight.trump)
    safe = [card for card in beating if sight.is_safe(card, _opponents(sight))]
    if safe:
        return cheapest(safe, sight.trump)
    trumps = [card for card in beating if suit_of(card) == sight.trump]
    if trumps and len(trumps) == len(beating):
        return cheapest(trumps, sight.trump)
    if len(sight.trick) == 2:
        return max(beating, key=strength)
    return cheapest(losing or beating, sight.trump)


def _partner_holds(sight: TrickSight, card: Card) -> bool:
    """Tell whether the partner's card is likely to take the trick."""
    if sight.is_last or suit_of(card) == sight.trump or sight.is_boss(card):
        return True
    return strength(card) >= HIGH and suit_of(sight.may_play[0]) != suit_of(card)
