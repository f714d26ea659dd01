"""The count of a holding as a set-packing model, written from rules.md 4 and 6.

A column is a group: what it saves, how often it may be taken, which cards it uses up. Equal cards
are one row and all jokers another, so that no solver meets two columns that say the same. A spare
joker costs nothing, hence each group takes the fewest that it needs; a card of the wild rank in its
own place is worth more than a joker in a pure run alone. The three cases are rows too, by a last
column: with it any groups, two of them runs and one pure; without it one pure run and no more.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from server.cards.card import RANKS, SUITS, Card, face_of, is_printed_joker
from server.games.rummy.scoring import HAND_CARDS, is_joker, points_of
from tests.bench.hands import Hand

JOKER = "joker"
ACES = (0, 13)  # the places of one ace, below the two and above the king
FACES = [[RANKS[place % 13] + suit for place in range(14)] for suit in SUITS]
GROUP_MIN = 3  # cards
OTHERS_MAX = HAND_CARDS // GROUP_MIN - 1  # groups beside the first


class Column(NamedTuple):
    """A group that the cards allow. Shape: `uses` are (face or `JOKER`, how many)."""

    saves: int
    uses: tuple[tuple[str, int], ...]
    is_run: bool
    is_pure: bool


class Row(NamedTuple):
    """The sum of the terms, (column, factor) each, is `most` at most."""

    terms: list[tuple[int, int]]
    most: int


class Packing(NamedTuple):
    """Whole numbers from 0 to `most`, one for a column, that save the most within the rows.

    Units: points; a holding costs `total` less what is saved.
    """

    total: int
    saves: list[int]
    most: list[int]
    rows: list[Row]


def packing_of(hand: Hand) -> Packing:
    """State what the holding costs as a model. Source: rules.md 6.3 to 6.6."""
    cards, wild_rank = hand
    supply = Counter(face_of(card) for card in cards if not is_printed_joker(card))
    supply[JOKER] = sum(is_joker(card, wild_rank) for card in cards)
    columns = list(_columns(supply, wild_rank))
    most = [min(supply[name] // number for name, number in c.uses) for c in columns]
    rows = [*_supply_rows(columns, supply), *_case_rows(columns)]
    total = sum(points_of(card, wild_rank) for card in cards)
    return Packing(total, [*(c.saves for c in columns), 0], [*most, 1], rows)


def _supply_rows(columns: Sequence[Column], supply: Counter[str]) -> Iterator[Row]:
    users: dict[str, list[tuple[int, int]]] = {}
    for index, column in enumerate(columns):
        for name, number in column.uses:
            users.setdefault(name, []).append((index, number))
    for name, terms in users.items():
        if len(terms) > 1:  # one column alone is held by its own bound
            yield Row(terms, supply[name])


def _case_rows(columns: Sequence[Column]) -> Iterator[Row]:
    two = len(columns)
    runs = [(index, -1) for index, column in enumerate(columns) if column.is_run]
    pure = [(index, 1) for index, column in enumerate(columns) if column.is_pure]
    others = [(index, 1) for index, column in enumerate(columns) if not column.is_pure]
    yield Row([*runs, (two, 2)], 0)
    yield Row([*((index, -1) for index, _ in pure), (two, 1)], 0)
    yield Row([*pure, (two, -OTHERS_MAX)], 1)
    yield Row([*others, (two, -OTHERS_MAX)], 0)


def _columns(supply: Counter[str], wild_rank: str | None) -> Iterator[Column]:
    jokers = supply[JOKER]
    if jokers >= GROUP_MIN:
        yield Column(0, ((JOKER, GROUP_MIN),), True, False)
    for suit in FACES:
        held = [place for place, face in enumerate(suit) if face in supply]
        for run in _pure_runs(held):
            wild = sum(suit[place][0] == wild_rank for place in run)
            yield _column([suit[place] for place in run], wild, wild_rank, is_pure=True)
        own = [place for place in held if suit[place][0] != wild_rank]
        for chosen, needed in _impure_runs(own, jokers).items() if jokers else ():
            yield _column([suit[place] for place in chosen], needed, wild_rank, is_run=True)
    for rank in RANKS:
        same = [rank + suit for suit in SUITS if rank != wild_rank and rank + suit in supply]
        for size in range(max(2, GROUP_MIN - jokers), len(same) + 1):  # one alone is a run as well
            for faces in combinations(same, size):
                yield _column(faces, max(0, GROUP_MIN - size), wild_rank)


def _column(
    faces: Sequence[str],
    jokers: int,
    wild_rank: str | None,
    *,
    is_run: bool = False,
    is_pure: bool = False,
) -> Column:
    """Make a group of cards in their own places and `jokers` of the jokers."""
    saves = sum(points_of(Card(face), wild_rank) for face in faces)
    uses = [(face, 1) for face in faces] + [(JOKER, jokers)] * (jokers > 0)
    return Column(saves, tuple(uses), is_run or is_pure, is_pure)


def _pure_runs(held: Sequence[int]) -> Iterator[range]:
    for first in held:
        after = first + 1
        while after in held and after - first < HAND_CARDS:
            after += 1
            if after - first >= GROUP_MIN:
                yield range(first, after)


def _impure_runs(own: Sequence[int], jokers: int) -> dict[tuple[int, ...], int]:
    """List the own cards of each run that needs a joker, and how many it needs."""
    low_ace, high_ace = ACES
    low = dict(_spread((), [place for place in own if place != high_ace], jokers))
    high = dict(_spread((), [place for place in own if place != low_ace], jokers))
    for run, needed in high.items():
        if run[-1] == high_ace:
            same = (low_ace, *run[:-1])
            if low.get(same, jokers + 1) > needed:
                low.pop(same, None)
                low[run] = needed
    return low


def _spread(
    run: tuple[int, ...], rest: Sequence[int], jokers: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Go on with a run by any of `rest` that the jokers reach."""
    if run:
        span = run[-1] - run[0] + 1
        if span - len(run) > jokers:
            return
        needed = max(GROUP_MIN, span) - len(run)
        if 0 < needed <= jokers:
            yield run, needed
    for at, place in enumerate(rest):
        yield from _spread((*run, place), rest[at + 1 :], jokers)
