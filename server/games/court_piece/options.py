"""What an operator may choose at a table of Court Piece."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from server.cards.free_table import FreeTable, Range

TARGETS: Final[Mapping[str, int]] = {"points": 10, "courts": 3}
"""Source: rules.md 5.5."""


@dataclass(frozen=True, slots=True)
class Options(FreeTable):
    """The options of one table; rules.md section 7 says what each does.

    Shape:  a `target` of 0 stands for what the counting has: 10 points or 3 courts.
    Units:  `turn_ms` milliseconds.
    Errors: InvalidOption, which names the field.
    """

    ranges: ClassVar[Mapping[str, Range]] = {**FreeTable.ranges, "target": (1, 100)}
    choices: ClassVar[Mapping[str, tuple[int | str, ...]]] = {
        **FreeTable.choices,
        "counting": tuple(TARGETS),
    }

    counting: str = "points"
    target: int = 0
    short_first_matches: bool = True
    namer_leads: bool = False

    def __post_init__(self) -> None:
        if type(self.target) is int and self.target == 0 and isinstance(self.counting, str):
            object.__setattr__(self, "target", TARGETS.get(self.counting, 1))
        FreeTable.__post_init__(self)
