"""The journal's and the transcript's lines, both ways."""

from typing import Any

import pytest

from server.cards.card import Card
from server.cards.game import Left, Returned, Seat, TimedOut
from server.games.batak.moves import Bid, NameTrump, Pass, Play
from server.games.batak.notation import line_of, read, write
from tests.games.batak.table import Table

LINES = [
    ("2 bid 5", 2, Bid(5)),
    ("2 bid 13", 2, Bid(13)),
    ("0 pass", 0, Pass()),
    ("3 trump S", 3, NameTrump("S")),
    ("2 play 7H", 2, Play(Card("7H"))),
    ("1 leave", 1, Left(Seat(1))),
    ("1 back", 1, Returned(Seat(1))),
    ("auto 2", 2, TimedOut(Seat(2))),
]
TOLD = ["auto 2 pass", "auto 2 trump C", "auto 2 play AS"]


@pytest.mark.parametrize(("line", "seat", "move"), LINES)
def test_a_journal_line_is_read_and_written_the_same(line: str, seat: int, move: Any) -> None:
    assert read(line) == (seat, move)
    assert write(Table().state, Seat(seat), move) == line


@pytest.mark.parametrize("line", TOLD)
def test_what_the_clock_did_reads_as_the_clock(line: str) -> None:
    assert read(line) == (2, TimedOut(Seat(2)))


@pytest.mark.parametrize(
    "line",
    [
        "", " ", "2", "auto", "2 bid", "2 bid 4", "2 bid 14", "2 bid 05", "2 bid +7", "2 bid ٧",
        "4 pass", "02 pass", "-1 pass", "2 Pass", " 2 pass", "2 pass ", "2 pass\n", "2  pass",
        "2 trump", "2 trump X", "2 trump s", "2 trump SH", "2 play", "2 play 1H", "2 play 7h",
        "2 play JK", "2 play 7H#1", "2 play 7H 8H", "auto 2 bid 5", "auto 2 leave", "auto 2 back",
        "auto  2", "auto 2 ", "auto 4", "auto 2 play", "2 deal", "2 declare @0.1",
    ],
)  # fmt: skip
def test_any_other_line_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not a line of batak"):
        read(line)


def test_the_transcript_of_a_beginning() -> None:
    table = Table().say("0 bid 5", "1 pass", "2 leave", "2 pass").time_out(3)
    table.say("2 back").time_out(0).time_out(0).play(1, "2H")
    assert table.lines == [
        "0 bid 5",
        "1 pass",
        "2 leave",
        "2 pass",
        "auto 3 pass",
        "2 back",
        "auto 0 trump S",
        "auto 0 play 2S",
        "1 play 2H",
    ]


def test_no_line_says_anything_else() -> None:
    table = Table()
    assert [line_of(event) for event in table.events] == [None] * len(table.events)
