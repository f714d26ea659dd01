"""Whole hands as text that a player can read; what comes out is written by hand, not recorded.

Below the holdings a line is a round: a column for each seat from the first in turn on. A card is
laid, `-` is a pass, `*` is the clock with what it plays. The end is what each seat has left, its
cost, and what the hand and the match bring.
"""

from pathlib import Path

import pytest

from server.games.sevens.events import HandShown, MatchStanding
from server.games.sevens.options import BadamSattiOptions, SevensOptions
from tests.games.sevens.table import Table

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))
OPTIONS = {"badam_satti": BadamSattiOptions, "sevens": SevensOptions}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_hand_goes_as_it_is_written(path: Path) -> None:
    text = [line for line in path.read_text().splitlines() if line and line[0] != "#"]
    head = dict(line.split(": ", 1) for line in text if ": " in line)
    columns, *rounds = [line.split() for line in text if ": " not in line]
    hands = [head[str(seat)] for seat in range(len(columns))]
    table = Table(
        hands,
        dealer=int(head["dealer"]),
        memo=head.get("brought", ""),
        options=OPTIONS[head["game"]](seats=len(hands), hands=int(head["hands"])),
    )
    for row in rounds:
        for seat, word in zip(columns, row, strict=False):
            assert table.state.scored is None
            assert str(table.acting) == seat
            _play(table, word)
    assert _end(table) == {key: head[key] for key in _end(table)}


def _play(table: Table, word: str) -> None:
    seat, played = table.acting, word.lstrip("*")
    said = f"{seat} pass" if played == "-" else f"{seat} play {played}"
    if word[0] == "*":
        table.time_out(seat)
        assert table.lines[-1] == f"auto {said}"
    else:
        table.say(said)


def _end(table: Table) -> dict[str, str]:
    left = {
        f"left {event.seat}": f"{' '.join(sorted(event.cards))} = {event.cost}"
        for event in table.events
        if isinstance(event, HandShown)
    }
    standing = table.event("standing")
    assert isinstance(standing, MatchStanding)
    carry = table.scored.carry
    return {
        **left,
        "points": _row(table.scored.points),
        "scores": _row(standing.scores),
        "won": " ".join(map(str, table.scored.champions)) or "not yet",
        "winner": str(table.scored.winner),
        "next": f"dealer {carry.dealer}, brought {carry.memo or 'nothing'}",
    }


def _row(pairs: tuple[tuple[int, int], ...]) -> str:
    return " ".join(f"{seat}:{value}" for seat, value in pairs)
