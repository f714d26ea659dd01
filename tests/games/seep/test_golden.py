"""Whole deals as text that a player can read; each line was checked by hand."""

from pathlib import Path

import pytest

from server.cards.game import Event, Scored, SeatHandedOver, SeatTakenBack, TurnBegan
from server.cards.substitutes import AutoMoved
from server.games.seep.events import (
    CardsTaken,
    CardThrown,
    FloorOpened,
    HouseBuilt,
    HouseRaised,
    LeftoversTaken,
    PointsCounted,
    Redealt,
    SeepMade,
)
from server.games.seep.notation import line_of, read
from tests.games.seep.table import Table

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


def test_there_are_golden_deals() -> None:
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_deal_goes_as_it_is_written(path: Path) -> None:
    lines = [line for line in path.read_text().splitlines() if line and line[0] != "#"]
    head = dict(line.split(": ", 1) for line in lines if "->" not in line)
    moves = [line.split("->") for line in lines if "->" in line]
    hands = {seat: head[str(seat)] for seat in range(4) if str(seat) in head}
    table = Table(hands, head["floor"], dealer=int(head["dealer"]), memo=head.get("account", ""))
    assert moves[0][0].strip() == "deal"
    assert _told_of(table.events) == _written(moves[0][1])
    for move, happens in moves[1:]:
        seat, said = read(move.strip())
        table.move(seat, said)
        assert _told_of(table.events) == _written(happens), move
    assert table.state.scored is not None


def _written(text: str) -> list[str]:
    return [part.strip() for part in text.split("|")]


def _told_of(events: tuple[Event, ...]) -> list[str]:
    return [text for event in events if (text := _told(event)) is not None]


def _told(event: Event) -> str | None:
    match event:
        case TurnBegan():
            return f"turn {event.seats[0]}"
        case AutoMoved():
            return f"miss {event.misses} of {event.miss_limit}"
        case SeatHandedOver() | SeatTakenBack():
            return line_of(event) or "handed over"
        case FloorOpened():
            return f"floor {' '.join(event.cards)}"
        case CardsTaken():
            return f"{event.card} takes {' '.join(event.cards)}"
        case CardThrown():
            return f"{event.card} lies loose"
        case HouseBuilt() | HouseRaised():
            kind = "pakka" if event.is_pakka else "kacha"
            owners = "+".join(map(str, event.owners))
            return f"{kind} {event.value} of {owners}: {' '.join(event.house_cards)}"
        case _:
            return _told_of_the_count(event)


def _told_of_the_count(event: Event) -> str | None:
    match event:
        case SeepMade():
            return f"seep {event.points}"
        case LeftoversTaken():
            return f"left over {' '.join(event.cards)}"
        case Redealt():
            return f"dealt anew, shown {' '.join(event.cards)}"
        case PointsCounted():
            cards, seeps = event.card_points, event.seep_points
            return f"cards {cards[0]}:{cards[1]}, seeps {seeps[0]}:{seeps[1]}, lead {event.lead}"
        case Scored():
            points = " ".join(f"{seat}:{points}" for seat, points in event.points)
            over = f"won by {'+'.join(map(str, event.champions))}, " if event.match_over else ""
            return f"{over}points {points}, next {event.carry.dealer}"
        case _:
            return None
