"""How a program plays Batak: it counts the tricks of its best suit, draws trumps, wastes nothing.

Pure but for the generator it is given. Units of `_worth_of`: tenths of a trick.
"""

from dataclasses import dataclass
from random import Random
from typing import Final

from server.bots.tricks import TrickSight, cheapest
from server.cards.card import Card, suit_of
from server.cards.tricks import SEATS, TRUMP_SUITS, TrumpSuit, in_suit, strength
from server.games.batak.moves import Bid, NameTrump, Pass, Play

ACE, KING, QUEEN = 12, 11, 10
"""Strengths."""

SIDE: Final = {ACE: 9, KING: 6, QUEEN: 2}
"""What a high card of a side suit is worth if enough small ones guard it."""

TRUMP: Final = {ACE: 10, KING: 9, QUEEN: 7}
LONG_TRUMP: Final = 8
SMALL_TRUMP: Final = 2
LONG_FROM: Final = 3
"""The fourth trump and those after it are tricks once the others have none."""

SHORT: Final = {0: 10, 1: 6, 2: 2}
"""What a short side suit is worth to a hand with four trumps or more."""

BOLDNESS: Final = 4
CARELESS: Final = 20
"""A bid may be this much above what was counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidSight:
    """What a seat sees in the auction and when it names trump."""

    hand: tuple[Card, ...]
    may_bid: tuple[int, ...]
    is_naming: bool


def call(sight: BidSight, random: Random, *, is_careless: bool = False) -> Bid | Pass | NameTrump:
    """Choose a bid that the best suit carries, or name that suit."""
    suit = max(TRUMP_SUITS, key=lambda one: _worth_of(sight.hand, one))
    if sight.is_naming:
        return NameTrump(suit)
    slack = random.randrange(CARELESS) if is_careless else BOLDNESS
    promised = (_worth_of(sight.hand, suit) + slack) // 10
    if sight.may_bid and sight.may_bid[0] <= promised:
        return Bid(sight.may_bid[0])
    return Pass()


def play(sight: TrickSight, random: Random, *, is_careless: bool = False) -> Play:
    """Choose a card to play."""
    if is_careless and random.random() < 0.5:
        return Play(random.choice(sight.may_play))
    return Play(_follow(sight) if sight.trick else _lead(sight))


def _lead(sight: TrickSight) -> Card:
    """Lead what wins: trumps while others have some, then high cards; else a low card."""
    others = [seat for seat in range(SEATS) if seat != sight.me]
    trumps = in_suit(sight.may_play, sight.trump)
    bosses = [card for card in sight.may_play if sight.is_boss(card)]
    if in_suit(sight.unseen, sight.trump) and len(trumps) > 1:
        for card in bosses:
            if card in trumps:
                return card
    sides = [card for card in bosses if suit_of(card) != sight.trump]
    safe = [card for card in sides if not any(sight.may_ruff(s, suit_of(card)) for s in others)]
    if safe:
        return max(safe, key=lambda card: -len(in_suit(sight.unseen, suit_of(card))))
    plain = [card for card in sight.may_play if suit_of(card) != sight.trump]
    if not plain:
        return bosses[0] if bosses else cheapest(sight.may_play, sight.trump)
    return min(plain, key=lambda card: (_is_guard(sight, card), strength(card)))


def _follow(sight: TrickSight) -> Card:
    """Win as cheaply as it goes, else give the least away."""
    others = [seat for seat in range(SEATS) if seat != sight.me]
    beating = [card for card in sight.may_play if sight.beats(card)]
    safe = [card for card in beating if sight.is_safe(card, others)]
    if safe:
        return cheapest(safe, sight.trump)
    if beating and len(beating) == len(sight.may_play):
        return cheapest(beating, sight.trump)
    losing = [card for card in sight.may_play if card not in beating]
    return min(
        losing or sight.may_play,
        key=lambda card: (suit_of(card) == sight.trump, _is_guard(sight, card), strength(card)),
    )


def _is_guard(sight: TrickSight, card: Card) -> bool:
    """Tell whether a small card protects a king or a queen of its suit."""
    suit = in_suit(sight.hand, suit_of(card))
    high = max(suit, key=strength)
    return card != high and len(suit) <= 2 and strength(high) in (KING, QUEEN)


def _worth_of(hand: tuple[Card, ...], trump: TrumpSuit) -> int:
    """Count the tricks, in tenths, that a hand may take with a trump suit."""
    trumps = sorted(map(strength, in_suit(hand, trump)), reverse=True)
    worth = 0
    for place, rank in enumerate(trumps):
        worth += TRUMP.get(rank, LONG_TRUMP if place >= LONG_FROM else SMALL_TRUMP)
    for suit in TRUMP_SUITS:
        if suit == trump:
            continue
        cards = [strength(card) for card in in_suit(hand, suit)]
        for rank in cards:
            guards = ACE - rank
            worth += SIDE.get(rank, 0) if len(cards) > guards else 0
        if len(trumps) > LONG_FROM:
            worth += SHORT.get(len(cards), 0)
    return worth
