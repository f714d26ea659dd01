"""What an operator may choose at a Seep table."""

from dataclasses import dataclass

from server.cards.free_table import FreeTable
from server.cards.pack import Pack

SEATS = 4
PACK = Pack(1, 0)


@dataclass(frozen=True, slots=True)
class Options(FreeTable):
    """The options of one table; rules.md section 10 says what each does.

    Units:  `turn_ms` milliseconds.
    Errors: InvalidOption, which names the field.
    """

    partner_may_raise: bool = False
