"""One ASCII line for each move, both ways.

Journal:    `2 bid 7`  `2 pass`  `2 trump S`  `2 play 7H`  `2 leave`  `2 back`  `auto 2`
Transcript: the same, and `auto 2 pass`  `auto 2 trump S`  `auto 2 play 7H`
"""

import re

from server.cards import substitutes
from server.cards.card import Card
from server.cards.game import Event, Left, Returned, Seat, TimedOut
from server.cards.tricks import suit_named
from server.games.batak.events import BidMade, CardPlayed, SeatPassed, TrumpNamed
from server.games.batak.moves import Bid, Move, NameTrump, Pass, Play
from server.games.batak.state import State

_CARD = r"[A23456789TJQK][SHDC]"
_AUTO = re.compile(rf"auto (?P<seat>[0-3])(?: pass| trump [SHDC]| play {_CARD})?", re.ASCII)
_OWN = re.compile(
    r"(?P<seat>[0-3]) (?:bid (?P<bid>[5-9]|1[0-3])|trump (?P<suit>[SHDC])"
    rf"|play (?P<card>{_CARD})|(?P<word>pass|leave|back))",
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
        case Bid():
            return f"{seat} bid {move.tricks}"
        case Pass():
            return f"{seat} pass"
        case NameTrump():
            return f"{seat} trump {move.suit}"
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
        raise ValueError(f"not a line of batak: {line[:40]!r}")
    seat = Seat(int(own["seat"]))
    if own["bid"] is not None:
        return seat, Bid(int(own["bid"]))
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
        case BidMade():
            return f"{event.seat} bid {event.tricks}"
        case SeatPassed():
            return f"{_auto(event.auto)}{event.seat} pass"
        case TrumpNamed():
            return f"{_auto(event.auto)}{event.seat} trump {event.suit}"
        case CardPlayed():
            return f"{_auto(event.auto)}{event.seat} play {event.card}"
        case _:
            return substitutes.line_of(event)


def _auto(auto: bool) -> str:
    return "auto " if auto else ""
