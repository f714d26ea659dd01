"""Whole matches of any game among programs, in this process: no server, no clock, no proof."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from server.bots.games import PROGRAMS
from server.bots.opening_checks import Place
from server.bots.public import Begun, Gift, PublicHand
from server.cards.game import (
    DEALER,
    AnyGame,
    Carry,
    Deal,
    Event,
    Given,
    Scored,
    Seat,
    SeatInfo,
    SeatKind,
    dealer_of,
)

HANDS_MAX = 60


@dataclass
class Match:
    """A match that was played to its end.

    Shape: `hands` has the last event of each hand, `lines` each hand's transcript, `moves` what
           was chosen, by seat.
    """

    hands: list[Scored] = field(default_factory=list)
    lines: list[list[str]] = field(default_factory=list)
    moves: list[tuple[Seat, Any]] = field(default_factory=list)

    def points_of(self, seat: int) -> int:
        """Add up what a seat has in all hands."""
        return sum(dict(hand.points)[Seat(seat)] for hand in self.hands)


class Company:
    """Programs and random players at one table; every seat and a spectator follow the lines."""

    def __init__(
        self, game: AnyGame, options: Any, seed: int, *, random_seats: Iterable[int] = ()
    ) -> None:
        self.game = game
        self.options = options
        self.program = PROGRAMS[game.name]
        self.random_seats = frozenset(random_seats)
        self.chance = Random(seed)
        self.seats = tuple(SeatInfo(Seat(s), SeatKind.BOT) for s in range(options.seats))
        self.followers: dict[int | None, PublicHand] = {}

    def play(self) -> Match:
        """Play a match."""
        match, carry = Match(), Carry()
        for _ in range(HANDS_MAX):
            match.lines.append([])
            scored = self._hand(match, carry)
            match.hands.append(scored)
            if scored.match_over:
                return match
            carry = scored.carry
        raise AssertionError("the match does not end")

    def _hand(self, match: Match, carry: Carry) -> Scored:
        dealer = dealer_of(carry, [info.seat for info in self.seats])
        state = self.game.start(self.options, self.seats, replace(carry, dealer=dealer))
        self.followers = {me: self._follower(dealer, me) for me in (None, *range(len(self.seats)))}
        orders: list[tuple[Any, ...]] = []
        while acting := self.game.to_act(state):
            seat = min(acting)
            move = self._move(state, seat, orders)
            if seat != DEALER:
                match.moves.append((seat, move))
            step = self.game.apply(state, seat, move)
            state = step.state
            self._tell(match, step.events, orders)
        last = step.events[-1]
        assert isinstance(last, Scored), last
        return last

    def _follower(self, dealer: Seat | None, me: int | None) -> PublicHand:
        begun = Begun(
            options=self.options,
            pack_size=self.game.pack(self.options).size,
            seats=tuple(info.seat for info in self.seats),
            dealer=dealer,
            me=me,
        )
        return self.program.follow(begun)

    def _move(self, state: Any, seat: Seat, orders: list[tuple[Any, ...]]) -> Any:
        if seat == DEALER:
            return self._deal(state, orders)
        assert self.followers[seat].may_act(seat), f"seat {seat} does not know that it is to act"
        legal = list(self.game.legal_moves(state, seat))
        if seat in self.random_seats:
            return self.chance.choice(legal)
        return self.program.play(self.followers[seat], self.chance, False)

    def _deal(self, state: Any, orders: list[tuple[Any, ...]]) -> Deal:
        order = list(self.game.undealt(state))
        self.chance.shuffle(order)
        toss = tuple(self.chance.randrange(modulus) for modulus in self.game.draws(state))
        for follower in self.followers.values():
            if orders:
                assert follower.call() == self.game.undealt(state)
                follower.reshuffled(len(orders))
            else:
                follower.deal(toss)
        orders.append(tuple(order))
        return Deal(tuple(order), toss)

    def _tell(self, match: Match, events: tuple[Event, ...], orders: list[tuple[Any, ...]]) -> None:
        for event in events:
            line = self.game.notation.line_of(event)
            if line is not None:
                match.lines[-1].append(line)
                for follower in self.followers.values():
                    follower.line(line)
            if isinstance(event, Given):
                self._give(event, orders[event.epoch])

    def _give(self, event: Given, order: tuple[Any, ...]) -> None:
        for me, follower in self.followers.items():
            for position in event.positions if event.to in (None, me) else ():
                follower.seen(Gift(event.to, Place(event.epoch, position)), order[position])
