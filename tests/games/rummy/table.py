"""A table of rummy for tests: cards laid as a test wants them, moves played one by one."""

from collections.abc import Sequence

from server.cards.card import Card, face_of
from server.cards.game import (
    DEALER,
    Carry,
    Deal,
    Event,
    Left,
    Seat,
    SeatInfo,
    SeatKind,
    Step,
    TimedOut,
)
from server.games.rummy import GAME
from server.games.rummy.moves import Declare, Discard, Draw, Drop, Move
from server.games.rummy.options import PACKS, Options
from server.games.rummy.state import State

COMPLETE = "2S 3S 4S 6H 7H 8H TD JD QD 9S 9H 9D 9C"
"""Three pure runs and a set of four; complete whatever is wild."""

BROKEN = "AS 3S 5S 7S 9S JS KS 2H 4H 6H 8H TH QH"
BROKEN_TOO = "AD 3D 5D 7D 9D JD KD 2C 4C 6C 8C TC QC"
"""No two neighbours: nothing but loose cards, 94 points when nothing of it is wild."""


class Stock:
    """The cards of a pack, taken by face: a repeated face is the copy from another pack."""

    def __init__(self, options: Options) -> None:
        self.left = list(PACKS[options.seats].cards)

    def take(self, text: str) -> Card:
        """Take the first copy that is left, or exactly the one that `text` names with `#d`."""
        card = next(card for card in self.left if text in (card, face_of(card)))
        self.left.remove(card)
        return card


class Table:
    """One hand; `events` are those of the last step, `lines` the whole transcript."""

    def __init__(
        self,
        hands: Sequence[str] = (),
        *,
        seats: Sequence[int] = (0, 1, 2, 3),
        first: int = 0,
        turned: str = "5C",
        opened: str = "KD",
        closed: str = "",
        options: Options | None = None,
    ) -> None:
        self.options = options or Options(seats=4)
        self.lines: list[str] = []
        stock = Stock(self.options)
        fixed = [stock.take(turned), stock.take(opened)]
        chosen = [[stock.take(text) for text in hand.split()] for hand in hands]
        top = [stock.take(text) for text in closed.split()]
        while len(chosen) < len(seats):
            chosen.append([stock.left.pop(0) for _ in range(13)])
        begin = list(seats).index(first)
        playing = chosen[begin:] + chosen[:begin]
        dealt = [playing[p % len(seats)][p // len(seats)] for p in range(13 * len(seats))]
        infos = tuple(SeatInfo(Seat(seat), SeatKind.HUMAN) for seat in seats)
        self.state = GAME.start(self.options, infos, Carry(dealer=Seat(first)))
        self.events: tuple[Event, ...] = ()
        self.shuffle(tuple(dealt + fixed + top + stock.left))

    def shuffle(self, order: Sequence[Card] | None = None) -> "Table":
        """Play for the dealer; the order is the cards as they lie if none is given."""
        return self.move(DEALER, Deal(tuple(order or GAME.undealt(self.state))))

    def play(self, seat: int, move: Move) -> "Table":
        """Play a seat's move."""
        return self.move(Seat(seat), move)

    def draw(self, seat: int, source: str = "closed") -> "Table":
        return self.play(seat, Draw("open" if source == "open" else "closed"))

    def discard(self, seat: int, card: str | None = None) -> "Table":
        """Discard a card, or the one just drawn."""
        return self.play(seat, Discard(Card(card or self.held(seat)[-1])))

    def turn(self, seat: int) -> "Table":
        """Draw closed and discard that card."""
        return self.draw(seat).discard(seat)

    def declare(self, seat: int, finish: str | None = None) -> "Table":
        """Declare with a finish card, or the one just drawn."""
        return self.play(seat, Declare(Card(finish or self.held(seat)[-1])))

    def drop(self, seat: int) -> "Table":
        return self.play(seat, Drop())

    def leave(self, seat: int) -> "Table":
        return self.move(Seat(seat), Left(Seat(seat)))

    def time_out(self, seat: int) -> "Table":
        return self.move(Seat(seat), TimedOut(Seat(seat)))

    def held(self, seat: int) -> tuple[Card, ...]:
        return self.state.player(Seat(seat)).cards

    @property
    def acting(self) -> int | None:
        return self.state.acting

    @property
    def points(self) -> dict[int, int]:
        """List the result by seat."""
        assert self.state.scored is not None
        return {int(seat): points for seat, points in self.state.scored.points}

    def event(self, name: str) -> Event:
        """Find the only event of that name in the last step."""
        (found,) = (event for event in self.events if event.name == name)
        return found

    def move(self, seat: Seat, move: Move | Deal | TimedOut | Left) -> "Table":
        """Play any move; `lines` and `events` tell what happened."""
        step: Step[State] = GAME.apply(self.state, seat, move)
        self.state, self.events = step.state, step.events
        lines = [GAME.notation.line_of(event) for event in step.events]
        self.lines += [line for line in lines if line is not None]
        return self
