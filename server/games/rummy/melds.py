"""The exact search for the cheapest arrangement of a holding.

A holding is one whole number: two bits for each face count how often it is there, and a suit has
fourteen places (the ace at 0, the king at 12, the ace once more at 13), so that a run is a shift.
Jokers, printed or of the wild rank, are a plain number: left over they cost nothing, hence every
arrangement has a normal form. One pure run of three to five cards; further runs whose own cards
span at most five places, jokers filling the gaps and padding to three; sets of two to four own
cards with jokers; perhaps three jokers alone as the second sequence. A longer run is two runs.
The lowest card is decided first, grouped in each way that fits, or loose.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import combinations
from operator import itemgetter, or_
from typing import Literal, NamedTuple

from server.cards.card import PRINTED_JOKER, RANKS, SUITS, Card

Case = Literal["two_sequences", "pure_only", "none"]
"""Which of the three counts applies (rules.md 6.3, 6.4, 6.5)."""

HIGH_ACE = 13
"""The place of an ace above the king; place 0 is the same card below the two."""

_SUIT_BITS = 2 * (HIGH_ACE + 1)
_COUNT_BITS = 4 * _SUIT_BITS
_POINTS_SHIFT, _POINTS_MASK = 120, 0xFFFF
_JOKER_SHIFT = 136
_COPIES_MAX = 10

_PURE_RUN_MAX = 5  # cards; a longer one holds its second sequence itself


class Group(NamedTuple):
    """A group in the normal form: its own cards, the jokers it needs, its points while loose.

    Shape: `own` are (place, face), by place in a run, by suit in a set; `mask` is the same cards.
    """

    mask: int
    jokers: int
    value: int
    is_run: bool
    own: tuple[tuple[int, str], ...]


class Found(NamedTuple):
    """The cheapest count of a holding, and the groups that reach it, the pure run first."""

    points: int
    case: Case
    groups: tuple[Group, ...]


_Way = tuple[Group, "_Way"] | None


def points_of_rank(rank: str) -> int:
    """Count a natural card of that rank. Source: rules.md 6.1."""
    return int(rank) if rank.isdigit() else 10


def best(hand: Sequence[Card], wild_rank: str | None) -> Found:
    """Find the fewest points that `hand` can cost.

    Shape:  any number of cards up to 14, of up to three packs; equal texts are copies.
    Units:  points; 0 to 130 for thirteen cards.
    Errors: KeyError if a text is no card.
    Source: rules.md 6.3 to 6.6.
    """
    code = sum(map(_codes(wild_rank).__getitem__, hand))
    counts = code & _COUNTS
    present = (counts | counts >> 1) & _ONES
    places = present | (present & _ACES) << 2 * HIGH_ACE
    starts = places & places >> 2 & places >> 4 & _RUN_STARTS
    total = code >> _POINTS_SHIFT & _POINTS_MASK
    if not starts:
        return Found(total, "none", ())
    return _search(counts, code >> _JOKER_SHIFT, total, wild_rank, starts)


def _search(counts: int, jokers: int, total: int, wild_rank: str | None, starts: int) -> Found:
    wild = _wild_mask(wild_rank)
    runs = _pure_runs(starts, wild_rank)
    naturals = counts & ~(wild * 3)
    search = _Search()
    at_most = total - runs[0].value
    best = at_most + 1
    for run in runs:
        if len(run.own) > _PURE_RUN_MAX:
            continue
        own = run.mask & wild
        left = naturals - (run.mask ^ own)
        best = search.visit(left, jokers - bool(own), True, 0, total - run.value, best, (run, None))
    if search.plan is None:
        return Found(at_most, "pure_only", (runs[0],))
    return Found(best, "two_sequences", _groups_of(search.plan))


class _Search:
    """What the choices of a pure run share: the best plan's groups."""

    __slots__ = ("plan",)

    def __init__(self) -> None:
        self.plan: _Way = None

    def visit(
        self, counts: int, jokers: int, needs: bool, loose: int, total: int, best: int, way: _Way
    ) -> int:
        """Decide the cards in `counts`, lowest first; return `best` or fewer points.

        States are not remembered: equal ones are rare, and asking costs more than they save.
        Units: `loose` points can't be grouped any more, `total` points are not grouped yet;
               `needs` says that a second sequence is still wanted.
        """
        if needs and not counts and jokers >= 3:  # with any card left, it and two jokers do as well
            needs, way = False, (_THREE_JOKERS, way)
        if not needs and total < best:
            best, self.plan = total, way
        if loose >= best:
            return best
        present = (counts | counts >> 1) & _ONES
        lowest = _lowest_of_groups(present, jokers, needs)
        if not lowest:
            return best
        while True:
            low = lowest & -lowest
            for group in _groups_among(present & _REACH[low], jokers):
                mask, needed, value, is_run, _ = group
                still, less = needs and not is_run, total - value
                more, fewer = (group, way), jokers - needed
                rest = counts - mask
                if (rest | rest >> 1) & lowest or (still and not rest):
                    best = self.visit(rest, fewer, still, loose, less, best, more)
                elif less < best and not still:  # no card is left to group: no visit
                    best, self.plan = less, more
                if loose >= best:
                    return best
            lowest ^= low
            if not lowest:
                return best
            copies = counts & low * 3
            loose += _VALUES[low] * (copies // low)
            if loose >= best:
                return best
            counts ^= copies
            present ^= low


def _lowest_of_groups(present: int, jokers: int, needs_run: bool) -> int:
    """Find the cards that may be the lowest of a group; none if a run is needed and there is none.

    A few too many may be named: the search then finds no group for them.
    """
    if jokers >= 2:
        return present
    places = present | (present & _ACES) << 2 * HIGH_ACE
    second = present >> _SUIT_BITS
    third = second >> _SUIT_BITS
    fourth = third >> _SUIT_BITS
    if jokers:
        runs = places & (places >> 2 | places >> 4)
        runs = (runs | (runs >> 22 | runs >> 24) & _ACES) & present
        sets = present & (second | third | fourth)
    else:
        runs = places & places >> 2 & places >> 4
        runs = (runs | runs >> 22 & _ACES) & present
        sets = present & (second & third | (second | third) & fourth)
    return 0 if needs_run and not runs else runs | sets


def _pure_runs(starts: int, wild_rank: str | None) -> list[Group]:
    """List the pure runs, dearest first; `starts` has a bit where three places are taken."""
    longer = _pure_runs_from(wild_rank)
    runs: list[Group] = []
    rest = starts
    while rest:
        first = rest & -rest
        rest ^= first
        in_a_row = 1
        while starts & first << 2 * in_a_row:
            in_a_row += 1
        runs += longer[first][:in_a_row]
    if len(runs) > 1:
        runs.sort(key=itemgetter(2), reverse=True)
    return runs


def _groups_of(way: _Way) -> tuple[Group, ...]:
    groups: list[Group] = []
    while way:
        group, way = way
        groups.append(group)
    return tuple(reversed(groups))


# --- tables, made once


def _bit(suit: int, place: int) -> int:
    return 1 << _SUIT_BITS * suit + 2 * (place % 13)


_COUNTS = (1 << _COUNT_BITS) - 1
_ACES = sum(_bit(suit, 0) for suit in range(4))
_RUN_STARTS = sum(_bit(suit, place) for suit in range(4) for place in range(HIGH_ACE - 1))
_PLACES = tuple((suit, place) for suit in range(4) for place in range(13))
_ONES = sum(_bit(*place) for place in _PLACES)
_VALUES = {_bit(suit, place): points_of_rank(RANKS[place]) for suit, place in _PLACES}
_THREE_JOKERS = Group(0, 3, 0, True, ())


def _group(
    own: Sequence[tuple[int, int]], size: int, *, is_run: bool, free_rank: str | None = None
) -> Group:
    """Make a group of at least `size` cards from its own (suit, place); one rank may be free."""
    mask = sum(_bit(suit, place) for suit, place in own)
    faces = tuple((place, RANKS[place % 13] + SUITS[suit]) for suit, place in own)
    value = sum(points_of_rank(face[0]) for _, face in faces if face[0] != free_rank)
    return Group(mask, max(3, size) - len(own), value, is_run, faces)


def _run(suit: int, places: Sequence[int], free_rank: str | None = None) -> Group:
    own = [(suit, place) for place in places]
    return _group(own, places[-1] - places[0] + 1, is_run=True, free_rank=free_rank)


def _set(suits: Sequence[int], place: int) -> Group:
    return _group([(suit, place) for suit in suits], len(suits), is_run=False)


def _groups_from(suit: int, place: int) -> Iterator[Group]:
    """List the groups whose lowest card is this one; one card with two jokers as a run alone."""
    higher = range(place + 1, min(place + 5, 13))
    for size in range(len(higher) + 1):
        yield from (_run(suit, (place, *others)) for others in combinations(higher, size))
    if place == 0:
        for size in range(1, 5):
            below = combinations(range(HIGH_ACE - 4, HIGH_ACE), size)
            yield from (_run(suit, (*others, HIGH_ACE)) for others in below)
    for size in range(1, 4 - suit):
        for others in combinations(range(suit + 1, 4), size):
            yield _set((suit, *others), place)


_GROUPS = {
    _bit(*place): sorted(_groups_from(*place), key=lambda group: (group.jokers, -group.value))
    for place in _PLACES
}
_REACH = {low: reduce(or_, (group.mask for group in groups)) for low, groups in _GROUPS.items()}
"""By the lowest card: its groups, the cheap and dear ones first; all cards in one of them."""


@cache
def _groups_among(cards: int, jokers: int) -> tuple[Group, ...]:
    """List the groups of the lowest of `cards`: 2 ** 7 patterns are kept, 2 ** 11 for an ace."""
    return tuple(
        group
        for group in _GROUPS[cards & -cards]
        if group.jokers <= jokers and group.mask & cards == group.mask
    )


@cache
def _pure_runs_from(wild_rank: str | None) -> Mapping[int, tuple[Group, ...]]:
    """Table pure runs by the first card's bit, then by size from three; the wild rank is free."""
    return {
        _bit(suit, first): tuple(
            _run(suit, range(first, first + size), wild_rank)
            for size in range(3, min(14 - first, 13) + 1)
        )
        for suit, first in _PLACES
        if first < HIGH_ACE - 1
    }


@cache
def _wild_mask(wild_rank: str | None) -> int:
    if wild_rank is None:
        return 0
    return sum(_bit(suit, RANKS.index(wild_rank)) for suit in range(4))


@cache
def _codes(wild_rank: str | None) -> Mapping[str, int]:
    """Table what each card adds to a holding's number: its count, its points or a joker."""
    joker = 1 << _JOKER_SHIFT
    codes = {PRINTED_JOKER: joker}
    for card, points in _VALUES.items():
        suit, place = divmod((card.bit_length() - 1) // 2, HIGH_ACE + 1)
        worth = joker if RANKS[place] == wild_rank else points << _POINTS_SHIFT
        codes[RANKS[place] + SUITS[suit]] = card + worth
    return {
        face + (f"#{copy}" if copy else ""): code
        for face, code in codes.items()
        for copy in range(_COPIES_MAX)
    }
