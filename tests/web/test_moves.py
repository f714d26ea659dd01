"""A game's moves are read from its own dataclasses, strictly."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple, cast

import pytest

from server.cards.card import Card
from server.cards.game import AnyGame, Seat
from server.errors import Refusal
from server.web.moves import LIST_LENGTH_MAX, TEXT_LENGTH_MAX, MoveReader

FIRST = Seat(0)


@dataclass(frozen=True)
class Draw:
    name: ClassVar[str] = "draw"
    from_: str


class Place(NamedTuple):
    position: int


@dataclass(frozen=True)
class Show:
    name: ClassVar[str] = "show"
    finish: Card | Place
    groups: tuple[tuple[Card, ...], ...] | None = None
    to: Seat = FIRST
    loud: bool = False


@dataclass(frozen=True)
class Drop:
    name: ClassVar[str] = "drop"


@dataclass(frozen=True)
class Float:
    name: ClassVar[str] = "float"
    much: float


def reader_of(*moves: type[Any]) -> MoveReader:
    return MoveReader(cast("AnyGame", SimpleNamespace(move_types=moves)))


READER = reader_of(Draw, Show, Drop)


def test_moves_are_built_with_the_trailing_underscore_cut_and_lists_as_tuples() -> None:
    assert READER.read({"move": "draw", "from": "closed"}) == Draw("closed")
    assert READER.read({"move": "drop"}) == Drop()
    move = READER.read({"move": "show", "finish": "7H", "groups": [["4S", "5S"], []], "to": 2})
    assert move == Show(Card("7H"), ((Card("4S"), Card("5S")), ()), Seat(2))
    assert READER.read({"move": "show", "finish": "7H", "groups": None}) == Show(Card("7H"))
    assert reader_of(Drop).read({"move": "drop"}) == Drop()


@pytest.mark.parametrize(
    ("d", "code", "field"),
    [
        ({}, "missing_field", "d.move"),
        ({"move": None}, "missing_field", "d.move"),
        ({"move": "deal"}, "unknown_move", "d.move"),
        ({"move": ["draw"]}, "unknown_move", "d.move"),
        ({"move": "draw"}, "missing_field", "d.from"),
        ({"move": "draw", "from_": "closed"}, "missing_field", "d.from"),
        ({"move": "draw", "from": "closed", "from_": "open"}, "unknown_field", "d.from_"),
        ({"move": "draw", "from": 1}, "bad_field", "d.from"),
        ({"move": "draw", "from": None}, "bad_field", "d.from"),
        ({"move": "draw", "from": "x" * (TEXT_LENGTH_MAX + 1)}, "bad_field", "d.from"),
        ({"move": "draw", "from": "\ud800"}, "bad_field", "d.from"),
        ({"move": "drop", "card": "7H"}, "unknown_field", "d.card"),
        ({"move": "show", "finish": "7H", "groups": ["7H"]}, "bad_field", "d.groups.0"),
        ({"move": "show", "finish": "7H", "groups": [["7H", 7]]}, "bad_field", "d.groups.0.1"),
        ({"move": "show", "finish": "7H", "groups": [[]] * 65}, "bad_field", "d.groups"),
        ({"move": "show", "finish": [7]}, "bad_field", "d.finish"),
        ({"move": "show", "finish": {"position": 7}}, "bad_field", "d.finish"),
        ({"move": "show", "finish": "7H", "to": True}, "bad_field", "d.to"),
        ({"move": "show", "finish": "7H", "to": -1}, "bad_field", "d.to"),
        ({"move": "show", "finish": "7H", "loud": 1}, "bad_field", "d.loud"),
    ],
)
def test_a_wrong_move_is_refused_by_its_field(d: dict[str, Any], code: str, field: str) -> None:
    assert LIST_LENGTH_MAX == 64
    with pytest.raises(Refusal) as refused:
        READER.read(d)
    assert (refused.value.code, refused.value.field) == (code, field)


def test_a_move_that_the_wire_cannot_hold_stops_the_start() -> None:
    with pytest.raises(TypeError, match="float"):
        reader_of(Float)
