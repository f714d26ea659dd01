"""What a measurement is: ratios of two rates, one a round, taken in turn in one run.

A ratio above 1 says that ours is the faster or the smaller one. Absolute figures stand beside it
for orientation: they are this machine's, and this minute's.
"""

import importlib.util
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison. `ratios` are ours over the other's, a round each."""

    name: str
    ours: str
    against: str
    ratios: Sequence[float]
    note: str = ""

    @property
    def spread(self) -> tuple[float, float, float]:
        """Give the least, the median and the most of the rounds."""
        return min(self.ratios), median(self.ratios), max(self.ratios)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A comparison that can't be made here, and what to install for it."""

    name: str
    missing: str
    install: str


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: `rounds` in turn, `repeats` of each thing in a round.

    Shape: `repeats` is a measure of each benchmark's own; `seconds` is for those that run by time.
    """

    rounds: int
    repeats: int
    seconds: int


FULL = Size(rounds=7, repeats=40, seconds=5)
TINY = Size(rounds=1, repeats=2, seconds=1)
"""To see that everything runs; its figures mean nothing."""


def alternating(
    ours: Callable[[], float], other: Callable[[], float], rounds: int
) -> list[tuple[float, float]]:
    """Measure both in turn, and who begins in turn; pairs of ours and the other's."""
    pairs = []
    for number in range(rounds):
        if number % 2:
            theirs = other()
            pairs.append((ours(), theirs))
        else:
            mine = ours()
            pairs.append((mine, other()))
    return pairs


def is_missing(*packages: str) -> str | None:
    """Name the first of the packages that isn't installed; None if all are."""
    return next((one for one in packages if importlib.util.find_spec(one) is None), None)


def in_words(seconds: float) -> str:
    """Write a time with three figures."""
    for unit, factor in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def middle(values: Iterable[float]) -> float:
    """Give the median of a handful of figures."""
    return median(list(values))
