"""Holdings to measure with, by kind; the same ones in every run."""

import random
from collections.abc import Callable, Mapping
from typing import NamedTuple

from server.cards.card import Card
from server.cards.pack import Pack
from server.games.rummy.melds import best
from server.games.rummy.scoring import HAND_CARDS, wild_rank_of

DRAWS = range(5, 26)


class Hand(NamedTuple):
    """Thirteen cards and the rank that is wild."""

    cards: tuple[Card, ...]
    wild_rank: str | None


def random_hand(chance: random.Random, packs: int) -> Hand:
    """Deal thirteen cards after the turned one. Three in five hold no pure run."""
    turned, *cards = chance.sample(Pack(packs, packs).cards, 1 + HAND_CARDS)
    return Hand(tuple(cards), wild_rank_of(turned))


def hand_with_pure_run(chance: random.Random, packs: int) -> Hand:
    """Deal until there is a pure run, so that nobody is done before the search."""
    while True:
        hand = random_hand(chance, packs)
        if best(*hand).case != "none":
            return hand


def late_hand(chance: random.Random, packs: int) -> Hand:
    """Draw card after card and keep the thirteen that cost least, until they would cost nothing."""
    turned, *pile = chance.sample(Pack(packs, packs).cards, 1 + HAND_CARDS + DRAWS.stop)
    wild_rank = wild_rank_of(turned)
    hand = pile[:HAND_CARDS]
    for drawn in pile[HAND_CARDS : HAND_CARDS + chance.choice(DRAWS)]:
        fourteen = [*hand, drawn]
        choices = [fourteen[:at] + fourteen[at + 1 :] for at in range(len(fourteen))]
        kept = min(choices, key=lambda cards: best(cards, wild_rank).points)
        if best(kept, wild_rank).points == 0:
            break
        hand = kept
    return Hand(tuple(hand), wild_rank)


KINDS: Mapping[str, Callable[[random.Random, int], Hand]] = {
    "random": random_hand,
    "pure run": hand_with_pure_run,
    "late": late_hand,
}
PACKS = (2, 3)


def hands_of(kind: str, packs: int, count: int) -> list[Hand]:
    """Make `count` hands of that kind from as many packs, with a printed joker each."""
    chance = random.Random(f"{kind} {packs}")
    return [KINDS[kind](chance, packs) for _ in range(count)]
