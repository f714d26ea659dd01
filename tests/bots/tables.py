"""Whole hands of rummy among policies, in this process: no server, no clock, no proof."""

from dataclasses import dataclass, field
from random import Random

from server.bots.opening_checks import Place
from server.bots.public import Gift
from server.bots.rummy import Sight, choose
from server.bots.rummy_hand import RummyHand
from server.cards.card import Card
from server.cards.game import DEALER, Carry, Deal, Event, Given, Scored, Seat, SeatInfo, SeatKind
from server.games.rummy import GAME
from server.games.rummy.moves import Move
from server.games.rummy.options import Options


@dataclass
class Played:
    """A hand that was played to its end, and what every seat followed of it."""

    scored: Scored | None = None
    turns: int = 0
    reshuffles: int = 0
    lines: list[str] = field(default_factory=list)
    moves: list[tuple[Sight, Move]] = field(default_factory=list)
    followers: dict[int, RummyHand] = field(default_factory=dict)


def play_hand(
    options: Options, seed: int, players: int | None = None, *, is_careless: bool = False
) -> Played:
    """Play one hand among `players` seats, all by the policy; each follows the public lines."""
    random = Random(seed)
    seats = tuple(Seat(index) for index in range(players or options.seats))
    infos = tuple(SeatInfo(seat, SeatKind.BOT) for seat in seats)
    state = GAME.start(options, infos, Carry())
    size = GAME.pack(options).size
    played = Played()
    played.followers = {seat: RummyHand(options, size, seats, None, seat) for seat in seats}
    generators = {seat: Random(seed * 100 + seat) for seat in seats}
    while acting := GAME.to_act(state):
        seat = next(iter(acting))
        move: Move | Deal
        if seat == DEALER:
            order = list(GAME.undealt(state))
            random.shuffle(order)
            draws = tuple(random.randrange(modulus) for modulus in GAME.draws(state))
            move = Deal(tuple(order), draws)
            for follower in played.followers.values():
                if state.orders:
                    assert follower.call() == GAME.undealt(state)
                    follower.reshuffled(len(state.orders))
                else:
                    follower.deal(draws)
            played.reshuffles += bool(state.orders)
        else:
            follower = played.followers[seat]
            assert sorted(follower.holding) == sorted(state.player(seat).cards)
            assert follower.may_act(seat)
            sight = follower.sight()
            move = choose(sight, generators[seat], is_careless=is_careless)
            played.moves.append((sight, move))
            played.turns += not sight.has_drawn
        step = GAME.apply(state, seat, move)
        state = step.state
        _follow(played, step.events, state.orders)
        if step.events and isinstance(step.events[-1], Scored):
            played.scored = step.events[-1]
    return played


def _follow(played: Played, events: tuple[Event, ...], orders: tuple[tuple[str, ...], ...]) -> None:
    """Tell every follower the lines, and the cards that it is given."""
    for event in events:
        line = GAME.notation.line_of(event)
        if line is not None:
            played.lines.append(line)
            for follower in played.followers.values():
                follower.line(line)
        if isinstance(event, Given):
            for seat, follower in played.followers.items():
                for position in event.positions if event.to in (None, seat) else ():
                    card = orders[event.epoch][position]
                    follower.seen(Gift(event.to, Place(event.epoch, position)), Card(card))
