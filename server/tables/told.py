"""What a table tells: an event, who may see it, and the frame that each viewer gets."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any

from server.cards.game import Event
from server.cards.pack import Pack
from server.database import PlayerId, TableId
from server.fairness.shoe import Opening
from server.tables.state import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Openings of cards that `to` may see from now on; None is everybody."""

    to: frozenset[PlayerId] | None
    openings: tuple[Mapping[str, object], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One event of the table, before it has its number.

    Addressed to players, not to seats: who takes a seat later sees nothing of its past.
    """

    name: str
    body: Mapping[str, object]
    to: frozenset[PlayerId] | None = None
    shown: tuple[Shown, ...] = ()
    line: Line | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbered:
    """An event with its place in the table's numbering."""

    seq: int
    stream: int
    now_ms: int
    told: Told


def sees(to: frozenset[PlayerId] | None, viewer: PlayerId | None) -> bool:
    """Tell whether a viewer is among those who may see something; None is everybody."""
    return to is None or viewer in to


def frame_of(table: TableId, event: Numbered, viewer: PlayerId | None) -> dict[str, object]:
    """Build the frame that one viewer gets: the only way an event leaves the table.

    Shape: `d` is None for a viewer who may not see the event; the numbering stays dense.
    """
    told = event.told
    frame: dict[str, object] = {
        "t": "event",
        "table": str(table),
        "seq": event.seq,
        "stream": event.stream,
        "now": event.now_ms,
        "d": None,
    }
    if told.line is not None:
        frame["T"] = told.line.value.hex()
        frame["sig"] = told.line.sig.hex()
    if sees(told.to, viewer):
        frame["d"] = _body_for(told, viewer)
    return frame


def _body_for(told: Told, viewer: PlayerId | None) -> dict[str, object]:
    body: dict[str, object] = {"e": told.name, **told.body}
    if told.line is not None:
        body["k"] = told.line.k
        body["line"] = told.line.line
    openings = [
        opening for shown in told.shown if sees(shown.to, viewer) for opening in shown.openings
    ]
    if openings:
        body["openings"] = openings
    return body


def opening_body(opening: Opening, pack: Pack) -> dict[str, object]:
    """Write an opening for the wire: where the card lay, its face, and its proof."""
    return {
        "epoch": opening.epoch,
        "position": opening.position,
        "card": pack.card_of(opening.number),
        "salt": opening.salt.hex(),
        "path": [node.hex() for node in opening.path],
    }


def event_body(event: Event) -> dict[str, object]:
    """Write a game's event for the wire: its fields but `to`."""
    return {f.name: plain(getattr(event, f.name)) for f in fields(event) if f.name != "to"}


def plain(value: Any) -> Any:
    """Turn a frozen value of a game into what JSON can hold; bytes become hex."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, frozenset | set):
        return sorted(plain(item) for item in value)
    return value
