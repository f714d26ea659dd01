"""Seep for two pairs: houses, captures, and a hundred points in every deal.

Owns:     the rules of rules.md: bid, play, houses, seep, the count, the clock's moves, the match.
Promises: pure functions over a frozen `State`; cards leave it by `view` and by events alone; every
          card that was dealt is in exactly one place after each move. `Scored.points` are each
          seat's pair's in this deal; `winner` is the lower seat of the pair that won the match
          (`winners` are both), else of the pair with more points in the deal, None if they are
          level or it is dealt anew.
Imports:  `server.cards` and the standard library.
"""

from server.cards.game import Direction, Game, Notation, Seat
from server.cards.pack import Pack
from server.games.seep import notation, play, view
from server.games.seep.events import EVENT_TYPES
from server.games.seep.moves import MOVE_TYPES, Move
from server.games.seep.options import PACK, SEATS, Options
from server.games.seep.state import State


class Seep:
    """The game as a table knows it (`server.cards.game.Game`)."""

    name = "seep"
    rules_version = "1"
    seats: tuple[int, ...] = (SEATS,)
    direction = Direction.COUNTER_CLOCKWISE
    options_type = Options
    move_types = MOVE_TYPES
    event_types = EVENT_TYPES
    view_type = view.SeepView
    notation: Notation = notation

    start = staticmethod(play.start)
    draws = staticmethod(play.draws)
    to_act = staticmethod(play.to_act)
    undealt = staticmethod(play.undealt)
    legal_moves = staticmethod(play.legal_moves)
    apply = staticmethod(play.apply)
    view = staticmethod(view.view)

    @staticmethod
    def pack(options: Options) -> Pack:
        """Say which cards the table uses: one pack."""
        return PACK

    @staticmethod
    def stake_points(options: Options) -> int | None:
        """Say what the dearest hand costs: nothing moves at a free table."""
        return None

    @staticmethod
    def clock_ms(state: State, seat: Seat) -> int:
        """Say how long a bid or a play may take."""
        return state.options.turn_ms


GAME: Game[State, Options, Move] = Seep()
