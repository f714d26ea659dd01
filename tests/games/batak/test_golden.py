"""Whole hands as text that a player can read; what happens is written by hand, not recorded."""

from pathlib import Path

import pytest

from server.cards.game import Event, Scored
from server.games.batak.events import AuctionWon, HandCounted, TrickTaken
from tests.games.batak.table import Table
from tests.games.golden_tricks import play_golden, read_golden

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_hand_goes_as_it_is_written(path: Path) -> None:
    head, moves = read_golden(path)
    table = Table(
        [head[str(seat)] for seat in range(4)],
        dealer=int(head["dealer"]),
        memo=head.get("memo", ""),
    )
    play_golden(table, moves, _told)


def _told(event: Event) -> str | None:
    match event:
        case AuctionWon(is_forced=True):
            return f"{event.seat} must play for {event.tricks}"
        case AuctionWon():
            return f"{event.seat} won with {event.tricks}"
        case TrickTaken():
            return f"{event.seat} takes {event.tricks}"
        case HandCounted():
            owed, took = _row(event.owed), _row(event.tricks)
            return f"owed {owed}, took {took}, totals {_row(event.totals)}"
        case Scored():
            points = f"points {_row(tuple(points for _, points in event.points))}"
            won = f"won by {_row(event.champions)}" if event.match_over else None
            return f"{points}, {won or f'next {event.carry.dealer}'}"
        case _:
            return None


def _row(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
