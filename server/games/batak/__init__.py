"""Batak with an auction: four players, each alone, eight deals.

Owns:     the rules of rules.md: the auction, the duties of a trick, the count.
Promises: pure functions over a frozen `State`; cards leave it by `view` and by events alone; every
          card of the pack is in exactly one place after each move.
Imports:  `server.cards` and the standard library.
"""

from server.cards.game import Direction, Game, Notation, Seat
from server.cards.pack import Pack
from server.games.batak import legality, notation, play, view
from server.games.batak.events import EVENT_TYPES
from server.games.batak.moves import MOVE_TYPES, Move
from server.games.batak.options import Options
from server.games.batak.state import State


class Batak:
    """The game as a table knows it (`server.cards.game.Game`)."""

    name = "batak"
    rules_version = "1"
    seats: tuple[int, ...] = (4,)
    direction = Direction.COUNTER_CLOCKWISE
    options_type = Options
    move_types = MOVE_TYPES
    event_types = EVENT_TYPES
    view_type = view.BatakView
    notation: Notation = notation

    start = staticmethod(play.start)
    draws = staticmethod(play.draws)
    to_act = staticmethod(play.to_act)
    undealt = staticmethod(play.undealt)
    legal_moves = staticmethod(legality.legal_moves)
    apply = staticmethod(play.apply)
    view = staticmethod(view.view)

    @staticmethod
    def pack(options: Options) -> Pack:
        """Say which cards are used: one pack of 52."""
        return play.PACK

    @staticmethod
    def stake_points(options: Options) -> int | None:
        """No tokens move."""
        return None

    @staticmethod
    def clock_ms(state: State, seat: Seat) -> int:
        """Say how long a decision may take."""
        return state.options.turn_ms


GAME: Game[State, Options, Move] = Batak()
