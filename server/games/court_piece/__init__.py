"""Court Piece, Single Sar: two teams, trump from the first five cards, seven tricks or a court.

Owns:     the rules of rules.md: who chooses trump, the tricks, courts and runs, the next dealer.
Promises: pure functions over a frozen `State`; cards leave it by `view` and by events alone; every
          card of the pack is in exactly one place after each move; nobody is given a card of the
          second batch before trump is fixed.
Imports:  `server.cards` and the standard library.
"""

from typing import Final

from server.cards.game import Direction, Game, Notation, Seat
from server.cards.pack import Pack
from server.games.court_piece import legality, notation, play, view
from server.games.court_piece.events import EVENT_TYPES
from server.games.court_piece.moves import MOVE_TYPES, Move
from server.games.court_piece.options import Options
from server.games.court_piece.state import State

TRUMP_MS: Final = 20_000
NOVICE_TRUMP_MS: Final = 10_000
"""How long trump may be chosen; the second for a player's very first match. Source: rules.md 3."""


class CourtPiece:
    """The game as a table knows it (`server.cards.game.Game`)."""

    name = "court_piece"
    rules_version = "1"
    seats: tuple[int, ...] = (4,)
    direction = Direction.COUNTER_CLOCKWISE
    options_type = Options
    move_types = MOVE_TYPES
    event_types = EVENT_TYPES
    view_type = view.CourtPieceView
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
        """Say how long a decision may take: the choice of trump has a clock of its own."""
        if state.phase != "trump":
            return state.options.turn_ms
        return NOVICE_TRUMP_MS if seat in state.novices and not state.has_passed else TRUMP_MS


GAME: Game[State, Options, Move] = CourtPiece()
