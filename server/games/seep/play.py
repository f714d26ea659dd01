"""The moves of a hand: `start`, `to_act`, `undealt`, `legal_moves`, `apply`."""

from collections.abc import Iterator
from dataclasses import replace

from server.cards.card import Card
from server.cards.game import (
    DEALER,
    Carry,
    Deal,
    Event,
    Given,
    IllegalMove,
    Left,
    Returned,
    Seat,
    SeatInfo,
    Step,
    TimedOut,
    TurnBegan,
)
from server.cards.substitutes import Missed, acted, left, missed, pilots_of, returned
from server.games.seep.captures import HOUSE_VALUES, value_of
from server.games.seep.ending import hand_over, redeal, tell_play
from server.games.seep.events import BidMade, FirstFourDealt, FloorOpened
from server.games.seep.moves import Bid, Move, Play
from server.games.seep.options import PACK, SEATS, Options
from server.games.seep.scoring import account_of
from server.games.seep.state import FIRST_FOUR, PLAYS, SeatState, State
from server.games.seep.turns import clock_play, laid, plays, resolved

FLOOR_POSITIONS = tuple(range(FIRST_FOUR, 2 * FIRST_FOUR))


def start(options: Options, seats: tuple[SeatInfo, ...], carry: Carry) -> State:
    """Make the hand before its cards; `carry.dealer` deals, None leaves it to the toss.

    Shape:  all four seats, ascending.
    Errors: ValueError if the carry's memo is not one of ours.
    Source: rules.md 1.1, 2.1.
    """
    assert [info.seat for info in seats] == list(range(SEATS)), seats
    assert carry.dealer is None or 0 <= carry.dealer < SEATS, carry
    players = tuple(SeatState(info.seat) for info in seats)
    return State(options, players, pilots_of(seats), account_of(carry.memo), carry.dealer)


def draws(state: State) -> tuple[int, ...]:
    """Ask the toss for the first dealer, if no earlier hand named one."""
    return (SEATS,) if state.dealer is None else ()


def to_act(state: State) -> frozenset[Seat]:
    """Say who may move."""
    if state.scored is not None:
        return frozenset()
    return frozenset({DEALER if state.acting is None else state.acting})


def undealt(state: State) -> tuple[Card, ...]:
    """List the whole pack by number, before it is dealt."""
    return () if state.order else PACK.cards


def legal_moves(state: State, seat: Seat) -> Iterator[Move]:
    """List all that the seat may do, with the cards of each play named."""
    if seat == DEALER or to_act(state) != {seat}:
        return
    if not state.bid:
        yield from (Bid(value) for value in bids(state.player(seat).cards))
        return
    yield from plays(state.position(seat))


def bids(cards: tuple[Card, ...]) -> list[int]:
    """List the values that the first four allow to bid. Source: rules.md 3.1."""
    return sorted({value_of(card) for card in cards} & set(HOUSE_VALUES))


def apply(state: State, seat: Seat, move: Move | Deal | TimedOut | Left | Returned) -> Step[State]:
    """Play a move.

    Errors: IllegalMove, and nothing has changed; AssertionError if a card is lost.
    Source: rules.md 2 to 9.
    """
    step = _apply(state, seat, move)
    assert step.state.is_whole(), "a card was lost or doubled"
    return step


def _apply(state: State, seat: Seat, move: Move | Deal | TimedOut | Left | Returned) -> Step[State]:
    acting = to_act(state)
    if not acting:
        raise IllegalMove("hand_over", "the hand is over")
    if DEALER in acting and seat != DEALER:
        raise IllegalMove("dealer_acts", "the cards are being shuffled")
    if isinstance(move, Left | Returned):
        return _change_hands(state, seat, move)
    if seat not in acting:
        raise IllegalMove("not_your_turn", "another seat is in turn")
    if isinstance(move, Deal) != (seat == DEALER):
        raise IllegalMove("unknown_move", "only the dealer deals, and nothing else")
    match move:
        case Deal():
            return _deal(state, move)
        case TimedOut():
            return _time_out(state, seat)
        case Bid():
            if state.bid:
                raise IllegalMove("already_bid", "the bid is made")
            if move.value not in bids(state.player(seat).cards):
                raise IllegalMove("bid_not_held", "a bid is the value of a card held", "value")
            return _own_turn(state, seat, move)
        case _:
            if not state.bid:
                raise IllegalMove("must_bid", "bid first")
            return _own_turn(state, seat, resolved(state.position(seat), move))


