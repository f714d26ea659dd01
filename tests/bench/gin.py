"""The meld search on gin rummy, against RLCard's and OpenSpiel's own.

The rules coincide on ten cards without aces: no jokers, no run that must be pure. Ours is then the
search below `best`, which is told that no sequence is wanted; every deadwood must be equal.
What is measured is the processor's time, on one thread.
"""

from collections.abc import Callable, Sequence
from random import Random
from time import process_time

from server.cards.card import RANKS, SUITS
from server.games.rummy import melds
from tests.bench.rounds import Row, Size, Skipped, alternating, in_words, is_missing, middle

HAND_CARDS = 10
HANDS = 200
OUR_PASSES = 5
"""One pass of ours over the hands is short for the clock."""

PACK = tuple(rank + suit for suit in SUITS for rank in RANKS if rank != "A")

Deadwood = Callable[[], list[int]]
"""Finds the deadwood of every hand; whatever can be prepared before it starts has been."""


def rows(size: Size) -> list[Row | Skipped]:
    """Measure against those that are installed."""
    hands = hands_of(HANDS if size.repeats > 10 else size.repeats)
    ours = ours_on(hands)
    found: list[Row | Skipped] = []
    for name, package, install, make in (
        ("RLCard", "rlcard", "rlcard (it comes as source only)", rlcard_on),
        ("OpenSpiel", "pyspiel", "-e '.[bench]'", openspiel_on),
    ):
        if is_missing(package):
            found.append(Skipped(f"gin rummy: {name}", package, install))
            continue
        theirs = make(hands)
        assert theirs() == ours(), f"{name} counts otherwise"
        found.append(_row(name, ours, theirs, len(hands), size.rounds))
    return found


def _row(name: str, ours: Deadwood, theirs: Deadwood, hands: int, rounds: int) -> Row:
    pairs = alternating(lambda: _seconds(ours, OUR_PASSES), lambda: _seconds(theirs, 1), rounds)
    return Row(
        name=f"gin rummy: {name}",
        ours=f"{in_words(middle(mine for mine, _ in pairs) / hands)} a hand",
        against=f"{in_words(middle(other for _, other in pairs) / hands)} a hand",
        ratios=[other / mine for mine, other in pairs],
        note="best melds of ten cards, no aces; equal deadwood",
    )


def _seconds(work: Deadwood, passes: int) -> float:
    began = process_time()
    for _ in range(passes):
        work()
    return (process_time() - began) / passes


def hands_of(count: int) -> list[tuple[str, ...]]:
    """Deal hands of gin; the same ones in every run."""
    chance = Random("gin")
    return [tuple(chance.sample(PACK, HAND_CARDS)) for _ in range(count)]


def ours_on(hands: Sequence[tuple[str, ...]]) -> Deadwood:
    """Prepare nothing: cards are text to us."""
    return lambda: [deadwood(hand) for hand in hands]


def deadwood(hand: Sequence[str]) -> int:
    """Count what gin's best melds leave over."""
    code = sum(map(melds._codes(None).__getitem__, hand))
    total = code >> melds._POINTS_SHIFT & melds._POINTS_MASK
    search = melds._Search()
    return search.visit(code & melds._COUNTS, 0, False, 0, total, total + 1, None)


def rlcard_on(hands: Sequence[tuple[str, ...]]) -> Deadwood:
    """Make RLCard's cards beforehand."""
    from rlcard.games.base import Card
    from rlcard.games.gin_rummy.utils import melding, utils

    theirs = [[Card(card[1], card[0]) for card in hand] for hand in hands]

    def one(hand: list[object]) -> int:
        clusters = melding.get_best_meld_clusters(hand)
        return int(utils.get_deadwood_count(hand, clusters[0] if clusters else []))

    return lambda: [one(hand) for hand in theirs]


def openspiel_on(hands: Sequence[tuple[str, ...]]) -> Deadwood:
    """Make OpenSpiel's card numbers beforehand."""
    import pyspiel

    rules = pyspiel.gin_rummy.GinRummyUtils(13, 4, HAND_CARDS)
    theirs = [[rules.card_int(card[0] + card[1].lower()) for card in hand] for hand in hands]
    return lambda: [rules.min_deadwood(hand) for hand in theirs]
