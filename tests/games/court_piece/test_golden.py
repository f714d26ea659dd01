"""Whole hands as text that a player can read; what happens is written by hand, not recorded."""

from pathlib import Path

import pytest

from server.cards.game import Carry, Event, Scored
from server.games.court_piece import GAME
from server.games.court_piece.batches import BATCHES
from server.games.court_piece.events import BatchDealt, HandCounted, TrickTaken
from server.games.court_piece.options import Options
from tests.games import tricks
from tests.games.court_piece.table import Table
from tests.games.golden_tricks import play_golden, read_golden
from tests.games.tricks import filled, order_of

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_hand_goes_as_it_is_written(path: Path) -> None:
    head, moves = read_golden(path)
    play_golden(_table(head), moves, _told)


def _table(head: dict[str, str]) -> tricks.Table:
    hands, dealer = [head[str(seat)] for seat in range(4)], int(head["dealer"])
    if "draws" not in head:
        return Table(hands, dealer=dealer, memo=head["memo"])
    table = tricks.Table(GAME, Options(), carry=Carry())
    draws = tuple(map(int, head["draws"].split()))
    table.deal(order_of(filled(hands), dealer, BATCHES), draws)
    assert table.state.dealer == dealer
    return table


def _told(event: Event) -> str | None:
    match event:
        case BatchDealt():
            return f"batch {event.batch}"
        case TrickTaken():
            return f"{event.seat} takes {event.tricks}"
        case HandCounted():
            return _counted(event)
        case Scored(match_over=True):
            return f"points {_row(event)}, match won by {' '.join(map(str, event.champions))}"
        case Scored():
            return f"points {_row(event)}, next {event.carry.dealer}"
        case _:
            return None


def _counted(event: HandCounted) -> str:
    most, least = max(event.tricks), min(event.tricks)
    parts = [f"{event.gained - event.bonus}"]
    if event.bonus:
        parts[0] += f" and {event.bonus} more"
    parts += {"none": [], "court": ["a court"], "goon": ["a goon court"]}[event.court]
    score = "score {} to {}".format(*event.score)
    won = f"won by team {event.team} with {most} to {least}: {', '.join(parts)}"
    return f"callers {event.callers}, {won}, {score}"


def _row(event: Scored) -> str:
    return " ".join(str(points) for _, points in event.points)
