"""One ASCII line for each move, both ways.

Journal:    `2 trump S`  `2 pass`  `2 play 7H`  `2 leave`  `2 back`  `auto 2`
Transcript: the same, and `auto 2 pass`  `auto 2 luck 4C`  `auto 2 play 7H`
The card of luck is public once its line is; the journal's `auto 2` does not name it.
"""

import re

from server.cards import substitutes
from server.cards.card import Card
from server.cards.game import Event, Left, Returned, Seat, TimedOut
from server.cards.tricks import suit_named
from server.games.court_piece.events import CardPlayed, LuckTurned, TrumpNamed, TrumpPassed
from server.games.court_piece.moves import Move, NameTrump, Pass, Play
from server.games.court_piece.state import State

_CARD = r"[A23456789TJQK][SHDC]"
_AUTO = re.compile(rf"auto (?P<seat>[0-3])(?: pass| (?:luck|play) {_CARD})?", re.ASCII)
_OWN = re.compile(
    rf"(?P<seat>[0-3]) (?:trump (?P<suit>[SHDC])|play (?P<card>{_CARD})"
    r"|(?P<word>pass|leave|back))",
    re.ASCII,
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
        case NameTrump():
            return f"{seat} trump {move.suit}"
        case Pass():
            return f"{seat} pass"
        case Play():
            return f"{seat} play {move.card}"


def read(line: str) -> tuple[Seat, Move | TimedOut | Left | Returned]:
    """Read a journal or transcript line.

    Errors: ValueError if the line is not exactly one of these forms.
    """
    if (auto := _AUTO.fullmatch(line)) is not None:
        seat = Seat(int(auto["seat"]))
        return seat, TimedOut(seat)
    if (own := _OWN.fullmatch(line)) is None:
        raise ValueError(f"not a line of court piece: {line[:40]!r}")
    seat = Seat(int(own["seat"]))
    if own["suit"] is not None:
        return seat, NameTrump(suit_named(own["suit"]))
    if own["card"] is not None:
        return seat, Play(Card(own["card"]))
    if own["word"] == "pass":
        return seat, Pass()
    return seat, Left(seat) if own["word"] == "leave" else Returned(seat)


def line_of(event: Event) -> str | None:
    """Write the transcript line of an event; None for one that is no move."""
    match event:
        case TrumpPassed():
            return f"{_auto(event.auto)}{event.seat} pass"
        case TrumpNamed():
            return f"{event.seat} trump {event.suit}"
        case LuckTurned():
            return f"auto {event.seat} luck {event.card}"
        case CardPlayed():
            return f"{_auto(event.auto)}{event.seat} play {event.card}"
        case _:
            return substitutes.line_of(event)


def _auto(auto: bool) -> str:
    return "auto " if auto else ""
