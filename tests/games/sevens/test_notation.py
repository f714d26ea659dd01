"""One ASCII line a move, both ways."""

from typing import Any

import pytest

from server.cards.card import Card
from server.cards.game import Left, Returned, Seat, TimedOut
from server.games.sevens.moves import Pass, Play
from server.games.sevens.notation import read, write
from tests.games.sevens.table import Table


@pytest.mark.parametrize(
    ("line", "seat", "move"),
    [
        ("2 play 7H", 2, Play(Card("7H"))),
        ("0 play TS", 0, Play(Card("TS"))),
        ("6 pass", 6, Pass()),
        ("1 leave", 1, Left(Seat(1))),
        ("1 back", 1, Returned(Seat(1))),
        ("auto 3", 3, TimedOut(Seat(3))),
    ],
)
def test_a_journal_line_is_read_and_written(line: str, seat: int, move: Any) -> None:
    assert read(line) == (seat, move)
    assert write(Table().state, Seat(seat), move) == line


@pytest.mark.parametrize("line", ["auto 3 play 7H", "auto 3 pass"])
def test_a_transcript_line_of_the_clock_is_a_time_out(line: str) -> None:
    assert read(line) == (3, TimedOut(Seat(3)))


@pytest.mark.parametrize(
    "line",
    [
        "", "2", "2 play", "2 play 7", "2 play 7X", "2 play 1H", "2 play 10H", "2 play JK",
        "2 play 7H#1", "2 play 7h", "2  play 7H", "2 play 7H ", " 2 play 7H", "2 play 7H\n",
        "7 pass", "-1 pass", "02 pass", "2 passes", "2 pass 7H", "auto", "auto 7", "auto 2 leave",
        "auto 2 back", "auto 2 play", "2 auto", "2 draw closed", "२ pass",
    ],
)  # fmt: skip
def test_another_line_is_none(line: str) -> None:
    with pytest.raises(ValueError, match="not a line"):
        read(line)


def test_the_transcript_says_who_played_and_for_whom_the_clock_did() -> None:
    table = Table(("", "7H", "7S")).say("1 play 7H", "auto 2", "0 leave", "0 back")
    assert table.lines == ["1 play 7H", "auto 2 play 7S", "0 leave", "0 back"]
