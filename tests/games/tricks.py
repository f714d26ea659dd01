"""A table of a game of tricks for tests: cards laid as a test wants them, moves one by one."""

from collections.abc import Sequence
from typing import Any, Self

from server.cards.card import Card
from server.cards.game import (
    DEALER,
    AnyGame,
    Carry,
    Deal,
    Event,
    IllegalMove,
    Left,
    Returned,
    Seat,
    SeatInfo,
    SeatKind,
    TimedOut,
)
from server.cards.pack import Pack
from server.cards.tricks import SEATS, seats_from


def cards(text: str) -> tuple[Card, ...]:
    """Read cards from text: `7H 8H`."""
    return tuple(Card(card) for card in text.split())


def humans(matches_played: int = 0) -> tuple[SeatInfo, ...]:
    """List four seats with people."""
    return tuple(SeatInfo(Seat(seat), SeatKind.HUMAN, matches_played) for seat in range(SEATS))


def order_of(
    hands: Sequence[Sequence[Card]], dealer: int, batches: Sequence[int]
) -> tuple[Card, ...]:
    """Order the pack so that the seats get these hands, `batches` cards at a time."""
    seats = seats_from(Seat((dealer + 1) % SEATS))
    order: list[Card] = []
    done = 0
    for size in batches:
        for seat in seats:
            order += hands[seat][done : done + size]
        done += size
    return tuple(order)


def filled(hands: Sequence[str], sizes: int = 13) -> list[tuple[Card, ...]]:
    """Complete hands to thirteen cards each with what is left of the pack, in its order."""
    chosen = [list(cards(hand)) for hand in hands] + [[] for _ in range(SEATS - len(hands))]
    taken = {card for hand in chosen for card in hand}
    left = [card for card in Pack(1, 0).cards if card not in taken]
    for hand in chosen:
        while len(hand) < sizes:
            hand.append(left.pop(0))
    return [tuple(hand) for hand in chosen]


class Table:
    """One hand of `game`; `events` are those of the last step, `lines` the whole transcript."""

    def __init__(
        self,
        game: AnyGame,
        options: Any,
        *,
        carry: Carry,
        seats: tuple[SeatInfo, ...] | None = None,
    ) -> None:
        self.game = game
        self.lines: list[str] = []
        self.events: tuple[Event, ...] = ()
        self.state: Any = game.start(options, seats or humans(), carry)

    def deal(self, order: Sequence[Card], draws: tuple[int, ...] = ()) -> Self:
        return self.move(DEALER, Deal(tuple(order), draws))

    def move(self, seat: Seat, move: Any) -> Self:
        """Play any move."""
        step = self.game.apply(self.state, seat, move)
        self.state, self.events = step.state, step.events
        lines = [self.game.notation.line_of(event) for event in step.events]
        self.lines += [line for line in lines if line is not None]
        return self

    def say(self, *lines: str) -> Self:
        """Play journal lines."""
        for line in lines:
            seat, move = self.game.notation.read(line)
            self.move(seat, move)
        return self

    def play(self, leader: int, text: str) -> Self:
        """Play cards in turn from a seat on, as far as they go."""
        for offset, card in enumerate(text.split()):
            self.say(f"{(leader + offset) % SEATS} play {card}")
        return self

    def time_out(self, seat: int) -> Self:
        return self.move(Seat(seat), TimedOut(Seat(seat)))

    def leave(self, seat: int) -> Self:
        return self.move(Seat(seat), Left(Seat(seat)))

    def back(self, seat: int) -> Self:
        return self.move(Seat(seat), Returned(Seat(seat)))

    def event(self, name: str) -> Any:
        """Find the only event of that name in the last step."""
        (found,) = (event for event in self.events if event.name == name)
        return found

    @property
    def points(self) -> tuple[int, ...]:
        """List the result by seat."""
        return tuple(points for _, points in self.state.scored.points)


def refusal_of(table: Table, seat: int, move: Any) -> str | None:
    """Try a move on the table as it is: the code of its refusal, or None; the table stays so."""
    before = table.state
    try:
        table.game.apply(before, Seat(seat), move)
    except IllegalMove as refused:
        assert table.state == before
        return refused.code
    return None
