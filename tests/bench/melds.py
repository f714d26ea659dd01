"""How much sooner the meld search is done than two solvers are, on the same hands.

    .venv/bin/python -m tests.bench.melds

Needs the extra `bench`. Every hand's points must be equal in all programs. What is measured is the
processor's time, for other programs may share it; all run on one thread, in turn, round by round.
The whole solve of a solver is the listing of the groups, the building of the model and the
solving; ours is `best`, with the tables warm that a server makes once. Microseconds are shown for
orientation alone: they are this machine's, the ratios hardly so.
"""

import gc
from collections.abc import Sequence
from statistics import median
from time import process_time_ns
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from server.games.rummy.melds import best
from tests.bench.hands import KINDS, PACKS, Hand, hands_of
from tests.bench.packing import packing_of
from tests.bench.rounds import Row, Size, Skipped, in_words
from tests.bench.solvers import CpSat, Highs, Solver

HANDS = 40
"""Of each kind."""

ROUNDS = 7
OUR_REPEATS = 20
"""Of all hands in a round: one pass of ours is too short for the clock."""

SOLVERS: dict[str, Solver] = {
    "HiGHS": Highs(),
    "CP-SAT": CpSat(),
    "CP-SAT bare": CpSat(presolve=False),
}


class Times(NamedTuple):
    """One round of a solver over ours. Units: ratios of processor time."""

    whole: float
    solving: float


def main() -> None:
    """Measure every kind and print the table."""
    table = Table(
        title="A solver's time over ours: median of the rounds (least..most)",
        caption=f"{HANDS} hands a kind, {ROUNDS} rounds; bare: without presolve",
    )
    for heading in ("hands", "ours", "solver", "whole solve", "solving alone"):
        table.add_column(heading, justify="left" if heading in ("hands", "solver") else "right")
    for kind in KINDS:
        for packs in PACKS:
            hands = hands_of(kind, packs, HANDS)
            check(hands)
            rounds, ours_us = measured(hands)
            what, took = f"{kind}, {packs} packs", f"{ours_us:.1f} us"
            for name, times in rounds.items():
                whole = spread([ratio.whole for ratio in times])
                solving = spread([ratio.solving for ratio in times])
                table.add_row(what, took, name, whole, solving)
                what = took = ""
            table.add_section()
    Console().print(table)


def rows(size: Size) -> list[Row | Skipped]:
    """Measure all kinds together, a row for each solver."""
    hands = [hand for kind in KINDS for hand in hands_of(kind, PACKS[0], min(HANDS, size.repeats))]
    check(hands)
    rounds, ours_us = measured(hands, size.rounds)
    return [
        Row(
            name=f"meld search: {name}",
            ours=f"{ours_us:.1f} us a hand",
            against=in_words(median([one.whole for one in times]) * ours_us / 1e6),
            ratios=[one.whole for one in times],
            note=f"without its model {median([one.solving for one in times]):.0f}; equal points",
        )
        for name, times in rounds.items()
    ]


def check(hands: Sequence[Hand]) -> None:
    """Hold every program to the same points. Errors: AssertionError names the hand."""
    for hand in hands:
        packing = packing_of(hand)
        points = best(*hand).points
        for name, solver in SOLVERS.items():
            found = solver.solve(packing, solver.build(packing))
            assert found == points, f"{name} says {found}, we say {points}: {hand}"


def measured(
    hands: Sequence[Hand], round_count: int = ROUNDS
) -> tuple[dict[str, list[Times]], float]:
    """Time all in turn; every solver's ratios, and the median of our time in microseconds."""
    rounds: dict[str, list[Times]] = {name: [] for name in SOLVERS}
    ours_ns = []
    for _ in range(round_count):
        gc.collect()
        ours = our_time(hands)
        ours_ns.append(ours / len(hands))
        for name, solver in SOLVERS.items():
            gc.collect()
            building, solving = time_of(solver, hands)
            rounds[name].append(Times((building + solving) / ours, solving / ours))
    return rounds, median(ours_ns) / 1000


def our_time(hands: Sequence[Hand]) -> float:
    """Time one pass over the hands, in nanoseconds."""
    began = process_time_ns()
    for _ in range(OUR_REPEATS):
        for cards, wild_rank in hands:
            best(cards, wild_rank)
    return (process_time_ns() - began) / OUR_REPEATS


def time_of(solver: Solver, hands: Sequence[Hand]) -> tuple[float, float]:
    """Time the building and the solving of all hands, in nanoseconds."""
    building = solving = 0.0
    for hand in hands:
        began = process_time_ns()
        packing = packing_of(hand)
        model = solver.build(packing)
        built = process_time_ns()
        solver.solve(packing, model)
        solving += process_time_ns() - built
        building += built - began
    return building, solving


def spread(ratios: Sequence[float]) -> str:
    """Write the median of the rounds, and how far they were apart."""
    return f"{median(ratios):.0f} ({min(ratios):.0f}..{max(ratios):.0f})"


if __name__ == "__main__":
    main()
