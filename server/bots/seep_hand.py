"""Seep as its public lines tell it: the floor, turns, one's own holding (checks 12, 13, 18)."""

from collections.abc import Sequence
from random import Random
from typing import Final

from server.bots.evidence import Cheated, demand
from server.bots.opening_checks import Place
from server.bots.public import Begun, Gift, Program
from server.bots.seep import Sight, choose
from server.cards.card import Card
from server.cards.game import IllegalMove, Left, Returned, Seat, TimedOut
from server.games.seep.captures import Floor, value_of
from server.games.seep.moves import Bid, Build, Move, Play, Raise, Take, Throw
from server.games.seep.notation import read
from server.games.seep.options import PACK, SEATS, Options
from server.games.seep.play import FLOOR_POSITIONS, bids, rest_of
from server.games.seep.state import FIRST_FOUR, HAND_CARDS, PLAYS
from server.games.seep.turns import Position, laid, resolved

HELD_ELSEWHERE: Final = 13
RULES: Final = 18


class SeepHand:
    """One hand, from the seat `me` or from a spectator's place (None)."""

    def __init__(
        self, options: Options, seats: Sequence[int], dealer: int | None, me: int | None
    ) -> None:
        self.options = options
        self.seats = tuple(seats)
        self.dealer = dealer
        self.me = me
        self.acting: int | None = None
        self.bid = 0
        self.floor = Floor()
        self.plays = 0
        self.holding: list[Card] = []
        self.counts: dict[int, int] = {}
        self.unseen: set[Card] = set(PACK.cards)
        self._left: set[int] = set()

    # --- what the deal's checks ask (PublicHand)

    def deal(self, toss: tuple[int, ...]) -> tuple[Gift, ...]:
        """Deal the bidder's first four. Errors: Cheated(17)."""
        demand(self.seats == tuple(range(SEATS)), 17, "not every seat is dealt in")
        if self.dealer is None:
            fits = len(toss) == 1 and type(toss[0]) is int and toss[0] in range(SEATS)
            demand(fits, 17, "the toss is not one listed seat")
            self.dealer = self.seats[toss[0]]
        else:
            demand(toss == (), 17, "a toss where the dealer was fixed")
        self.acting = (self.dealer + 1) % SEATS
        self.counts = {seat: FIRST_FOUR * (seat == self.acting) for seat in self.seats}
        return tuple(Gift(self.acting, Place(0, position)) for position in range(FIRST_FOUR))

    def seen(self, gift: Gift, card: Card) -> None:
        """Learn a card of the floor, or one that was given to this seat."""
        self.unseen.discard(card)
        if gift.seat is None:
            self.floor = self.floor.with_thrown(card)
        else:
            self.holding.append(card)

    def line(self, line: str) -> tuple[Gift, ...]:
        """Follow a line. Errors: Cheated (13, 18)."""
        try:
            seat, move = read(line)
            if line.startswith("auto "):
                _, move = read(line.removeprefix("auto "))
        except ValueError:
            raise Cheated(RULES, f"not a line of Seep: {line[:40]!r}") from None
        demand(self.plays < PLAYS, RULES, f"a line after the last card: {line!r}")
        match move:
            case Left():
                demand(seat not in self._left, RULES, f"seat {seat} leaves twice")
                self._left.add(seat)
            case Returned():
                self._left.discard(seat)
            case Bid():
                return self._bid(seat, move.value)
            case Throw() | Take() | Build() | Raise():
                self._play(seat, move)
            case TimedOut():
                raise Cheated(RULES, f"a line that says nothing: {line!r}")
        return ()

    def may_act(self, seat: int) -> bool:
        """Tell whether the seat has a decision to make, by what is public."""
        return self.acting == seat

    def call(self) -> tuple[Card, ...]:
        """Refuse a reshuffle: nothing is ever shuffled again. Errors: Cheated(14)."""
        raise Cheated(14, "a reshuffle in a game without one")

    def reshuffled(self, epoch: int) -> None:
        """Refuse a reshuffle. Errors: Cheated(14)."""
        self.call()

    # --- what the policy asks

    def sight(self) -> Sight:
        """Describe the decision that this seat has to make."""
        assert self.me is not None, "a spectator decides nothing"
        hand = tuple(self.holding)
        return Sight(
            position=self._position(self.me, hand),
            bids=() if self.bid else tuple(bids(hand)),
            unseen=frozenset(self.unseen),
            counts=dict(self.counts),
            play_no=self.plays + 1,
        )

    # --- moves

    def _bid(self, seat: int, value: int) -> tuple[Gift, ...]:
        demand(seat == self.acting, RULES, f"seat {seat} bids out of turn")
        demand(not self.bid, RULES, f"seat {seat} bids twice")
        if seat == self.me:
            held = value in bids(tuple(self.holding))
            demand(held, RULES, f"this seat bids {value}, which it does not hold")
        self.bid = value
        self.counts = dict.fromkeys(self.seats, HAND_CARDS)
        rest = rest_of(Seat(seat)).items()
        return (
            *(Gift(None, Place(0, position)) for position in FLOOR_POSITIONS),
            *(Gift(other, Place(0, position)) for other, places in rest for position in places),
        )

    def _play(self, seat: int, move: Play) -> None:
        demand(seat == self.acting, RULES, f"seat {seat} plays out of turn")
        demand(bool(self.bid), RULES, f"seat {seat} plays before the bid")
        if seat == self.me:
            demand(move.card in self.holding, RULES, f"this seat does not hold {move.card}")
            self._check(seat, move, tuple(self.holding))
            self.holding.remove(move.card)
        else:
            text = f"seat {seat} plays {move.card}, which lies elsewhere"
            demand(move.card in self.unseen, HELD_ELSEWHERE, text)
            self._check(seat, move, tuple(sorted(self.unseen)))
            self.unseen.discard(move.card)
        self.floor = laid(self.floor, Seat(seat), move)
        self.counts[seat] -= 1
        self.plays += 1
        self.acting = None if self.plays == PLAYS else (seat + 1) % SEATS

    def _check(self, seat: int, move: Play, hand: tuple[Card, ...]) -> None:
        """Check a play by the rules; another seat may hold all that this one has not seen."""
        position = self._position(seat, hand)
        if seat != self.me and position.due and isinstance(move, Throw):
            # Whether a house could have been built, its hand alone tells.
            fits = value_of(move.card) == position.due
            demand(fits, RULES, f"the first play throws {move.card} at a bid of {position.due}")
            position = self._position(seat, hand, due=0)
        try:
            wanted = resolved(position, move)
        except IllegalMove as refusal:
            raise Cheated(RULES, f"seat {seat} breaks the rules: {refusal}") from None
        text = f"the line of seat {seat} does not name its cards as they lie"
        demand(_named(wanted) == _named(move), RULES, text)

    def _position(self, seat: int, hand: tuple[Card, ...], due: int | None = None) -> Position:
        owed = 0 if self.plays else self.bid
        return Position(
            Seat(seat),
            hand,
            self.floor,
            due=owed if due is None else due,
            partner_may_raise=self.options.partner_may_raise,
        )


def _named(play: Play) -> tuple[Card, ...]:
    return () if isinstance(play, Throw) else play.cards or ()


def _follow(begun: Begun) -> SeepHand:
    return SeepHand(begun.options, begun.seats, begun.dealer, begun.me)


def _play(public: SeepHand, random: Random, is_careless: bool) -> Move:
    return choose(public.sight(), random, is_careless=is_careless)


SEEP: Final = Program(_follow, _play)
"""How a client follows and plays Seep."""
