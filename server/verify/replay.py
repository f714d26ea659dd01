"""A recorded hand as text, move by move: all of it, or what one seat saw."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from server.cards.game import AnyGame, Given, Seat
from server.fairness.record import Record, SignedRecord
from server.games import GAMES
from server.verify.evidence import Evidence
from server.verify.fold import Moment


def replay_lines(
    record: Record, seat: int | None = None, games: Mapping[str, AnyGame] = GAMES
) -> Iterator[str]:
    """Tell a hand move by move; with `seat`, also the cards and the view that this seat had.

    The record is taken at its word as far as the rules go along; where they part, the last line
    says so. Verify it first.

    Errors: ValueError if the seat is not in this hand.
    """
    if seat is not None and seat not in [row.seat for row in record.seats]:
        raise ValueError(f"seat {seat} is not in this hand")
    evidence = Evidence(SignedRecord(record, b"", b""), games, None)
    return _told(evidence, seat)


def _told(evidence: Evidence, seat: int | None) -> Iterator[str]:
    record = evidence.record
    seats = " ".join(str(row.seat) for row in record.seats)
    yield f"{record.game} {record.rules}, hand {record.hand_no}, attempt {record.attempt}"
    yield f"seats {seats}, dealer {'by the toss' if record.dealer is None else record.dealer}"
    seen: dict[str, str] = {}
    for moment in evidence.replay.moments:
        for event in record.events[moment.first : moment.last]:
            yield f"{event.k:>4}  {event.line or _dealt(evidence, event.k)}"
        if seat is not None:
            yield from _given(evidence, moment, seat)
            yield from _seen(evidence, moment, seat, seen)
    for row in record.result:
        yield f"seat {row.seat}: {row.points} points, {row.amount} micro-HT"
    for number, text in evidence.replay.faults:
        yield f"check {number} fails: {text}"


def _dealt(evidence: Evidence, k: int) -> str:
    epoch = [event.k for event in evidence.record.events if event.line is None].index(k)
    head = evidence.record.heads[epoch]
    return f"deal of epoch {epoch}: {head.n} cards, root {head.root.hex()}"


def _given(evidence: Evidence, moment: Moment, seat: int) -> Iterator[str]:
    for event in moment.events:
        if isinstance(event, Given) and event.to in (None, Seat(seat)):
            order = evidence.shoes[event.epoch].order
            cards = [evidence.pack.card_of(order[position]) for position in event.positions]
            yield f"      given: {' '.join(cards)}"


def _seen(evidence: Evidence, moment: Moment, seat: int, seen: dict[str, str]) -> Iterator[str]:
    """Tell the parts of the view that have changed."""
    assert evidence.game is not None
    for name, text in _parts("", evidence.game.view(moment.state, Seat(seat))):
        if seen.get(name, "") != text:
            seen[name] = text
            yield f"      {name}: {text}"


def _parts(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Take a view apart, down to its members and those of its lists."""
    if name == "":
        for member in fields(value):
            yield from _parts(member.name, getattr(value, member.name))
    elif isinstance(value, tuple) and any(map(is_dataclass, value)):
        for index, member in enumerate(value):
            yield f"{name}[{index}]", _text(member)
    else:
        yield name, _text(value)


def _text(value: Any) -> str:
    """Write a value; members of a dataclass that say nothing are left out."""
    if is_dataclass(value):
        named = ((member.name, getattr(value, member.name)) for member in fields(value))
        return " ".join(f"{name}={_text(v)}" for name, v in named if v not in (None, False, ()))
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    return "" if value is None else str(value)
