"""What a run found, for people and for programs."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Done:
    """A fault that the house has come back from.

    Units: `broken_s` seconds until it was mended, `back_s` from then until every table went on.
    """

    name: str
    broken_s: float
    back_s: float


@dataclass(slots=True, kw_only=True)
class Report:
    """A run that lost nothing; one that did ends with what is wrong instead."""

    seed: int
    processes: int
    games: list[str]
    minutes: float = 0.0
    faults: list[Done] = field(default_factory=list)
    figures: dict[str, int] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    refusals: dict[str, int] = field(default_factory=dict)
    longest_rest_s: float = 0.0
    allowed_rest_s: float = 0.0

    def document(self) -> dict[str, object]:
        """Write it as JSON holds it."""
        return {**asdict(self), "kinds": self.kinds()}

    def kinds(self) -> dict[str, dict[str, float]]:
        """Sum the faults up by their kind."""
        names = sorted({done.name for done in self.faults})
        return {
            name: _summed([done for done in self.faults if done.name == name]) for name in names
        }

    def show(self, console: Console) -> None:
        """Print it."""
        table = Table(title=f"{len(self.faults)} faults in {self.minutes:.1f} minutes, none lost")
        for heading in ("fault", "times", "broken for, s", "back after, median s", "most, s"):
            table.add_column(heading, justify="left" if heading == "fault" else "right")
        for name, row in self.kinds().items():
            shown = (f"{row[key]:.1f}" for key in ("broken_s", "back_s", "back_most_s"))
            table.add_row(name, f"{row['times']:.0f}", *shown)
        console.print(table)
        for name, count in [*self.figures.items(), *self.seen.items()]:
            console.print(f"{count:>10} {name}", highlight=False)
        console.print(
            f"longest rest of a table {self.longest_rest_s:.1f} s,"
            f" allowed {self.allowed_rest_s:.1f} s; seed {self.seed}"
        )


def _summed(faults: Sequence[Done]) -> dict[str, float]:
    backs = sorted(done.back_s for done in faults)
    return {
        "times": len(faults),
        "broken_s": sum(done.broken_s for done in faults) / len(faults),
        "back_s": backs[len(backs) // 2],
        "back_most_s": backs[-1],
    }
