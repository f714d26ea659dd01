"""The moves of a hand: `start`, `to_act`, `undealt`, `legal_moves`, `apply`."""

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from server.cards.card import Card
from server.cards.game import (
    DEALER,
    Carry,
    Deal,
    Event,
    Given,
    HandVoid,
    IllegalMove,
    Left,
    Returned,
    Seat,
    SeatInfo,
    Step,
    TimedOut,
    TurnBegan,
)
from server.games.rummy.ending import declare, drop, leave, next_turn, put_out
from server.games.rummy.events import (
    AutoMoved,
    CardDiscarded,
    CardDrawn,
    HandDealt,
    PileOpened,
    PileReshuffled,
    ReshuffleCalled,
    WildTurned,
)
from server.games.rummy.melds import best
from server.games.rummy.moves import Declare, Discard, Draw, Drop, Move, Place
from server.games.rummy.options import PACKS, Options
from server.games.rummy.scoring import HAND_CARDS, LATER_DROP, is_joker, points_of
from server.games.rummy.state import Drawn, Pending, SeatState, State

RESHUFFLE_CAP_REACHED = "reshuffle_cap"


def start(options: Options, seats: tuple[SeatInfo, ...], carry: Carry) -> State:
    """Make the hand before its cards; `carry.dealer` acts first, None leaves it to the toss.

    Shape:  2 to `options.seats` seats, ascending, perhaps with gaps.
    Source: rules.md 2.1, 2.3.
    """
    listed = [info.seat for info in seats]
    assert 2 <= len(listed) <= options.seats, listed
    assert listed == sorted(set(listed)), listed
    assert all(0 <= seat < options.seats for seat in listed), listed
    assert carry.dealer is None or carry.dealer in listed, carry
    return State(options, tuple(SeatState(seat) for seat in listed), carry.dealer)


def draws(state: State) -> tuple[int, ...]:
    """Ask the toss for the first seat, as an index into the listed ones, if none is fixed."""
    return (len(state.seats),) if state.first is None else ()


def to_act(state: State) -> frozenset[Seat]:
    """Say who may move."""
    if state.ended:
        return frozenset()
    if state.acting is None or state.pending is not None:
        return frozenset({DEALER})
    return frozenset({state.acting})


def undealt(state: State) -> tuple[Card, ...]:
    """List the whole pack by number, or the open pile bottom to top without its top card."""
    if not state.orders:
        return PACKS[state.options.seats].cards
    return state.open_pile[:-1] if state.pending is not None else ()


def legal_moves(state: State, seat: Seat) -> Iterator[Move]:
    """List what the seat may do; of all declares one, a right one if there is one."""
    if seat == DEALER or to_act(state) != {seat}:
        return
    if state.drawn is None:
        yield Draw("closed")
        if _why_not_open(state) is None:
            yield Draw("open")
        yield Drop()
        return
    cards = state.player(seat).cards
    for card in cards:
        if state.options.return_open_card or state.drawn != Drawn(card, "open"):
            yield Discard(card)
    yield Declare(_finish_of(cards, state.wild_rank))


def apply(state: State, seat: Seat, move: Move | Deal | TimedOut | Left | Returned) -> Step[State]:
    """Play a move.

    Errors: IllegalMove, and nothing has changed; AssertionError if a card is lost.
    Source: rules.md 2 to 8.
    """
    step = _apply(state, seat, move)
    assert step.state.is_whole(), "a card was lost or doubled"
    return step


def _apply(state: State, seat: Seat, move: Move | Deal | TimedOut | Left | Returned) -> Step[State]:
    if state.ended:
        raise IllegalMove("hand_over", "the hand is over")
    acting = to_act(state)
    if DEALER in acting and seat != DEALER:
        raise IllegalMove("dealer_acts", "the cards are being shuffled")
    if isinstance(move, Left):
        return leave(state, seat)
    if seat not in acting:
        raise IllegalMove("not_your_turn", "another seat is in turn")
    return _order(state, move) if seat == DEALER else _play(state, seat, move)


