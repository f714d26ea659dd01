"""A house that deals a hand of any free game, played at random, the clock and leavers included."""

from dataclasses import dataclass
from typing import Any

from server.cards.game import Left, Returned, Seat, TimedOut
from server.fairness.record import RecordSettlement
from server.games import GAMES
from tests.verify.house import House

FREE = sorted(
    name for name, game in GAMES.items() if game.stake_points(game.options_type()) is None
)


@dataclass
class FreeHouse(House):
    """A hand of `name` at its smallest table, every seat filled. Shape: as `Promises`."""

    name: str = FREE[0]
    keyless: frozenset[int] = frozenset({2})
    absent: frozenset[int] = frozenset({1})

    def __post_init__(self) -> None:
        self.game = GAMES[self.name]
        self.size = min(self.game.seats)
        self.players = tuple(range(self.size))
        super().__post_init__()

    def options_of(self) -> Any:
        return self.game.options_type(seats=self.size)

    def move(self, state: Any, seat: Seat) -> tuple[Seat, Any]:
        roll = self.chance.random()
        if roll < 0.03:
            return Seat(0), Left(Seat(0)) if self.is_there(state) else Returned(Seat(0))
        if roll < 0.15:
            return seat, TimedOut(seat)
        return seat, self.chance.choice(list(self.game.legal_moves(state, seat)))

    def is_there(self, state: Any) -> bool:
        """Tell whether seat 0, a person's, is played by its owner."""
        view = self.game.view(state, None)
        return not any(row.seat == 0 and row.handed_over for row in view.seats)

    def settlement(self) -> tuple[RecordSettlement, dict[int, int]]:
        assert self.scored is not None
        winner = None if self.scored.winner is None else int(self.scored.winner)
        free = RecordSettlement(
            rate=0, commission_bps=0, gross=0, commission=0, winner=winner, journal=None
        )
        return free, dict.fromkeys(self.players, 0)


def second_hand(name: str, number: int) -> FreeHouse:
    """Make a house that deals the second hand of a match, with what the first has brought."""
    first = FreeHouse(name=name, number=number)
    first.play()
    assert first.scored is not None
    carry = first.scored.carry
    assert carry.dealer is not None
    return FreeHouse(name=name, number=number + 1, dealer=int(carry.dealer), memo=carry.memo)
