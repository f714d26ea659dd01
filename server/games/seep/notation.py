"""One ASCII line for each move, both ways.

Journal:    `2 bid 11`  `2 throw 7H`  `2 take 9S 9H,5D,4C`  `2 build 12 5C 7S`  `2 build 9 9D`
            `2 raise 9 3D`  `2 raise 9 3D 7S,5H`  `2 leave`  `2 back`  `auto 2`
Transcript: the same, and `auto 2` before a bid, a throw, a take or a build.
The last word names the floor's cards that are taken or that join; a line may leave it out where
the rules leave one choice alone. No line names a card that stays hidden.
"""

import re

from server.cards import substitutes
from server.cards.card import Card
from server.cards.game import Event, IllegalMove, Left, Returned, Seat, TimedOut
from server.games.seep.events import BidMade, CardsTaken, CardThrown, HouseBuilt, HouseRaised
from server.games.seep.moves import Bid, Build, Move, Play, Raise, Take, Throw
from server.games.seep.state import State
from server.games.seep.turns import resolved

_CARD = r"[A23456789TJQK][SHDC]"
_CARDS = rf"{_CARD}(?:,{_CARD}){{0,50}}"
_HOUSE = r"(?:9|1[0-3])"
_MOVE = (
    rf"(?:bid (?P<bid>{_HOUSE})|throw (?P<thrown>{_CARD})"
    rf"|take (?P<taker>{_CARD})(?: (?P<taken>{_CARDS}))?"
    rf"|build (?P<value>{_HOUSE}) (?P<builder>{_CARD})(?: (?P<built>{_CARDS}))?"
    rf"|raise (?P<house>{_HOUSE}) (?P<raiser>{_CARD})(?: (?P<raised>{_CARDS}))?)"
)
_AUTO = re.compile(rf"auto (?P<seat>[0-3])(?: {_MOVE})?", re.ASCII)
_OWN = re.compile(rf"(?P<seat>[0-3]) (?:{_MOVE}|(?P<word>leave|back))", re.ASCII)


def write(state: State, seat: Seat, move: Move | TimedOut | Left | Returned) -> str:
    """Write the journal line of a move, seen from the state before it; a choice left out is named.

    A move that the rules refuse is written as it was said, be it a line or not.
    """
    match move:
        case TimedOut():
            return f"auto {seat}"
        case Left():
            return f"{seat} leave"
        case Returned():
            return f"{seat} back"
        case Bid():
            return f"{seat} bid {move.value}"
    try:
        return f"{seat} {_text(resolved(state.position(seat), move))}"
    except (IllegalMove, KeyError):
        return f"{seat} {_text(move)}"


def read(line: str) -> tuple[Seat, Move | TimedOut | Left | Returned]:
    """Read a journal or transcript line.

    Errors: ValueError if the line is not exactly one of these forms.
    """
    if (auto := _AUTO.fullmatch(line)) is not None and auto["raiser"] is None:
        seat = Seat(int(auto["seat"]))
        return seat, TimedOut(seat)
    if (own := _OWN.fullmatch(line)) is None:
        raise ValueError(f"not a line of Seep: {line[:40]!r}")
    seat = Seat(int(own["seat"]))
    if own["word"] is not None:
        return seat, Left(seat) if own["word"] == "leave" else Returned(seat)
    return seat, _move(own)


def line_of(event: Event) -> str | None:
    """Write the transcript line of an event; None for one that is no move."""
    match event:
        case BidMade():
            return f"{_auto(event.auto)}{event.seat} bid {event.value}"
        case CardThrown():
            return f"{_auto(event.auto)}{event.seat} {_text(Throw(event.card))}"
        case CardsTaken():
            return f"{_auto(event.auto)}{event.seat} {_text(Take(event.card, event.cards))}"
        case HouseBuilt():
            built = Build(event.value, event.card, event.cards)
            return f"{_auto(event.auto)}{event.seat} {_text(built)}"
        case HouseRaised():
            return f"{event.seat} {_text(Raise(event.house, event.card, event.cards))}"
        case _:
            return substitutes.line_of(event)


def _move(own: re.Match[str]) -> Move:
    if own["bid"] is not None:
        return Bid(int(own["bid"]))
    if own["thrown"] is not None:
        return Throw(Card(own["thrown"]))
    if own["taker"] is not None:
        return Take(Card(own["taker"]), _cards(own["taken"]))
    if own["builder"] is not None:
        return Build(int(own["value"]), Card(own["builder"]), _cards(own["built"]))
    return Raise(int(own["house"]), Card(own["raiser"]), _cards(own["raised"]))


def _text(play: Play) -> str:
    cards = None if isinstance(play, Throw) else play.cards
    more = f" {','.join(cards)}" if cards else ""
    match play:
        case Throw():
            return f"throw {play.card}"
        case Take():
            return f"take {play.card}{more}"
        case Build():
            return f"build {play.value} {play.card}{more}"
        case Raise():
            return f"raise {play.house} {play.card}{more}"


def _cards(text: str | None) -> tuple[Card, ...] | None:
    return None if text is None else tuple(map(Card, text.split(",")))


def _auto(auto: bool) -> str:
    return "auto " if auto else ""
