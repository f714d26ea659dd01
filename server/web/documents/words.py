"""What only a game can say: its options, moves, events and views, and the list of refusals.

Each stands here as an empty place; `schemas.py` fills it from the games and from the list.
"""

from typing import Any

from pydantic import RootModel


class GameOptions(RootModel[dict[str, Any]]):
    """The options of a table, as its game has them."""


class GameMove(RootModel[dict[str, Any]]):
    """A move of the table's game."""


class GameEvent(RootModel[dict[str, Any]]):
    """An event of the table's game."""


class GameView(RootModel[dict[str, Any]]):
    """What a seat, or a spectator, may see of the hand in play."""


class RefusalCode(RootModel[str]):
    """Why a request is refused: the closed list, with what to tell people."""