def _order(state: State, move: Move | Deal | TimedOut | Returned) -> Step[State]:
    if not isinstance(move, Deal):
        raise IllegalMove("unknown_move", "the dealer only deals")
    assert sorted(move.order) == sorted(undealt(state)), "not an order of the cards asked for"
    assert len(move.draws) == len(draws(state)), move.draws
    return _reshuffle(state, move.order) if state.orders else _deal(state, move)


def _play(state: State, seat: Seat, move: Move | Deal | TimedOut | Returned) -> Step[State]:
    match move:
        case TimedOut():
            return _time_out(state, seat)
        case Draw():
            return _draw(state, seat, move)
        case Discard():
            return _discard_own(state, seat, move.card)
        case Declare():
            return declare(state, seat, move)
        case Drop():
            return drop(state, seat)
        case Deal():
            raise IllegalMove("unknown_move", "only the dealer deals")
        case Returned():
            raise IllegalMove("unknown_move", "no substitute plays a seat on in rummy")
        case _:
            assert_never(move)


def _finish_of(cards: tuple[Card, ...], wild_rank: str | None) -> Card:
    """Choose the card without which the others are complete, else the last."""
    for finish in cards:
        found = best([card for card in cards if card != finish], wild_rank)
        if found.points == 0 and found.case == "two_sequences":
            return finish
    return cards[-1]


def _deal(state: State, deal: Deal) -> Step[State]:
    """Deal one card at a time from the first seat on. Source: rules.md 2.4."""
    first = state.seats[deal.draws[0]].seat if state.first is None else state.first
    listed = [player.seat for player in state.seats]
    turn = listed.index(first)
    size = len(listed)
    events: list[Event] = [HandDealt(first=first, seats=tuple(listed))]
    state = replace(state, first=first, acting=first, orders=(deal.order,))
    for offset, seat in enumerate(listed[turn:] + listed[:turn]):
        positions = tuple(range(offset, HAND_CARDS * size, size))
        state = state.with_player(seat, cards=tuple(deal.order[p] for p in positions))
        events.append(Given(to=seat, epoch=0, positions=positions))
    turned, opened = HAND_CARDS * size, HAND_CARDS * size + 1
    state = replace(
        state,
        turned=deal.order[turned],
        open_pile=(deal.order[opened],),
        next_position=opened + 1,
    )
    events += [
        WildTurned(card=deal.order[turned], wild_rank=state.wild_rank or ""),
        Given(epoch=0, positions=(turned,)),
        PileOpened(card=deal.order[opened]),
        Given(epoch=0, positions=(opened,)),
        TurnBegan(seats=(first,)),
    ]
    return Step(state, tuple(events))


def _reshuffle(state: State, order: tuple[Card, ...]) -> Step[State]:
    """Make the new closed pile and finish the draw that waits for it. Source: rules.md 3.7."""
    assert state.pending is not None
    assert state.acting is not None
    seat, auto = state.acting, state.pending.auto
    state = replace(
        state,
        orders=(*state.orders, order),
        next_position=0,
        open_pile=state.open_pile[-1:],
        pending=None,
    )
    made = PileReshuffled(epoch=state.epoch, cards=len(order))
    drawn = _draw_closed(state, seat, auto=auto)
    return _after([made], _auto_discard(drawn, seat) if auto else drawn)


def _draw(state: State, seat: Seat, move: Draw) -> Step[State]:
    if state.drawn is not None:
        raise IllegalMove("already_drawn", "one card a turn")
    if move.from_ == "closed":
        return _draw_closed(state, seat, auto=False)
    if move.from_ != "open":
        raise IllegalMove("unknown_move", "draw from closed or open", "from")
    if (code := _why_not_open(state)) is not None:
        raise IllegalMove(code, "the open pile's top can't be drawn", "from")
    *pile, card = state.open_pile
    player = state.player(seat)
    state = state.with_player(
        seat, cards=(*player.cards, card), known=player.known | {card}, has_drawn=True
    )
    state = replace(state, open_pile=tuple(pile), drawn=Drawn(card, "open"))
    return Step(state, (CardDrawn(seat=seat, source="open", auto=False, card=card),))


