"""Golden hands of games of tricks: text that a player can read, played line by line.

Head lines are `name: value` and, for a seat, its cards. A move is a journal line, or `0: AH JH 7H`:
cards played in turn from seat 0. What happens follows `->`, each thing after a `|`.
"""

import re
from collections.abc import Callable
from pathlib import Path

from server.cards.game import Event, SeatHandedOver, TurnBegan
from server.cards.substitutes import AutoMoved
from tests.games.tricks import Table

_CARDS = re.compile(r"([0-3]): (.+)")


def read_golden(path: Path) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Read the head by name, and the moves, each with what happens."""
    lines = [line for line in path.read_text().splitlines() if line and line[0] != "#"]
    head = dict(line.split(": ") for line in lines if "->" not in line)
    moves = [line.split("->") for line in lines if "->" in line]
    return head, [(move.strip(), happens.strip()) for move, happens in moves]


def play_golden(
    table: Table, moves: list[tuple[str, str]], told: Callable[[Event], str | None]
) -> None:
    """Play the moves and compare; `told` says what is the game's own."""
    for move, happens in moves:
        seen = _play(table, move, told)
        assert seen == happens.split(" | "), move
    assert table.state.ended


def _play(table: Table, move: str, told: Callable[[Event], str | None]) -> list[str]:
    if (cards := _CARDS.fullmatch(move)) is None:
        table.say(move)
        return [text for event in table.events for text in _texts(table, event, told)]
    happened: list[str] = []
    leader, played = int(cards[1]), cards[2].split()
    for offset, card in enumerate(played):
        table.say(f"{(leader + offset) % 4} play {card}")
        quiet = [event for event in table.events if event.name != "played"]
        if offset < len(played) - 1:
            quiet = [event for event in quiet if not isinstance(event, TurnBegan)]
        happened += [text for event in quiet for text in _texts(table, event, told)]
    return happened


def _texts(table: Table, event: Event, told: Callable[[Event], str | None]) -> list[str]:
    line = table.game.notation.line_of(event)
    match event:
        case AutoMoved():
            own: str | None = f"miss {event.misses} of {event.miss_limit}"
        case SeatHandedOver():
            own = f"{event.seat} is played on: {event.why}"
        case TurnBegan():
            own = f"turn {event.seats[0]}"
        case _:
            own = told(event)
    return [text for text in (line, own) if text is not None]
