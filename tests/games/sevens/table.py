"""A hand that a test plays: holdings as text, moves as lines, what happened as lines."""

from collections.abc import Sequence
from typing import Any

from server.cards.card import Card
from server.cards.game import (
    DEALER,
    AnyGame,
    Carry,
    Deal,
    Event,
    Left,
    Returned,
    Scored,
    Seat,
    SeatInfo,
    SeatKind,
    Step,
    TimedOut,
)
from server.games.sevens import BADAM_SATTI, SEVENS
from server.games.sevens.options import PACK, BadamSattiOptions, Options, SevensOptions
from server.games.sevens.state import State


def order_of(hands: Sequence[str], dealer: int) -> tuple[Card, ...]:
    """Order the pack so that these holdings are dealt; cards not named fill what is missing."""
    size = len(hands)
    left = [card for card in PACK.cards if card not in " ".join(hands).split()]
    wanted = [[Card(card) for card in hand.split()] for hand in hands]
    seats = [(dealer + 1 + position) % size for position in range(PACK.size)]
    for seat, hand in enumerate(wanted):
        missing = seats.count(seat) - len(hand)
        assert missing >= 0, f"seat {seat} is dealt {seats.count(seat)} cards"
        hand += [left.pop(0) for _ in range(missing)]
    return tuple(wanted[seat].pop(0) for seat in seats)


class Table:
    """One hand of Badam Satti, or of Sevens if the options are; `events` are the last step's."""

    def __init__(
        self,
        hands: Sequence[str] = (),
        *,
        dealer: int = 0,
        memo: str = "",
        options: Options | None = None,
        bots: Sequence[int] = (),
    ) -> None:
        self.options = options or BadamSattiOptions(seats=max(3, len(hands)))
        self.game: AnyGame = SEVENS if isinstance(self.options, SevensOptions) else BADAM_SATTI
        size = self.options.seats
        seats = tuple(
            SeatInfo(Seat(seat), SeatKind.BOT if seat in bots else SeatKind.HUMAN)
            for seat in range(size)
        )
        self.state: State = self.game.start(self.options, seats, Carry(Seat(dealer), memo))
        self.lines: list[str] = []
        self.events: tuple[Event, ...] = ()
        filled = [*hands, *[""] * (size - len(hands))]
        self.move(DEALER, Deal(order_of(filled, dealer)))

    def say(self, *lines: str) -> "Table":
        """Play journal lines: `2 play 7H`, `2 pass`, `auto 2`, `2 leave`, `2 back`."""
        for line in lines:
            self.move(*self.game.notation.read(line))
        return self

    def turns(self, cards: str) -> "Table":
        """Play turn after turn: a card each, `-` for a pass, `*` for the clock."""
        for word in cards.split():
            said = {"-": "pass", "*": ""}.get(word, f"play {word}")
            self.say(f"{self.acting} {said}" if said else f"auto {self.acting}")
        return self

    def move(self, seat: Seat, move: Any) -> "Table":
        """Play any move."""
        step: Step[State] = self.game.apply(self.state, seat, move)
        self.state, self.events = step.state, step.events
        lines = [self.game.notation.line_of(event) for event in step.events]
        self.lines += [line for line in lines if line is not None]
        return self

    def time_out(self, seat: int) -> "Table":
        return self.move(Seat(seat), TimedOut(Seat(seat)))

    def leave(self, seat: int) -> "Table":
        return self.move(Seat(seat), Left(Seat(seat)))

    def back(self, seat: int) -> "Table":
        return self.move(Seat(seat), Returned(Seat(seat)))

    def held(self, seat: int) -> tuple[Card, ...]:
        return self.state.player(Seat(seat)).cards

    def may_play(self) -> set[str]:
        """List what the seat in turn may do: cards, or `pass`."""
        moves = self.game.legal_moves(self.state, Seat(self.acting))
        return {getattr(move, "card", "pass") for move in moves}

    @property
    def acting(self) -> int:
        assert self.state.acting is not None
        return self.state.acting

    @property
    def scored(self) -> Scored:
        assert self.state.scored is not None
        return self.state.scored

    @property
    def points(self) -> dict[int, int]:
        """List the result by seat."""
        return {int(seat): points for seat, points in self.scored.points}

    def names(self) -> list[str]:
        """Name what happened in the last step."""
        return [event.name for event in self.events]

    def event(self, name: str) -> Any:
        """Find the only event of that name in the last step."""
        (found,) = (event for event in self.events if event.name == name)
        return found
