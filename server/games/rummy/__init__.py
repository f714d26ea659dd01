"""Thirteen-card rummy for house tokens, the main game.

Owns:     the rules of rules.md: the turn, the groups, the count, the clock's moves.
Promises: pure functions over a frozen `State`; cards leave it by `view` and by events alone; every
          card of the pack is in exactly one place after each move.
Imports:  `server.cards` and the standard library.
"""

from server.cards.game import Direction, Game, Notation, Seat
from server.cards.pack import Pack
from server.games.rummy import notation, play, view
from server.games.rummy.events import EVENT_TYPES
from server.games.rummy.moves import MOVE_TYPES, Move
from server.games.rummy.options import PACKS, SEATS, Options
from server.games.rummy.scoring import WORST_HAND
from server.games.rummy.state import State


class Rummy:
    """The game as a table knows it (`server.cards.game.Game`)."""

    name = "rummy"
    rules_version = "1"
    seats: tuple[int, ...] = SEATS
    direction = Direction.CLOCKWISE
    options_type = Options
    move_types = MOVE_TYPES
    event_types = EVENT_TYPES
    view_type = view.RummyView
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
        """Say which cards the table uses: more packs for eight seats."""
        return PACKS[options.seats]

    @staticmethod
    def stake_points(options: Options) -> int | None:
        """Say what the dearest hand costs; it has no cap, and thirteen cards are 130 at most."""
        return WORST_HAND

    @staticmethod
    def clock_ms(state: State, seat: Seat) -> int:
        """Say how long a turn may take."""
        return state.options.turn_ms


GAME: Game[State, Options, Move] = Rummy()
