"""A slow count of a holding, written from the rules' words and from nothing in `melds.py`.

Every subset of the cards is tried as a group by definition: a run is a window of places that the
cards fill, each as itself or, a joker, as any; a set is one rank in different suits, four at most.
Then the best choice of disjoint groups is found card by card.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from server.cards.card import Card

ORDER = "A23456789TJQKA"


def slow_points(hand: Sequence[Card], wild_rank: str | None) -> tuple[int, bool]:
    """Count the points, and tell whether all cards fit into groups that may be declared."""
    faces = [card[:2] for card in hand]
    costs = [_cost(face, wild_rank) for face in faces]
    everything = (1 << len(faces)) - 1
    by_lowest: list[list[tuple[int, int, bool, bool]]] = [[] for _ in faces]
    best_pure = 0
    for subset in range(1, everything + 1):
        chosen = [face for index, face in enumerate(faces) if subset >> index & 1]
        if len(chosen) < 3:
            continue
        pure = is_pure(chosen)
        run = pure or is_run(chosen, wild_rank)
        if run or is_set(chosen, wild_rank):
            saved = sum(cost for index, cost in enumerate(costs) if subset >> index & 1)
            lowest = (subset & -subset).bit_length() - 1
            by_lowest[lowest].append((subset, saved, run, pure))
            best_pure = max(best_pure, saved if pure else 0)
    nothing = -1000

    @cache
    def most(left: int, runs: int, pure: bool, whole: bool) -> int:
        """Save the most points with the cards in `left`; `whole`: no card may stay loose."""
        if not left:
            return 0 if runs == 0 and not pure else nothing
        lowest = (left & -left).bit_length() - 1
        options = [nothing] if whole else [most(left & (left - 1), runs, pure, whole)]
        for subset, saved, run, is_pure_run in by_lowest[lowest]:
            if subset & left == subset:
                rest = most(left & ~subset, max(0, runs - run), pure and not is_pure_run, whole)
                options.append(rest + saved)
        return max(options)

    total = sum(costs)
    fewest = min(total, total - best_pure, total - most(everything, 2, True, False))
    return fewest, most(everything, 2, True, True) >= 0


def is_pure(faces: Sequence[str]) -> bool:
    """Cards of one suit in a row, each as itself."""
    if "JK" in faces or len({face[1] for face in faces}) > 1:
        return False
    ranks = {face[0] for face in faces}
    return len(ranks) == len(faces) and any(set(window) == ranks for window in _windows(len(faces)))


def is_run(faces: Sequence[str], wild_rank: str | None) -> bool:
    """Cards of one suit in a row, jokers standing for those that are not there."""
    own = [face for face in faces if face != "JK" and face[0] != wild_rank]
    ranks = [face[0] for face in own]
    if len({face[1] for face in own}) > 1 or len(set(ranks)) < len(ranks):
        return False
    return any(set(ranks) <= set(window) for window in _windows(len(faces)))


def is_set(faces: Sequence[str], wild_rank: str | None) -> bool:
    """Three or four cards of one rank, no suit twice, jokers standing for those not there."""
    own = [face for face in faces if face != "JK" and face[0] != wild_rank]
    if len(faces) not in (3, 4) or len({face[0] for face in own}) > 1:
        return False
    return all(a[1] != b[1] for a, b in pairwise(sorted(own)))


def _windows(size: int) -> list[str]:
    if size > 13:
        return []
    return [ORDER[start : start + size] for start in range(len(ORDER) - size + 1)]


def _cost(face: str, wild_rank: str | None) -> int:
    if face == "JK" or face[0] == wild_rank:
        return 0
    return 10 if face[0] in "ATJQK" else int(face[0])
