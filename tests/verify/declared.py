"""A house whose players play to win and never drop: its hand ends by a right declare."""

from typing import Any

from server.bots.rummy import Sight, choose
from server.cards.game import Seat
from server.games.rummy.moves import Draw
from tests.verify.house import House


class DeclaredHouse(House):
    """A hand by the bots' policy, from a fixed seed. Shape: as `Promises`."""

    def move(self, state: Any, seat: Seat) -> tuple[Seat, Any]:
        move = choose(_sight_of(state, seat), self.chance, is_careless=True)
        if move == Draw("open") and move not in self.game.legal_moves(state, seat):
            return seat, Draw("closed")
        return seat, move


def _sight_of(state: Any, seat: Seat) -> Sight:
    player = state.player(seat)
    return Sight(
        hand=player.cards,
        known=player.known,
        wild_rank=state.wild_rank,
        open_top=state.open_pile[-1] if state.open_pile else None,
        may_take_joker=state.options.open_joker_pick,
        refused=state.drawn.card if state.drawn and state.drawn.source == "open" else None,
        has_drawn=state.drawn is not None,
        draws=0,
    )
