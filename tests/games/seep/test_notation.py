"""The journal's and the transcript's lines, both ways."""

import pytest

from server.cards.card import Card
from server.cards.game import Left, Returned, Seat, TimedOut
from server.games.seep.moves import Bid, Build, Move, Raise, Take, Throw
from server.games.seep.notation import line_of, read, write
from tests.games.seep.table import Table, cards, house


@pytest.mark.parametrize(
    ("line", "seat", "move"),
    [
        ("2 bid 9", 2, Bid(9)),
        ("2 bid 13", 2, Bid(13)),
        ("0 throw 7H", 0, Throw(Card("7H"))),
        ("3 take 9S", 3, Take(Card("9S"))),
        ("3 take 9S 9H,5D,4C", 3, Take(Card("9S"), cards("9H 5D 4C"))),
        ("1 build 12 5C 7S", 1, Build(12, Card("5C"), cards("7S"))),
        ("1 build 9 9D", 1, Build(9, Card("9D"))),
        ("1 raise 9 3D", 1, Raise(9, Card("3D"))),
        ("1 raise 10 3D 7S,6H", 1, Raise(10, Card("3D"), cards("7S 6H"))),
        ("2 leave", 2, Left(Seat(2))),
        ("2 back", 2, Returned(Seat(2))),
        ("auto 2", 2, TimedOut(Seat(2))),
        ("auto 2 bid 9", 2, TimedOut(Seat(2))),
        ("auto 2 throw 7H", 2, TimedOut(Seat(2))),
        ("auto 2 take 9S 9H,5D,4C", 2, TimedOut(Seat(2))),
        ("auto 0 build 10 3H 7D", 0, TimedOut(Seat(0))),
    ],
)
def test_a_line_reads_as_its_move(line: str, seat: int, move: object) -> None:
    assert read(line) == (seat, move)


@pytest.mark.parametrize(
    "line",
    [
        "", " ", "2", "auto", "auto 4", "4 leave", "02 leave", "2 leave ", " 2 leave", "2 leave\n",
        "2 Leave", "-1 leave", "٢ leave", "auto 2 leave", "auto 2 back", "auto 2 raise 9 3D",
        "2 bid", "2 bid 8", "2 bid 14", "2 bid 09", "2 bid 9 9H", "2 bid ٩",
        "2 throw", "2 throw 1H", "2 throw 10H", "2 throw JK", "2 throw 7H#1", "2 throw 7H,8H",
        "2 take 9S 9H,", "2 take 9S ,9H", "2 take 9S 9H 5D", "2 take 9S  9H", "2 take",
        "2 build 5C 7S", "2 build 8 5C 3S", "2 build 12", "2 build 12 5C,7S",
        "2 raise 3D", "2 raise 8 3D", "2 draw closed", "2 play 7H",
        "2 take 9S " + ",".join(["9H"] * 52),
    ],
)  # fmt: skip
def test_anything_else_is_no_line(line: str) -> None:
    with pytest.raises(ValueError, match="not a line of Seep"):
        read(line)


@pytest.mark.parametrize(
    ("seat", "move", "line"),
    [
        (0, Take(Card("9D")), "0 take 9D 5H,4C,6S,3H"),
        (0, Build(9, Card("9D")), "0 build 9 9D 6S,3H"),
        (0, Build(13, Card("TD")), "0 build 13 TD 3H"),
        (0, Raise(11, Card("2D")), "0 raise 11 2D"),
        (0, Throw(Card("TD")), "0 throw TD"),
        (0, Left(Seat(0)), "0 leave"),
        (0, Returned(Seat(0)), "0 back"),
        (0, TimedOut(Seat(0)), "auto 0"),
    ],
)
def test_the_journal_names_a_choice_that_was_left_out(
    seat: int, move: Move | TimedOut | Left | Returned, line: str
) -> None:
    houses = [house(9, "5H 4C", 0), house(11, "7H 4H", 1)]
    table = Table.midway({0: "9D 9C TD 2D KC KD"}, "6S 3H QS", houses)
    assert write(table.state, Seat(seat), move) == line


@pytest.mark.parametrize(
    "move",
    [
        Throw(Card("a very long text from a client")),
        Take(Card("9D"), (Card("x"),)),
        Build(99, Card("9D"), cards("6S")),
        Raise(9, Card("9D"), cards("6S 6S")),
        Bid(77),
    ],
)
def test_a_move_that_is_refused_is_written_as_it_was_said(move: Move) -> None:
    table = Table.midway({0: "9D 9C"}, "6S 3H", [house(9, "5H 4C", 0)])
    assert write(table.state, Seat(0), move).startswith(f"0 {move.name} ")


def test_the_transcript_names_what_was_left_out_and_marks_the_clock() -> None:
    hands = {0: "JC 2H KS KD", 1: "QC QD KH KC QS AH", 2: "JD JS", 3: "JH"}
    table = Table(hands, "AC 9H 8C 4D").bid(0, 11).build(0, 11, "2H", "9H")
    table.raise_(1, 11, "AH").time_out()
    assert table.lines[:3] == ["0 bid 11", "0 build 11 2H 9H", "1 raise 11 AH 8C,4D"]
    assert table.lines[3].startswith("auto 2 ")


def test_nothing_else_has_a_line() -> None:
    table = Table({0: "9H"}).bid(0, 9)
    assert [line_of(event) for event in table.events if event.name != "bid"] == [None] * (
        len(table.events) - 1
    )
    assert not [line_of(event) for event in Table({0: "AH 4S 7D 8C"}).events if line_of(event)]
