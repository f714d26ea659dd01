"""A player of random matches of any game, and what anybody may have seen in them."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from server.cards.card import Card
from server.cards.game import (
    DEALER,
    AnyGame,
    Carry,
    Deal,
    Event,
    Given,
    Left,
    Returned,
    Seat,
    SeatHandedOver,
    SeatInfo,
    SeatKind,
    SeatTakenBack,
    TimedOut,
    dealer_of,
)
from server.games import GAMES

HANDS_MAX = 40
MOVES_MAX = 5_000


@dataclass(frozen=True)
class Played:
    """One step of a hand: the state before, who moved what, the state after, the events."""

    before: Any
    seat: Seat
    move: Any
    after: Any
    events: tuple[Event, ...]


@dataclass
class Hand:
    """A hand as it was played; `steps` grow while it is."""

    game: AnyGame
    options: Any
    seats: tuple[SeatInfo, ...]
    start: Any
    steps: list[Played]

    @property
    def orders(self) -> list[tuple[Card, ...]]:
        """List the dealer's orders, one for each epoch."""
        return [step.move.order for step in self.steps if isinstance(step.move, Deal)]

    def seen_by(self, seat: Seat | None, upto: int) -> set[Card]:
        """Collect the cards that reached a seat in the first `upto` steps, by events alone."""
        seen: set[Card] = set()
        for step in self.steps[:upto]:
            for event in step.events:
                if event.to is not None and event.to != seat:
                    continue
                if isinstance(event, Given):
                    seen |= {self.orders[event.epoch][p] for p in event.positions}
                seen |= cards_in(event, self.pack)
        return seen

    @property
    def pack(self) -> frozenset[Card]:
        return frozenset(self.game.pack(self.options).cards)


def random_hand(
    name: str, chance: random.Random, carry: Carry | None = None, *, leavers: bool = True
) -> Hand:
    """Play one hand at random: moves, now and then the clock, a leaver or one who returns."""
    game = GAMES[name]
    options = game.options_type(seats=chance.choice(game.seats))
    least = options.min_players
    count = chance.randrange(least, options.seats + 1)
    chosen = sorted(chance.sample(range(options.seats), count))
    kinds = chance.choices((SeatKind.HUMAN, SeatKind.BOT), weights=(4, 1), k=count)
    seats = tuple(SeatInfo(Seat(s), kind) for s, kind in zip(chosen, kinds, strict=True))
    return play_hand(game, options, seats, carry or Carry(), chance, leavers=leavers)


def play_hand(
    game: AnyGame,
    options: Any,
    seats: tuple[SeatInfo, ...],
    carry: Carry,
    chance: random.Random,
    *,
    leavers: bool = True,
) -> Hand:
    """Play one hand with these seats; the carry's dealer is resolved as a table does it."""
    dealer = dealer_of(carry, [info.seat for info in seats])
    start = game.start(options, seats, replace(carry, dealer=dealer))
    hand = Hand(game, options, seats, start, [])
    state = start
    substituted: dict[Seat, str] = {}
    while acting := game.to_act(state):
        assert len(hand.steps) < MOVES_MAX, "the hand does not end"
        seat = chance.choice(sorted(acting))
        move = _some_move(game, state, seat, chance)
        if leavers and seat != DEALER and chance.random() < 0.02:
            seat, move = _comes_or_goes(seats, substituted, chance) or (seat, move)
        step = game.apply(state, seat, move)
        hand.steps.append(Played(state, seat, move, step.state, step.events))
        state = step.state
        for event in step.events:
            if isinstance(event, SeatHandedOver):
                substituted[event.seat] = event.why
            elif isinstance(event, SeatTakenBack):
                del substituted[event.seat]
    return hand


def _comes_or_goes(
    seats: tuple[SeatInfo, ...], substituted: dict[Seat, str], chance: random.Random
) -> tuple[Seat, Left | Returned] | None:
    """Choose an owner who comes back, or a seat that is left and was not left already."""
    if substituted and chance.random() < 0.5:
        seat = chance.choice(sorted(substituted))
        return seat, Returned(seat)
    there = [info.seat for info in seats if substituted.get(info.seat) != "left"]
    if not there:
        return None
    seat = chance.choice(there)
    return seat, Left(seat)


def _some_move(game: AnyGame, state: Any, seat: Seat, chance: random.Random) -> Any:
    if seat == DEALER:
        order = list(game.undealt(state))
        chance.shuffle(order)
        return Deal(tuple(order), tuple(chance.randrange(m) for m in game.draws(state)))
    if chance.random() < 0.1:
        return TimedOut(seat)
    moves = list(game.legal_moves(state, seat))
    ends = [move for move in moves if move.name in ("drop", "declare")]
    plain = [move for move in moves if move not in ends]
    return chance.choice(ends if ends and (not plain or chance.random() < 0.03) else plain)


def cards_in(value: Any, pack: frozenset[Card]) -> set[Card]:
    """Collect every card of the pack anywhere in a value."""
    return {text for text in _texts(value) if text in pack}


def _texts(value: Any) -> Iterator[Card]:
    if isinstance(value, str):
        yield Card(value)
    elif isinstance(value, dict):
        for part in (*value.keys(), *value.values()):
            yield from _texts(part)
    elif isinstance(value, tuple | list | set | frozenset):
        for part in value:
            yield from _texts(part)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _texts(getattr(value, field.name))


def exchanged(value: Any, swap: dict[Card, Card]) -> Any:
    """Copy a frozen value with its cards exchanged, wherever they stand."""
    if isinstance(value, str):
        return swap.get(Card(value), value)
    if isinstance(value, frozenset):
        return frozenset(exchanged(part, swap) for part in value)
    if isinstance(value, tuple):
        parts = [exchanged(part, swap) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, dict):
        return {exchanged(k, swap): exchanged(v, swap) for k, v in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        changes = {f.name: exchanged(getattr(value, f.name), swap) for f in fields(value)}
        return replace(value, **changes)
    return value