def _why_not_open(state: State) -> str | None:
    """Find the refusal's code for an open draw. Source: rules.md 3.3, 3.4."""
    if not state.open_pile:
        return "open_empty"
    barred = not state.options.open_joker_pick and bool(state.discards)
    return "open_joker" if barred and is_joker(state.open_pile[-1], state.wild_rank) else None


def _draw_closed(state: State, seat: Seat, *, auto: bool) -> Step[State]:
    if state.next_position == len(state.orders[-1]):
        return _call_reshuffle(state, auto=auto)
    place = Place(state.epoch, state.next_position)
    card = state.orders[-1][place.position]
    state = state.with_player(seat, cards=(*state.player(seat).cards, card), has_drawn=True)
    state = replace(state, next_position=place.position + 1, drawn=Drawn(card, "closed"))
    drawn = CardDrawn(seat=seat, source="closed", auto=auto, place=place)
    return Step(state, (drawn, Given(to=seat, epoch=place.epoch, positions=(place.position,))))


def _call_reshuffle(state: State, *, auto: bool) -> Step[State]:
    """Wait for the dealer, or end the hand if the cap is used up. Source: rules.md 3.7, 3.8."""
    if state.epoch == state.options.reshuffle_cap:
        state = replace(state, acting=None, ended=True)
        return Step(state, (HandVoid(reason=RESHUFFLE_CAP_REACHED),))
    assert len(state.open_pile) > 1, "closed and open pile can't both run out"
    called = ReshuffleCalled(epoch=state.epoch + 1, cards=len(state.open_pile) - 1)
    return Step(replace(state, pending=Pending(auto)), (called,))


def _discard_own(state: State, seat: Seat, card: Card) -> Step[State]:
    if state.drawn is None:
        raise IllegalMove("must_draw_first", "draw a card first")
    if card not in state.player(seat).cards:
        raise IllegalMove("not_held", "that card is not in the holding", "card")
    if not state.options.return_open_card and state.drawn == Drawn(card, "open"):
        raise IllegalMove("just_drawn", "the card just taken may not go back", "card")
    return _discard(state, seat, card, auto=False)


def _discard(state: State, seat: Seat, card: Card, *, auto: bool) -> Step[State]:
    player = state.player(seat)
    state = state.with_player(
        seat,
        cards=tuple(held for held in player.cards if held != card),
        known=player.known - {card},
        misses=player.misses + 1 if auto else 0,
    )
    state = replace(
        state,
        open_pile=(*state.open_pile, card),
        discards=(*state.discards, (seat, card)),
    )
    return next_turn(state, [CardDiscarded(seat=seat, card=card, auto=auto)])


def _after(events: list[Event], step: Step[State]) -> Step[State]:
    return Step(step.state, (*events, *step.events))


def _time_out(state: State, seat: Seat) -> Step[State]:
    """Play for a silent seat, or drop it at the limit. Source: rules.md 8."""
    misses, limit = state.player(seat).misses + 1, state.options.miss_limit
    missed = AutoMoved(seat=seat, misses=misses, miss_limit=limit)
    if misses >= limit:
        return _after([missed], put_out(state, seat, "miss", LATER_DROP))
    drawn = _draw_closed(state, seat, auto=True) if state.drawn is None else Step(state, ())
    return _after([missed], _auto_discard(drawn, seat))


def _auto_discard(drawn: Step[State], seat: Seat) -> Step[State]:
    """Discard the card just drawn; nothing while the draw itself waits or the hand is void."""
    state = drawn.state
    if state.drawn is None:
        return drawn
    card = state.drawn.card
    if state.drawn.source == "open" and not state.options.return_open_card:
        others = (held for held in state.player(seat).cards if held != card)
        card = max(others, key=lambda held: (points_of(held, state.wild_rank), held))
    return _after(list(drawn.events), _discard(state, seat, card, auto=True))
