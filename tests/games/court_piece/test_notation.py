"""The journal's and the transcript's lines, both ways."""

from typing import Any

import pytest

from server.cards.card import Card
from server.cards.game import Left, Returned, Seat, TimedOut
from server.games.court_piece.moves import NameTrump, Pass, Play
from server.games.court_piece.notation import line_of, read, write
from tests.games.court_piece.table import Table

LINES = [
    ("0 pass", 0, Pass()),
    ("3 trump S", 3, NameTrump("S")),
    ("2 play 7H", 2, Play(Card("7H"))),
    ("1 leave", 1, Left(Seat(1))),
    ("1 back", 1, Returned(Seat(1))),
    ("auto 2", 2, TimedOut(Seat(2))),
]


@pytest.mark.parametrize(("line", "seat", "move"), LINES)
def test_a_journal_line_is_read_and_written_the_same(line: str, seat: int, move: Any) -> None:
    assert read(line) == (seat, move)
    assert write(Table().state, Seat(seat), move) == line


@pytest.mark.parametrize("line", ["auto 2 pass", "auto 2 luck 4C", "auto 2 play AS"])
def test_what_the_clock_did_reads_as_the_clock(line: str) -> None:
    assert read(line) == (2, TimedOut(Seat(2)))


@pytest.mark.parametrize(
    "line",
    [
        "", " ", "2", "auto", "4 pass", "02 pass", "-1 pass", "2 Pass", " 2 pass", "2 pass ",
        "2 pass\n", "2  pass", "2 bid 5", "2 trump", "2 trump X", "2 trump s", "2 play",
        "2 play 1H", "2 play 7h", "2 play JK", "2 play 7H#1", "2 luck 4C", "auto 2 trump S",
        "auto 2 luck", "auto 2 leave", "auto  2", "auto 2 ", "auto 4", "٢ pass",
    ],
)  # fmt: skip
def test_any_other_line_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not a line of court piece"):
        read(line)


def test_the_journal_does_not_name_the_card_of_luck() -> None:
    table = Table().say("0 pass")
    assert write(table.state, Seat(2), TimedOut(Seat(2))) == "auto 2"
    assert table.time_out(2).lines == ["0 pass", "auto 2 luck 9S"]


def test_no_line_says_anything_else() -> None:
    table = Table()
    assert [line_of(event) for event in table.events] == [None] * len(table.events)
