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
    IllegalMove,
    Left,
    Returned,
    Seat,
    SeatInfo,
    Step,
    TimedOut,
    TurnBegan,
)
from server.cards.substitutes import acted, left, missed, pilots_of, returned
from server.games.sevens.ending import end
from server.games.sevens.events import CardPlayed, HandDealt, SeatPassed
from server.games.sevens.lines import fitting, lowest, with_card
from server.games.sevens.moves import Move, Pass, Play
from server.games.sevens.options import PACK, Options
from server.games.sevens.scoring import ANTE, PASS_COST, match_of
from server.games.sevens.state import SeatState, State


def start(options: Options, seats: tuple[SeatInfo, ...], carry: Carry) -> State:
    """Make the hand before its cards; `carry.dealer` deals, None leaves it to the toss.

    Shape:  every seat of the table, ascending.
    Errors: ValueError if the memo is not of such a match.
    Source: rules.md 1.1, 2.1, 4.4.
    """
    listed = [info.seat for info in seats]
    assert listed == list(range(options.seats)), listed
    assert carry.dealer is None or carry.dealer in listed, carry
    match = match_of(carry.memo, seats=options.seats, hands=options.hands)
    players = tuple(SeatState(seat) for seat in listed)
    return State(options, players, pilots_of(seats), match, carry.dealer)


def draws(state: State) -> tuple[int, ...]:
    """Ask the toss for the dealer, as an index into the seats, if none is fixed."""
    return (len(state.seats),) if state.dealer is None else ()


def to_act(state: State) -> frozenset[Seat]:
    """Say who may move."""
    if state.scored is not None:
        return frozenset()
    return frozenset({DEALER if state.acting is None else state.acting})


def undealt(state: State) -> tuple[Card, ...]:
    """List the whole pack by number, before the deal."""
    return PACK.cards if to_act(state) == {DEALER} else ()


def playable(state: State, seat: Seat) -> tuple[Card, ...]:
    """List the cards of a holding that may be laid now, in the holding's order.

    Source: rules.md 3.1 to 3.4.
    """
    fits = fitting(state.lines) if state.lines else {state.options.opener}
    return tuple(card for card in state.player(seat).cards if card in fits)


def legal_moves(state: State, seat: Seat) -> Iterator[Move]:
    """List what the seat may do: its cards that fit, or else to pass."""
    if seat == DEALER or to_act(state) != {seat}:
        return
    cards = playable(state, seat)
    yield from map(Play, cards)
    if not cards:
        yield Pass()


def apply(state: State, seat: Seat, move: Move | Deal | TimedOut | Left | Returned) -> Step[State]:
    """Play a move.

    Errors: IllegalMove, and nothing has changed; AssertionError if a card is lost.
    Source: rules.md 2 to 6.
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
    match move:
        case Left() | Returned():
            change = left if isinstance(move, Left) else returned
            pilots, event = change(state.pilots, seat)
            return Step(replace(state, pilots=pilots), (event,))
        case _ if seat not in acting:
            raise IllegalMove("not_your_turn", "another seat is in turn")
        case Deal():
            if seat != DEALER:
                raise IllegalMove("unknown_move", "only the dealer deals")
            return _deal(state, move)
        case _ if seat == DEALER:
            raise IllegalMove("unknown_move", "the dealer only deals")
        case TimedOut():
            return _time_out(state, seat)
        case Play() | Pass():
            state = replace(state, pilots=acted(state.pilots, seat))
            return _play(state, seat, move.card) if isinstance(move, Play) else _pass(state, seat)
        case _:
            assert_never(move)


def _deal(state: State, deal: Deal) -> Step[State]:
    """Deal one card at a time from the dealer's left on. Source: rules.md 2.2, 3.1."""
    assert sorted(deal.order) == sorted(PACK.cards), "not an order of the pack"
    assert len(deal.draws) == len(draws(state)), deal.draws
    dealer = Seat(deal.draws[0]) if state.dealer is None else state.dealer
    size = len(state.seats)
    given: list[Event] = []
    seat = state.after(dealer)
    for offset in range(size):
        positions = tuple(range(offset, PACK.size, size))
        state = state.with_player(seat, cards=tuple(deal.order[p] for p in positions))
        given.append(Given(to=seat, epoch=0, positions=positions))
        seat = state.after(seat)
    opener = state.options.opener
    first = next(player.seat for player in state.seats if opener in player.cards)
    state = replace(state, dealer=dealer, acting=first)
    dealt = HandDealt(
        dealer=dealer,
        number=state.number,
        hands=state.options.hands,
        counts=tuple((player.seat, len(player.cards)) for player in state.seats),
        ante=ANTE if state.options.has_chips else 0,
        pool=state.pool,
    )
    return Step(state, (dealt, *given, TurnBegan(seats=(first,))))


def _play(state: State, seat: Seat, card: Card) -> Step[State]:
    """Lay a card. Source: rules.md 3."""
    if card not in state.player(seat).cards:
        raise IllegalMove("not_held", "that card is not in the holding", "card")
    if not state.lines and card != state.options.opener:
        raise IllegalMove("must_open", f"{state.options.opener} is laid first", "card")
    if state.lines and card not in fitting(state.lines):
        raise IllegalMove("does_not_fit", "that card is next to no line's end", "card")
    return _go_on(*_laid(state, seat, card, auto=False))


def _pass(state: State, seat: Seat) -> Step[State]:
    """Pass. Source: rules.md 3.5."""
    if playable(state, seat):
        raise IllegalMove("must_play", "a card fits: it must be laid")
    return _go_on(*_passed(state, seat, auto=False))


def _time_out(state: State, seat: Seat) -> Step[State]:
    """Play the lowest card that fits for a silent seat, or pass. Source: rules.md 6.2."""
    miss = missed(state.pilots, seat, state.options.miss_limit)
    state = replace(state, pilots=miss.pilots)
    cards = playable(state, seat)
    if cards:
        state, event = _laid(state, seat, lowest(cards), auto=True)
    else:
        state, event = _passed(state, seat, auto=True)
    return _go_on(state, *miss.before, event, *miss.after)


def _laid(state: State, seat: Seat, card: Card, *, auto: bool) -> tuple[State, Event]:
    cards = tuple(held for held in state.player(seat).cards if held != card)
    state = state.with_player(seat, cards=cards)
    state = replace(state, lines=with_card(state.lines, card), silent=0)
    return state, CardPlayed(seat=seat, card=card, left=len(cards), auto=auto)


def _passed(state: State, seat: Seat, *, auto: bool) -> tuple[State, Event]:
    """Note a pass; some seat can always lay a card, so a round of them can't be full."""
    state = state.with_player(seat, passes=state.player(seat).passes + 1)
    state = replace(state, silent=state.silent + 1)
    assert state.silent < len(state.seats), "all pass, though a card fits"
    chips = PASS_COST if state.options.has_chips else 0
    return state, SeatPassed(seat=seat, chips=chips, pool=state.pool, auto=auto)


def _go_on(state: State, *events: Event) -> Step[State]:
    """Give the turn to the left, or end the hand if the seat has laid its last card."""
    assert state.acting is not None
    if not state.player(state.acting).cards:
        return end(state, state.acting, events)
    seat = state.after(state.acting)
    return Step(replace(state, acting=seat), (*events, TurnBegan(seats=(seat,))))
