"""Lies that everything after them is honest about: they are signed and logged over."""

from collections.abc import Callable
from typing import Any

from tests.verify.house import House
from tests.verify.promises import FORGED, OTHER


def change(value: Any) -> Any:
    return OTHER


def first_of_pair(values: Any) -> Any:
    return [OTHER, *values[1:]]


def this_attempt(values: Any) -> Any:
    return [values[0], OTHER, *values[2:]]


def swapped(numbers: Any) -> Any:
    return (numbers[1], numbers[0], *numbers[2:])


def next_position(line: str) -> str:
    place = line.rpartition(".")
    return f"{place[0]}.{int(place[2]) + 1}"


def other_card(line: str) -> str:
    """Discard what the seat can't hold: the card that lies turned up."""
    return line.replace(line.split()[-1], "QH#1")


def more(rows: Any) -> Any:
    """Take a micro-HT from the first seat that pays nothing beside it."""
    seat, points, amount = rows[0]
    return [(seat, points, amount - 1), *rows[1:]]


def more_points(rows: Any) -> Any:
    seat, points, amount = rows[0]
    return [(seat, points + 1, amount), *rows[1:]]


def of_this_attempt(_: Any) -> Any:
    return House().chain_of(0)[0]


def changed_end(entry: bytes) -> bytes:
    return entry[:-1] + bytes([entry[-1] ^ 1])


CROOKED: list[tuple[int, str, Callable[[Any], Any]]] = [
    (2, "commits", this_attempt),
    (2, "open entry", changed_end),
    (2, "open sig", lambda _: FORGED),
    (2, "open sig", lambda _: None),
    (2, "log_root", change),
    (3, "commit 1", change),
    (4, "void x", of_this_attempt),
    (4, "x0 1", lambda _: None),
    (7, "R0", change),
    (7, "R1", change),
    (8, "n0", lambda n: n - 1),
    (8, "n1", lambda n: n + 1),
    (8, "spec", change),
    (9, "deal0 entry", changed_end),
    (9, "deal1 entry", changed_end),
    (10, "void entry", changed_end),
    (10, "close entry", changed_end),
    (10, "close sig", lambda _: FORGED),
    (12, "line 1", next_position),
    (14, "x1 1", change),
    (15, "D", swapped),
    (16, "S", change),
    (16, "unused 3", change),
    (16, "void S", change),
    (16, "commits", first_of_pair),
    (17, "listed dealer", lambda _: 3),
    (17, "rules", lambda _: "2"),
    (18, "line 2", other_card),
    (18, "T 3", change),
    (18, "result", more),
    (18, "result", more_points),
    (18, "result_hash", change),
]
