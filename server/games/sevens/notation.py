"""One ASCII line for each move, both ways.

Journal:    `2 play 7H`  `2 pass`  `2 leave`  `2 back`  `auto 2`
Transcript: the same, and `auto 2 play 7H`  `auto 2 pass` instead of `auto 2`
"""

import re

from server.cards import substitutes
from server.cards.card import Card
from server.cards.game import Event, Left, Returned, Seat, TimedOut
from server.games.sevens.events import CardPlayed, SeatPassed
from server.games.sevens.moves import Move, Pass, Play
from server.games.sevens.state import State

_CARD = r"[A23456789TJQK][SHDC]"
_AUTO = re.compile(rf"auto (?P<seat>[0-6])(?: play {_CARD}| pass)?", re.ASCII)
_OWN = re.compile(
    rf"(?P<seat>[0-6]) (?:play (?P<card>{_CARD})|(?P<word>pass|leave|back))", re.ASCII
)


def write(state: State, seat: Seat, move: Move | TimedOut | Left | Returned) -> str:
    """Write the journal line of a move."""
    match move:
        case TimedOut():
            return f"auto {seat}"
        case Left():
            return f"{seat} leave"
        case Returned():
            return f"{seat} back"
        case Play():
            return f"{seat} play {move.card}"
        case Pass():
            return f"{seat} pass"


def read(line: str) -> tuple[Seat, Move | TimedOut | Left | Returned]:
    """Read a journal or transcript line.

    Errors: ValueError if the line is not exactly one of these forms.
    """
    if (auto := _AUTO.fullmatch(line)) is not None:
        seat = Seat(int(auto["seat"]))
        return seat, TimedOut(seat)
    if (own := _OWN.fullmatch(line)) is None:
        raise ValueError(f"not a line of sevens: {line[:40]!r}")
    seat = Seat(int(own["seat"]))
    match own["word"]:
        case "leave":
            return seat, Left(seat)
        case "back":
            return seat, Returned(seat)
        case "pass":
            return seat, Pass()
        case _:
            return seat, Play(Card(own["card"]))


def line_of(event: Event) -> str | None:
    """Write the transcript line of an event; None for one that is no move."""
    match event:
        case CardPlayed():
            return f"{_auto(event.auto)}{event.seat} play {event.card}"
        case SeatPassed():
            return f"{_auto(event.auto)}{event.seat} pass"
        case _:
            return substitutes.line_of(event)


def _auto(auto: bool) -> str:
    return "auto " if auto else ""
