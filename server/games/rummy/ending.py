"""How a seat goes out, and how a hand ends: drop, leave, declare, count."""

from dataclasses import replace

from server.cards.card import Card
from server.cards.game import Carry, Event, IllegalMove, Scored, Seat, Step, TurnBegan
from server.games.rummy.events import (
    Groups,
    HandShown,
    SeatDeclared,
    SeatDropped,
    WhyOut,
    WrongDeclare,
)
from server.games.rummy.moves import Declare, Place
from server.games.rummy.scoring import (
    FIRST_DROP,
    HAND_CARDS,
    LATER_DROP,
    WRONG_DECLARE,
    count,
)
from server.games.rummy.state import State


def drop(state: State, seat: Seat) -> Step[State]:
    """Drop in turn, before drawing. Source: rules.md 7.1 to 7.3."""
    if state.drawn is not None:
        raise IllegalMove("must_discard", "discard or declare: a drop comes before the draw")
    price = LATER_DROP if state.player(seat).has_drawn else FIRST_DROP
    return put_out(state, seat, "drop", price)


def leave(state: State, seat: Seat) -> Step[State]:
    """Put a leaver out, in or out of turn; one who is out already changes nothing."""
    if seat not in {player.seat for player in state.seats}:
        raise IllegalMove("not_your_turn", "the seat is not in this hand")
    if state.player(seat).out is not None:
        return Step(state, ())
    return put_out(state, seat, "left", LATER_DROP)


def put_out(state: State, seat: Seat, why: WhyOut, points: int) -> Step[State]:
    state = _without(state, seat, why, points, finish=None)
    events: list[Event] = [SeatDropped(seat=seat, why=why, points=points)]
    if state.acting == seat or len(state.in_play) == 1:
        return next_turn(state, events)
    return Step(state, tuple(events))


def declare(state: State, seat: Seat, move: Declare) -> Step[State]:
    """Show thirteen cards: the hand ends, or the seat is out. Source: rules.md 5."""
    if state.drawn is None:
        raise IllegalMove("must_draw_first", "draw a card first")
    held = state.player(seat).cards
    finish = _held_card(state, held, move.finish)
    cards = tuple(card for card in held if card != finish)
    assert len(cards) == HAND_CARDS
    groups = move.groups or ()
    if move.groups is not None and (
        not all(groups) or sorted(card for group in groups for card in group) != sorted(cards)
    ):
        raise IllegalMove("bad_groups", "the groups are not the thirteen other cards", "groups")
    events: list[Event] = [SeatDeclared(seat=seat, finish=state.place_of(finish), groups=groups)]
    if count(cards, state.wild_rank).can_declare:
        state = state.with_player(seat, cards=cards, finish=state.place_of(finish))
        return _show(state, seat, groups, events)
    events.append(WrongDeclare(seat=seat, points=WRONG_DECLARE, cards=cards))
    state = _without(state, seat, "wrong_declare", WRONG_DECLARE, finish=finish)
    return next_turn(state, events)


def next_turn(state: State, events: list[Event]) -> Step[State]:
    """Give the turn on, or the hand to the last seat in it. Source: rules.md 7.6."""
    assert state.acting is not None
    if len(state.in_play) == 1:
        return _score(state, state.in_play[0].seat, events)
    seat = state.after(state.acting)
    return Step(replace(state, acting=seat, drawn=None), (*events, TurnBegan(seats=(seat,))))


def _without(state: State, seat: Seat, why: WhyOut, points: int, *, finish: Card | None) -> State:
    """Lay a seat's cards out of play."""
    return state.with_player(
        seat,
        cards=(),
        known=frozenset(),
        laid_down=tuple(card for card in state.player(seat).cards if card != finish),
        finish=None if finish is None else state.place_of(finish),
        out=why,
        points=points,
    )


def _held_card(state: State, held: tuple[Card, ...], finish: Card | Place) -> Card:
    for card in held:
        if card == finish or (isinstance(finish, Place) and state.place_of(card) == finish):
            return card
    raise IllegalMove("not_held", "that card is not in the holding", "finish")


def _show(state: State, winner: Seat, submitted: Groups, events: list[Event]) -> Step[State]:
    """Show and count the declarer, then the others still in, ascending."""
    shown: list[HandShown] = []
    for player in sorted(state.in_play, key=lambda player: player.seat != winner):
        counted = count(player.cards, state.wild_rank)
        shown.append(
            HandShown(
                seat=player.seat,
                cards=player.cards,
                groups=counted.groups,
                loose=counted.loose,
                points=counted.points,
                case=counted.case,
                submitted=submitted if player.seat == winner else (),
            )
        )
        state = state.with_player(player.seat, points=counted.points)
    return _score(replace(state, shown=tuple(shown)), winner, [*events, *shown])


def _score(state: State, winner: Seat, events: list[Event]) -> Step[State]:
    """End the hand; the next one begins one seat further on. Source: rules.md 2.3."""
    assert state.first is not None
    scored = Scored(
        points=tuple((player.seat, player.points) for player in state.seats),
        winner=winner,
        carry=Carry(dealer=Seat((state.first + 1) % state.options.seats)),
        match_over=True,
    )
    state = replace(state, acting=None, drawn=None, scored=scored, ended=True)
    return Step(state, (*events, scored))
