"""The journal's and the transcript's lines, both ways."""

import pytest

from server.cards.card import Card
from server.cards.game import Left, Seat, TimedOut
from server.games.rummy.moves import Declare, Discard, Draw, Drop, Place
from server.games.rummy.notation import line_of, read, write
from tests.games.rummy.table import BROKEN, COMPLETE, Table

GROUPS = (
    (Card("2S"), Card("3S"), Card("4S")),
    (Card("6H"), Card("7H"), Card("8H")),
    (Card("TD"), Card("JD"), Card("QD")),
    (Card("9S"), Card("9H"), Card("9D"), Card("9C")),
)
GROUPS_TEXT = "2S,3S,4S/6H,7H,8H/TD,JD,QD/9S,9H,9D,9C"


@pytest.mark.parametrize(
    ("line", "seat", "move"),
    [
        ("2 draw closed", 2, Draw("closed")),
        ("2 draw closed @0.53", 2, Draw("closed")),
        ("2 draw open", 2, Draw("open")),
        ("2 draw open 9C#1", 2, Draw("open")),
        ("2 discard 7H#1", 2, Discard(Card("7H#1"))),
        ("0 discard JK", 0, Discard(Card("JK"))),
        ("2 drop", 2, Drop()),
        ("7 leave", 7, Left(Seat(7))),
        ("2 declare @0.53", 2, Declare(Place(0, 53))),
        (f"2 declare @8.0 {GROUPS_TEXT}", 2, Declare(Place(8, 0), GROUPS)),
        ("auto 2", 2, TimedOut(Seat(2))),
        ("auto 2 draw closed @0.53", 2, TimedOut(Seat(2))),
        ("auto 2 discard 7H", 2, TimedOut(Seat(2))),
        ("auto 2 drop", 2, TimedOut(Seat(2))),
    ],
)
def test_a_line_reads_as_its_move(line: str, seat: int, move: object) -> None:
    assert read(line) == (seat, move)


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "2",
        "auto",
        "2 draw",
        "2 draw  closed",
        " 2 drop",
        "2 drop ",
        "2 drop\n",
        "02 drop",
        "8 drop",
        "-1 drop",
        "٢ drop",
        "2 Drop",
        "2 draw both",
        "2 draw closed 53",
        "2 draw closed @0.053",
        "2 draw closed @00.5",
        "2 draw closed @9.5",
        "2 draw closed @0.-1",
        "2 draw closed @0.1000",
        "2 draw closed @0.٥",
        "2 draw open @0.5",
        "2 discard",
        "2 discard 1H",
        "2 discard 7H#0",
        "2 discard 7h",
        "2 discard 7H 8H",
        "2 discard @0.5",
        "2 declare",
        "2 declare 7H",
        "2 declare @0.53 ",
        "2 declare @0.53 7H,",
        "2 declare @0.53 /7H",
        "2 declare @0.53 7H//8H",
        "2 declare @0.53 7H, 8H",
        "auto 2 draw open",
        "auto 2 draw closed",
        "auto 2 declare @0.5",
        "auto 2 leave",
        "auto  2",
        "auto 2 ",
        "-1 deal",
        "2 drop 2 drop",
    ],
)
def test_any_other_line_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not a line of rummy"):
        read(line)


def test_a_journal_line_is_read_and_written_the_same() -> None:
    state = Table().state
    for line in (
        "2 draw closed",
        "2 draw open",
        "2 discard 7H#1",
        "2 drop",
        "2 leave",
        "auto 2",
        "2 declare @0.53",
        f"2 declare @0.53 {GROUPS_TEXT}",
    ):
        seat, move = read(line)
        assert write(state, seat, move) == line


def test_a_finish_card_is_written_by_its_place_alone() -> None:
    table = Table([COMPLETE], closed="KC").draw(0)
    line = write(table.state, Seat(0), Declare(Card("KC")))
    assert line == "0 declare @0.54"
    assert write(table.state, *read(line)) == line


def test_the_transcript_of_turns() -> None:
    table = Table(closed="KC 4H", opened="9C")
    table.draw(0).discard(0, "KC").draw(1, "open").discard(1, "KC").time_out(2).drop(3).leave(1)
    assert table.lines == [
        "0 draw closed @0.54",
        "0 discard KC",
        "1 draw open KC",
        "1 discard KC",
        "auto 2 draw closed @0.55",
        "auto 2 discard 4H",
        "3 drop",
        "1 leave",
    ]


def test_a_declare_is_one_line_right_or_wrong() -> None:
    wrong = Table([BROKEN], closed="2C").draw(0).declare(0)
    assert wrong.lines[1:] == ["0 declare @0.54"]
    right = Table([COMPLETE], closed="KC").draw(0).play(0, Declare(Card("KC"), GROUPS))
    assert right.lines[1:] == [f"0 declare @0.54 {GROUPS_TEXT}"]


def test_the_clock_drop_is_marked() -> None:
    table = Table()
    for _ in range(2):
        table.time_out(0).turn(1).turn(2).turn(3)
    table.lines.clear()
    assert table.time_out(0).lines == ["auto 0 drop"]


def test_no_line_says_anything_else() -> None:
    table = Table()
    assert [line_of(event) for event in table.events] == [None] * len(table.events)
    assert table.lines == []
