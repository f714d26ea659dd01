"""How four players who help each other bring one of them a complete hand, whatever was dealt.

All see all cards. They choose thirteen of the 52 dealt ones that make a hand without a joker's
help, mostly held by one player already; the others hand theirs on by the open pile, round by
round, each to the seat after it. Only what was dealt is needed, so no draw can spoil the plan.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from server.cards.card import RANKS, SUITS

Hands = Mapping[int, Sequence[str]]
"""The cards by seat; seats count from 0 in playing order."""

RUN_RANKS = f"{RANKS}A"
CANDIDATES_MAX = 9


def goal_of(hands: Hands) -> tuple[int, list[str]]:
    """Choose who is to be complete, and with which thirteen cards: what takes the fewest rounds."""
    plans = (
        (_cost(goal, hands, target), target, goal)
        for target in hands
        for goal in _goals(hands, target)
    )
    _, target, goal = min(plans, default=(0, -1, []))
    assert goal, "the dealt cards make no hand"
    return target, goal


def card_to_discard(holding: Sequence[str], goal: Sequence[str], *, is_target: bool) -> str:
    """Choose what to discard: the target's useless cards; a helper hands a card of the goal on."""
    useful = [card for card in holding if card in goal]
    useless = [card for card in holding if card not in goal]
    return (useless or useful)[-1] if is_target else (useful or useless)[-1]


def _goals(hands: Hands, target: int) -> Iterator[list[str]]:
    """Four-run, three-run, two sets of three: the best candidates of each, and no card twice."""
    at = _nearest(hands, target)
    runs4 = _cheapest([_run(suit, start, 4) for suit in SUITS for start in range(11)], at)
    runs3 = _cheapest([_run(suit, start, 3) for suit in SUITS for start in range(12)], at)
    sets = _cheapest(
        [[rank + suit for suit in suits] for rank in RANKS for suits in combinations(SUITS, 3)], at
    )
    for long in runs4:
        for short in runs3:
            for one, other in combinations(sets, 2):
                cards = _cards([*long, *short, *one, *other], at)
                if cards is not None:
                    yield cards


def _run(suit: str, start: int, length: int) -> list[str]:
    return [rank + suit for rank in RUN_RANKS[start : start + length]]


def _nearest(hands: Hands, target: int) -> dict[str, list[tuple[int, str]]]:
    """Sort the copies of each face by how many hands they are from the target."""
    at: dict[str, list[tuple[int, str]]] = {}
    for seat, cards in hands.items():
        for card in cards:
            at.setdefault(card[:2], []).append(((target - seat) % len(hands), card))
    return {face: sorted(copies) for face, copies in at.items()}


def _cheapest(
    groups: Sequence[Sequence[str]], at: Mapping[str, list[tuple[int, str]]]
) -> list[Sequence[str]]:
    there = [group for group in groups if all(face in at for face in group)]
    return sorted(there, key=lambda group: sum(at[face][0][0] for face in group))[:CANDIDATES_MAX]


def _cards(faces: Sequence[str], at: Mapping[str, list[tuple[int, str]]]) -> list[str] | None:
    """Take a copy for each face, the nearest first; None if there are too few."""
    taken: list[str] = []
    for face in faces:
        used = sum(card[:2] == face for card in taken)
        if used >= len(at[face]):
            return None
        taken.append(at[face][used][1])
    return taken


def _cost(goal: Sequence[str], hands: Hands, target: int) -> int:
    """Count rounds: one card comes in each, and one from further away comes later."""
    size = len(hands)
    away = [(target - seat) % size for seat, cards in hands.items() for c in cards if c in goal]
    missing = [steps for steps in away if steps]
    return len(missing) * 3 + sum(missing)