def _change_hands(state: State, seat: Seat, move: Left | Returned) -> Step[State]:
    """Hand a seat over, or back, in or out of turn. Source: rules.md 9.5, 9.6."""
    if isinstance(move, Left):
        pilots, event = left(state.pilots, seat)
        return Step(replace(state, pilots=pilots), (event,))
    pilots, back = returned(state.pilots, seat)
    return Step(replace(state, pilots=pilots), (back,))


def _deal(state: State, deal: Deal) -> Step[State]:
    """Give the bidder four cards, lay four face down. Source: rules.md 2.2, 2.3."""
    assert sorted(deal.order) == sorted(undealt(state)), "not an order of the pack"
    assert len(deal.draws) == len(draws(state)), deal.draws
    dealer = Seat(deal.draws[0]) if state.dealer is None else state.dealer
    state = replace(state, dealer=dealer, order=deal.order)
    bidder = state.bidder
    assert bidder is not None
    cards = deal.order[:FIRST_FOUR]
    state = replace(state.with_player(bidder, cards=cards), acting=bidder)
    events: list[Event] = [
        FirstFourDealt(dealer=dealer, bidder=bidder),
        Given(to=bidder, epoch=0, positions=tuple(range(FIRST_FOUR))),
    ]
    if not bids(cards):
        return redeal(state, events)
    return Step(state, (*events, TurnBegan(seats=(bidder,))))


def rest_of(bidder: Seat) -> dict[Seat, tuple[int, ...]]:
    """Say which positions each seat gets after the bid. Source: rules.md 2.4.

    The three others are dealt up to the bidder's four, then all four to twelve, one card at a time.
    """
    order = [Seat((bidder + step) % SEATS) for step in range(SEATS)]
    first = FLOOR_POSITIONS[-1] + 1
    second = first + FIRST_FOUR * (SEATS - 1)
    return {
        seat: (
            *(range(first + at - 1, second, SEATS - 1) if at else ()),
            *range(second + at, PACK.size, SEATS),
        )
        for at, seat in enumerate(order)
    }


def _bid(state: State, seat: Seat, move: Bid, *, auto: bool) -> tuple[State, list[Event]]:
    """Open the floor and deal the rest. Source: rules.md 3.1, 3.3."""
    opened = tuple(state.order[position] for position in FLOOR_POSITIONS)
    state = replace(state, bid=move.value, floor=replace(state.floor, loose=opened))
    events: list[Event] = [
        BidMade(seat=seat, value=move.value, auto=auto),
        Given(epoch=0, positions=FLOOR_POSITIONS),
    ]
    for other, positions in rest_of(seat).items():
        cards = tuple(state.order[position] for position in positions)
        state = state.with_player(other, cards=(*state.player(other).cards, *cards))
        events.append(Given(to=other, epoch=0, positions=positions))
    return state, [*events, FloorOpened(cards=opened)]


def _played(state: State, seat: Seat, play: Play, *, auto: bool) -> tuple[State, list[Event]]:
    """Lay a checked play. Source: rules.md 4 to 7."""
    before, held = state, state.player(seat).cards
    state = replace(
        state.with_player(seat, cards=tuple(card for card in held if card != play.card)),
        floor=laid(state.floor, seat, play),
        plays=state.plays + 1,
        last=(seat, play),
    )
    return tell_play(before, state, seat, play, auto=auto)


def _own_turn(state: State, seat: Seat, move: Bid | Play) -> Step[State]:
    pilots = acted(state.pilots, seat)
    return _turn(replace(state, pilots=pilots), seat, move, Missed(pilots), auto=False)


def _time_out(state: State, seat: Seat) -> Step[State]:
    """Play for a silent seat. Source: rules.md 9.2 to 9.4."""
    if state.bid:
        move: Bid | Play = clock_play(state.position(seat))
    else:
        move = Bid(bids(state.player(seat).cards)[0])
    counted = missed(state.pilots, seat, state.options.miss_limit)
    return _turn(replace(state, pilots=counted.pilots), seat, move, counted, auto=True)


def _turn(state: State, seat: Seat, move: Bid | Play, clock: Missed, *, auto: bool) -> Step[State]:
    """Make a checked move and give the turn on; `clock` are the clock's events around it."""
    if isinstance(move, Bid):
        state, events = _bid(state, seat, move, auto=auto)
        following = seat
    else:
        state, events = _played(state, seat, move, auto=auto)
        following = Seat((seat + 1) % SEATS)
    events = [*clock.before, *events, *clock.after]
    if state.plays == PLAYS:
        return hand_over(state, events)
    state = replace(state, acting=following)
    return Step(state, (*events, TurnBegan(seats=(following,))))
