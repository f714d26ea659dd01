"""An audience that is given to another holder of its table: an actor's, a mirror's, an actor's."""

from dataclasses import replace
from uuid import UUID

import pytest

from server.database import TableId
from server.games import GAMES
from server.tables.audience import Audience
from server.tables.recovery import blank
from server.tables.state import TableState
from server.tables.told import Numbered, Told
from tests.tables.mirroring import Watcher

GAME = GAMES["rummy"]
BLANK = blank(table=TableId(UUID(int=1)), name="Test", game=GAME, options=GAME.options_type())


def at(seq: int, *, stream: int = 1) -> TableState:
    return replace(BLANK, seq=seq, stream=stream)


def events(first: int, last: int, *, stream: int = 1) -> list[Numbered]:
    told = Told(name="seat.left", body={})
    return [
        Numbered(seq=seq, stream=stream, now_ms=seq, told=told) for seq in range(first, last + 1)
    ]


def heard(watcher: Watcher) -> list[tuple[str, int, int]]:
    return [(frame["t"], frame["stream"], frame["seq"]) for frame in watcher.frames]


def watching() -> tuple[Audience, Watcher]:
    """An audience that was told numbers 1 to 5, with somebody who has heard them."""
    audience, watcher = Audience(), Watcher(None)
    audience.catch_up(at(5), events(1, 5), 0)
    audience.watch(at(5), watcher, (5, 1), 0)
    return audience, watcher


@pytest.mark.parametrize("first", [1, 4, 6])
def test_what_goes_on_is_told_from_where_it_was_left(first: int) -> None:
    audience, watcher = watching()
    audience.catch_up(at(7), events(first, 7), 0)
    assert heard(watcher) == [("event", 1, 6), ("event", 1, 7)]


def test_nothing_new_is_nothing_to_tell() -> None:
    audience, watcher = watching()
    audience.catch_up(at(5), events(1, 5), 0)
    audience.catch_up(at(5), [], 0)
    assert heard(watcher) == []


@pytest.mark.parametrize(
    ("first", "last", "stream"), [(7, 9, 1), (1, 9, 2), (1, 3, 1)], ids=["gap", "stream", "back"]
)
def test_what_does_not_go_on_begins_with_a_snapshot(first: int, last: int, stream: int) -> None:
    audience, watcher = watching()
    audience.catch_up(at(last, stream=stream), events(first, last, stream=stream), 0)
    assert heard(watcher) == [("snapshot", stream, last)]
    after = at(last + 1, stream=stream)
    audience.publish(after, events(last + 1, last + 1, stream=stream))
    assert heard(watcher)[1:] == [("event", stream, last + 1)]
    late = Watcher(None)
    audience.watch(after, late, (first, stream), 0)
    assert heard(late) == [("event", stream, seq) for seq in range(first + 1, last + 2)]
