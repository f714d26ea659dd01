"""Badam Satti and British Sevens: one folder, for the lines are built by the same rules.

Owns:     the rules of rules.md: the lines, the pass, penalty points and chips, the match.
Promises: pure functions over a frozen `State`; cards leave it by `view` and by events alone; every
          card of the pack is in exactly one place after each move.
Imports:  `server.cards` and the standard library.
"""

from server.cards.game import Direction, Game, Notation, Seat
from server.cards.pack import Pack
from server.games.sevens import notation, play, view
from server.games.sevens.events import EVENT_TYPES
from server.games.sevens.moves import MOVE_TYPES, Move
from server.games.sevens.options import PACK, SEATS, BadamSattiOptions, Options, SevensOptions
from server.games.sevens.state import State


class _Lines:
    """What both games promise to a table (`server.cards.game.Game`)."""

    rules_version = "1"
    seats: tuple[int, ...] = SEATS
    direction = Direction.CLOCKWISE
    move_types = MOVE_TYPES
    event_types = EVENT_TYPES
    view_type = view.SevensView
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
        """Say which cards are used: one pack without jokers."""
        return PACK

    @staticmethod
    def stake_points(options: Options) -> int | None:
        """Say that the table is free."""
        return None

    @staticmethod
    def clock_ms(state: State, seat: Seat) -> int:
        """Say how long a turn may take."""
        return state.options.turn_ms


class BadamSatti(_Lines):
    """Badam Satti: the seven of hearts opens, cards left are penalty points."""

    name = "badam_satti"
    options_type: type[Options] = BadamSattiOptions


class Sevens(_Lines):
    """British Sevens: the seven of diamonds opens, a hand is played for chips."""

    name = "sevens"
    options_type: type[Options] = SevensOptions


BADAM_SATTI: Game[State, Options, Move] = BadamSatti()
SEVENS: Game[State, Options, Move] = Sevens()
