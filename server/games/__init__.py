"""The games, one folder for each.

Owns:     `GAMES`, the only list of games; each folder owns its rules.
Promises: pure functions; a game is known to all other floors by `server.cards.game.Game` alone.
Imports:  `server.cards` and the standard library, so that the verifier runs where nothing is
          installed.
"""

from collections.abc import Mapping

from server.cards.game import AnyGame
from server.games import batak, court_piece, rummy, seep, sevens

_ALL = (
    rummy.GAME,
    seep.GAME,
    court_piece.GAME,
    batak.GAME,
    sevens.BADAM_SATTI,
    sevens.SEVENS,
)

GAMES: Mapping[str, AnyGame] = {game.name: game for game in _ALL}
"""Every game by its name."""
