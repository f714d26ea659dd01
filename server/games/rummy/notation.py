"""One ASCII line for each move, both ways.

Journal:    `2 draw closed`  `2 draw open`  `2 discard 7H#1`  `2 declare @0.53`  `2 drop`
            `2 leave`  `auto 2`
Transcript: the same, and `2 draw closed @0.53`  `2 draw open 9C#1`  `auto 2 draw closed @0.53`
            `auto 2 discard 7H`  `auto 2 drop`
A declare may end with the client's groups: ` 4S,5S,6S/8H,JK,TH/...`. A finish card is named by its
place, so it stays hidden and can't be swapped.
"""

import re

from server.cards.card import Card, parse_card
from server.cards.game import Event, Left, Seat, TimedOut
from server.games.rummy.events import (
    CardDiscarded,
    CardDrawn,
    Groups,
    SeatDeclared,
    SeatDropped,
)
from server.games.rummy.moves import Declare, Discard, Draw, Drop, Move, Place
from server.games.rummy.state import State

_NUMBER = r"(?:0|[1-9][0-9]{0,2})"
_PLACE = rf"@(?:[0-8])\.{_NUMBER}"
_CARD = r"(?:[A23456789TJQK][SHDC]|JK)(?:#[1-9])?"
_GROUPS = rf"{_CARD}(?:[,/]{_CARD})*"
_AUTO = re.compile(
    rf"auto (?P<seat>[0-7])(?: draw closed {_PLACE}| discard {_CARD}| drop)?", re.ASCII
)
_OWN = re.compile(
    rf"(?P<seat>[0-7]) (?:draw (?:(?P<closed>closed)(?: {_PLACE})?|open(?: {_CARD})?)"
    rf"|discard (?P<card>{_CARD})|declare (?P<finish>{_PLACE})(?: (?P<groups>{_GROUPS}))?"
    r"|(?P<word>drop|leave))",
    re.ASCII,
)


def write(state: State, seat: Seat, move: Move | TimedOut | Left) -> str:
    """Write the journal line of a move, seen from the state before it.

    Errors: KeyError if a declare's finish card was never dealt.
    """
    match move:
        case TimedOut():
            return f"auto {seat}"
        case Left():
            return f"{seat} leave"
        case Draw():
            return f"{seat} draw {move.from_}"
        case Discard():
            return f"{seat} discard {move.card}"
        case Drop():
            return f"{seat} drop"
        case Declare():
            finish = move.finish
            place = finish if isinstance(finish, Place) else state.place_of(finish)
            return _declare_line(seat, place, move.groups)


def read(line: str) -> tuple[Seat, Move | TimedOut | Left]:
    """Read a journal or transcript line.

    Errors: ValueError if the line is not exactly one of these forms.
    """
    if (auto := _AUTO.fullmatch(line)) is not None:
        seat = Seat(int(auto["seat"]))
        return seat, TimedOut(seat)
    if (own := _OWN.fullmatch(line)) is None:
        raise ValueError(f"not a line of rummy: {line[:40]!r}")
    seat = Seat(int(own["seat"]))
    if own["word"] is not None:
        return seat, Drop() if own["word"] == "drop" else Left(seat)
    if own["card"] is not None:
        return seat, Discard(parse_card(own["card"]))
    if own["finish"] is not None:
        return seat, Declare(_place(own["finish"]), _groups(own["groups"]))
    return seat, Draw("closed" if own["closed"] else "open")


def line_of(event: Event) -> str | None:
    """Write the transcript line of an event; None for one that is no move."""
    match event:
        case CardDrawn():
            what = _place_text(event.place) if event.place is not None else event.card
            return f"{_auto(event.auto)}{event.seat} draw {event.source} {what}"
        case CardDiscarded():
            return f"{_auto(event.auto)}{event.seat} discard {event.card}"
        case SeatDropped(why="left"):
            return f"{event.seat} leave"
        case SeatDropped():
            return f"{_auto(event.why == 'miss')}{event.seat} drop"
        case SeatDeclared():
            return _declare_line(event.seat, event.finish, event.groups or None)
        case _:
            return None


def _declare_line(seat: Seat, finish: Place, groups: Groups | None) -> str:
    """Write a declare; groups that are none make no line, and `read` says so."""
    line = f"{seat} declare {_place_text(finish)}"
    return line if groups is None else f"{line} {'/'.join(','.join(group) for group in groups)}"


def _place_text(place: Place) -> str:
    return f"@{place.epoch}.{place.position}"


def _place(text: str) -> Place:
    epoch, position = text[1:].split(".")
    return Place(int(epoch), int(position))


def _groups(text: str | None) -> tuple[tuple[Card, ...], ...] | None:
    if text is None:
        return None
    return tuple(tuple(parse_card(card) for card in group.split(",")) for group in text.split("/"))


def _auto(auto: bool) -> str:
    return "auto " if auto else ""
