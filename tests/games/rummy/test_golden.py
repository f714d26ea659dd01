"""Whole hands as text that a player can read; what happens is written by hand, not recorded."""

from pathlib import Path

import pytest

from server.cards.game import Event, Scored, TurnBegan
from server.games.rummy.events import AutoMoved, HandShown, SeatDropped, WrongDeclare
from server.games.rummy.notation import line_of, read
from server.games.rummy.options import Options
from tests.games.rummy.table import Table

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_hand_goes_as_it_is_written(path: Path) -> None:
    lines = [line for line in path.read_text().splitlines() if line and line[0] != "#"]
    head = dict(line.split(": ") for line in lines if "->" not in line)
    moves = [line.split("->") for line in lines if "->" in line]
    table = _table(head)
    for move, happens in moves:
        seat, said = read(move.strip())
        table.move(seat, said)
        assert [text for event in table.events for text in _told(event)] == [
            text.strip() for text in happens.split("|")
        ], move
    assert table.state.ended


def _table(head: dict[str, str]) -> Table:
    listed, size = head["seats"].split(" of ")
    seats = [int(seat) for seat in listed.split()]
    return Table(
        [head[str(seat)] for seat in seats],
        seats=seats,
        first=int(head["first"]),
        turned=head["turned"],
        opened=head["open"],
        closed=head["closed"],
        options=Options(seats=int(size)),
    )


def _told(event: Event) -> list[str]:
    line = line_of(event)
    told = [line] if line is not None else []
    match event:
        case SeatDropped():
            told.append(f"out {event.points}")
        case AutoMoved():
            told.append(f"miss {event.misses} of {event.miss_limit}")
        case TurnBegan():
            told.append(f"turn {event.seats[0]}")
        case WrongDeclare():
            told.append(f"{event.seat} wrong {event.points}: {' '.join(event.cards)}")
        case HandShown():
            parts = [", ".join(" ".join(group) for group in event.groups)]
            parts += ["loose", *event.loose] if event.loose else []
            text = " ".join(part for part in parts if part)
            told.append(f"{event.seat} shows {text} = {event.points}")
        case Scored():
            points = " ".join(f"{seat}:{points}" for seat, points in event.points)
            told.append(f"points {points}, next {event.carry.dealer}")
        case _:
            pass
    return told
