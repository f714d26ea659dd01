"""What an operator may choose at a table of Batak."""

from dataclasses import dataclass

from server.cards.free_table import FreeTable


@dataclass(frozen=True, slots=True)
class Options(FreeTable):
    """The options of one table; rules.md section 7 says what each does.

    Units:  `turn_ms` milliseconds.
    Errors: InvalidOption, which names the field.
    """

    single_round: bool = False
    beat_trump_led: bool = True
