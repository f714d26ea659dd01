"""Naming what went wrong and where, without the values that were at hand: they may hold cards."""

import sys
import traceback

from sqlalchemy.exc import DBAPIError

from server.logs import at_table
from server.tables.state import TableState

FRAMES_MAX = 3


def where() -> str:
    """Write where the exception in hand was raised, without its message."""
    kind, _, trace = sys.exc_info()
    lines = traceback.format_tb(trace)[-FRAMES_MAX:]
    return f"{kind.__name__ if kind else 'fault'} at {''.join(lines).strip()}"


def place_of(state: TableState) -> dict[str, object]:
    """Say for the log where a table is: its id, the open hand and its last number."""
    hand = None if state.opened is None else state.opened.hand_id
    return at_table(state.table, hand=hand, seq=state.seq)


def name_of(error: BaseException) -> str:
    """Name an error without its statement and the statement's values."""
    origin = error.orig if isinstance(error, DBAPIError) and error.orig else error
    return type(origin).__name__
