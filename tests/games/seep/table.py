"""A table of Seep for tests: cards laid as a test wants them, moves played one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from server.cards.card import Card
from server.cards.game import (
    DEALER,
    Carry,
    Deal,
    Event,
    Left,
    Returned,
    Seat,
    SeatInfo,
    SeatKind,
    Step,
    TimedOut,
)
from server.games.seep import GAME
from server.games.seep.captures import Floor, House
from server.games.seep.moves import Bid, Build, Move, Raise, Take, Throw
from server.games.seep.options import PACK, Options
from server.games.seep.play import FLOOR_POSITIONS, rest_of
from server.games.seep.state import State

HUMANS = tuple(SeatInfo(Seat(seat), SeatKind.HUMAN) for seat in range(4))


def cards(text: str) -> tuple[Card, ...]:
    """Read cards with blanks or commas between them."""
    return tuple(Card(word) for word in text.replace(",", " ").split())


def house(value: int, text: str, *owners: int) -> House:
    """Make a house of cards and owners."""
    return House(value, cards(text), tuple(Seat(owner) for owner in owners))


def order_of(hands: Mapping[int, str], floor: str, dealer: int) -> tuple[Card, ...]:
    """Order the pack so that the seats get these hands, the bidder's first four first.

    Cards that are not named are dealt in the pack's order.
    """
    bidder = Seat((dealer + 1) % 4)
    named = [card for text in (*hands.values(), floor) for card in cards(text)]
    assert len(set(named)) == len(named), named
    left = [card for card in PACK.cards if card not in named]
    order: list[Card] = [Card("")] * PACK.size
    places: dict[Seat, tuple[int, ...]] = {bidder: tuple(range(4)), DEALER: FLOOR_POSITIONS}
    for seat, positions in rest_of(bidder).items():
        places[seat] = (*places.get(seat, ()), *positions)
    for seat, positions in places.items():
        own = list(cards(floor if seat == DEALER else hands.get(seat, "")))
        while len(own) < len(positions):
            own.append(left.pop(0))
        for position, card in zip(positions, own, strict=True):
            order[position] = card
    return tuple(order)


class Table:
    """One hand; `events` are those of the last step, `lines` the whole transcript."""

    def __init__(
        self,
        hands: Mapping[int, str] | None = None,
        floor: str = "",
        *,
        dealer: int = 3,
        options: Options | None = None,
        memo: str = "",
        infos: Sequence[SeatInfo] = HUMANS,
    ) -> None:
        self.options = options or Options()
        self.lines: list[str] = []
        self.events: tuple[Event, ...] = ()
        carry = Carry(dealer=Seat(dealer), memo=memo)
        self.state = GAME.start(self.options, tuple(infos), carry)
        self.move(DEALER, Deal(order_of(hands or {}, floor, dealer)))

    @classmethod
    def midway(
        cls,
        hands: Mapping[int, str],
        loose: str = "",
        houses: Sequence[House] = (),
        *,
        acting: int = 0,
        plays: int = 20,
        bid: int = 9,
        taken: str = "",
        options: Options | None = None,
        memo: str = "",
        dealer: int = 3,
    ) -> "Table":
        """Make a table in the middle of a deal.

        Seats 0 and 2 have taken `taken`, seats 1 and 3 all that is not named.
        """
        table = cls({(dealer + 1) % 4: "KS"}, dealer=dealer, options=options, memo=memo)
        floor = Floor(cards(loose), tuple(houses))
        held = {seat: cards(hands.get(seat, "")) for seat in range(4)}
        first = cards(taken)
        named = [*floor.cards, *(card for own in held.values() for card in own), *first]
        assert len(set(named)) == len(named), named
        rest = tuple(card for card in PACK.cards if card not in named)
        state: State = table.state
        for seat, own in held.items():
            state = state.with_player(Seat(seat), cards=own)
        table.state = replace(
            state,
            bid=bid,
            acting=Seat(acting),
            floor=floor,
            taken=(first, rest),
            plays=plays,
            last_taker=1,
        )
        assert table.state.is_whole()
        table.lines.clear()
        return table

    def bid(self, seat: int, value: int) -> "Table":
        return self.move(Seat(seat), Bid(value))

    def throw(self, seat: int, card: str) -> "Table":
        return self.move(Seat(seat), Throw(Card(card)))

    def take(self, seat: int, card: str, named: str | None = None) -> "Table":
        return self.move(Seat(seat), Take(Card(card), _named(named)))

    def build(self, seat: int, value: int, card: str, named: str | None = None) -> "Table":
        return self.move(Seat(seat), Build(value, Card(card), _named(named)))

    def raise_(self, seat: int, value: int, card: str, named: str | None = None) -> "Table":
        return self.move(Seat(seat), Raise(value, Card(card), _named(named)))

    def leave(self, seat: int) -> "Table":
        return self.move(Seat(seat), Left(Seat(seat)))

    def back(self, seat: int) -> "Table":
        return self.move(Seat(seat), Returned(Seat(seat)))

    def time_out(self, seat: int | None = None) -> "Table":
        acting = Seat(self.acting if seat is None else seat)
        return self.move(acting, TimedOut(acting))

    def move(self, seat: Seat, move: Move | Deal | TimedOut | Left | Returned) -> "Table":
        """Play any move; `lines` and `events` tell what happened."""
        step: Step[State] = GAME.apply(self.state, seat, move)
        self.state, self.events = step.state, step.events
        lines = [GAME.notation.line_of(event) for event in step.events]
        self.lines += [line for line in lines if line is not None]
        return self

    def held(self, seat: int) -> tuple[Card, ...]:
        return self.state.player(Seat(seat)).cards

    def legal(self, seat: int | None = None) -> list[Move]:
        """List what a seat may do, or the one in turn."""
        acting = self.acting if seat is None else seat
        return list(GAME.legal_moves(self.state, Seat(acting)))

    def plays(self, card: str) -> list[Move]:
        """List what the seat in turn may do with a card."""
        return [move for move in self.legal() if not isinstance(move, Bid) and move.card == card]

    def house(self, value: int) -> House:
        """Get the house of that value."""
        found = self.state.floor.find_house(value)
        assert found is not None
        return found

    @property
    def acting(self) -> int:
        assert self.state.acting is not None
        return self.state.acting

    @property
    def loose(self) -> str:
        return " ".join(self.state.floor.loose)

    @property
    def names(self) -> list[str]:
        return [event.name for event in self.events]

    @property
    def points(self) -> dict[int, int]:
        """List the result by seat."""
        assert self.state.scored is not None
        return {int(seat): points for seat, points in self.state.scored.points}

    def event(self, name: str) -> Event:
        """Find the only event of that name in the last step."""
        (found,) = (event for event in self.events if event.name == name)
        return found


def _named(text: str | None) -> tuple[Card, ...] | None:
    return None if text is None else cards(text)
