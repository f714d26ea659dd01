"""The moves of a hand: `start`, `draws`, `to_act`, `undealt`, `apply`."""

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
    Scored,
    Seat,
    SeatInfo,
    Step,
    TimedOut,
    TurnBegan,
)
from server.cards.pack import Pack
from server.cards.substitutes import acted, left, missed, pilots_of, returned
from server.cards.tricks import (
    HAND_CARDS,
    SEATS,
    longest_suit,
    lowest,
    seat_after,
    seats_from,
)
from server.games.batak.bids import PASS, Call, contract_of, find_caller
from server.games.batak.events import (
    AuctionWon,
    BidMade,
    CardPlayed,
    HandCounted,
    HandDealt,
    SeatPassed,
    TrickTaken,
    TrumpNamed,
)
from server.games.batak.legality import check
from server.games.batak.moves import Bid, Move, NameTrump, Pass, Play
from server.games.batak.options import Options
from server.games.batak.scoring import DEALS, memo_of, owed_by, points_of, standing_of
from server.games.batak.state import State

PACK = Pack(1, 0)

Events = tuple[Event, ...]


def start(options: Options, seats: tuple[SeatInfo, ...], carry: Carry) -> State:
    """Make the hand before its cards; `carry.dealer` deals, None leaves it to the toss.

    Shape:  all four seats. Errors: ValueError for a memo that is none of this game.
    Source: rules.md 1.1, 2.1.
    """
    assert [info.seat for info in seats] == list(range(SEATS)), seats
    return State(options, pilots_of(seats), standing_of(carry.memo), carry.dealer)


def draws(state: State) -> tuple[int, ...]:
    """Ask the toss for the first dealer, if none is fixed."""
    return (SEATS,) if state.dealer is None else ()


def to_act(state: State) -> frozenset[Seat]:
    """Say who may move."""
    if state.ended:
        return frozenset()
    return frozenset({DEALER if state.acting is None else state.acting})


def undealt(state: State) -> tuple[Card, ...]:
    """List the whole pack by number, before the deal."""
    return () if state.is_dealt else PACK.cards


def apply(state: State, seat: Seat, move: Move | Deal | TimedOut | Left | Returned) -> Step[State]:
    """Play a move.

    Errors: IllegalMove, and nothing has changed; AssertionError if a card is lost.
    Source: rules.md 2 to 6.
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
        pilots, gone = left(state.pilots, seat)
        return Step(replace(state, pilots=pilots), (gone,))
    if isinstance(move, Returned):
        pilots, back = returned(state.pilots, seat)
        return Step(replace(state, pilots=pilots), (back,))
    if seat not in acting:
        raise IllegalMove("not_your_turn", "another seat is in turn")
    if isinstance(move, Deal):
        if seat != DEALER:
            raise IllegalMove("unknown_move", "only the dealer deals")
        return _deal(state, move)
    if seat == DEALER:
        raise IllegalMove("unknown_move", "the dealer only deals")
    if isinstance(move, TimedOut):
        return _time_out(state, seat)
    step = _play(state, seat, move)
    return Step(replace(step.state, pilots=acted(state.pilots, seat)), step.events)


def _play(state: State, seat: Seat, move: Move) -> Step[State]:
    """Check a seat's own move and make it."""
    check(state, seat, move)
    match move:
        case Bid():
            bid = BidMade(seat=seat, tricks=move.tricks)
            return _call(state, Call(seat, move.tricks), (bid,))
        case Pass():
            return _pass(state, seat)
        case NameTrump():
            return _name(state, seat, move)
        case Play():
            return _lay(state, seat, move.card)
        case _:
            assert_never(move)


def _time_out(state: State, seat: Seat) -> Step[State]:
    """Play for a silent seat. Source: rules.md 6."""
    miss = missed(state.pilots, seat, state.options.miss_limit)
    state = replace(state, pilots=miss.pilots)
    match state.phase:
        case "auction":
            step = _pass(state, seat, auto=True, after=miss.after)
        case "trump":
            suit = longest_suit(state.holdings[seat])
            step = _name(state, seat, NameTrump(suit), auto=True, after=miss.after)
        case _:
            assert state.trump is not None
            card = lowest(state.legal_cards(seat), state.trump)
            step = _lay(state, seat, card, auto=True, after=miss.after)
    return Step(step.state, (*miss.before, *step.events))


def _deal(state: State, deal: Deal) -> Step[State]:
    """Deal one card at a time from the dealer's right on. Source: rules.md 2."""
    assert sorted(deal.order) == sorted(undealt(state)), "not an order of the cards asked for"
    assert len(deal.draws) == len(draws(state)), deal.draws
    dealer = Seat(deal.draws[0]) if state.dealer is None else state.dealer
    number = state.standing.deals_played + 1
    events: list[Event] = [HandDealt(dealer=dealer, deal=number, deals=DEALS)]
    holdings: list[tuple[Card, ...]] = [()] * SEATS
    first = seat_after(dealer)
    for offset, seat in enumerate(seats_from(first)):
        positions = tuple(range(offset, SEATS * HAND_CARDS, SEATS))
        holdings[seat] = tuple(deal.order[position] for position in positions)
        events.append(Given(to=seat, epoch=0, positions=positions))
    events.append(TurnBegan(seats=(first,)))
    state = replace(state, dealer=dealer, acting=first, is_dealt=True, holdings=tuple(holdings))
    return Step(state, tuple(events))


def _pass(state: State, seat: Seat, *, auto: bool = False, after: Events = ()) -> Step[State]:
    passed = SeatPassed(seat=seat, auto=auto)
    return _call(state, Call(seat, PASS), (passed, *after))


def _call(state: State, call: Call, events: Events) -> Step[State]:
    """Give the call on, or the hand to the winner of the auction. Source: rules.md 3."""
    assert state.dealer is not None
    calls = (*state.calls, call)
    dealer = state.dealer
    following = find_caller(dealer, calls, single_round=state.options.single_round)
    if following is not None:
        state = replace(state, calls=calls, acting=following)
        return Step(state, (*events, TurnBegan(seats=(following,))))
    won = contract_of(dealer, calls)
    state = replace(state, calls=calls, contract=won, acting=won.seat)
    told = AuctionWon(seat=won.seat, tricks=won.tricks, is_forced=won.is_forced)
    return Step(state, (*events, told, TurnBegan(seats=(won.seat,))))


def _name(
    state: State, seat: Seat, move: NameTrump, *, auto: bool = False, after: Events = ()
) -> Step[State]:
    named = TrumpNamed(seat=seat, suit=move.suit, auto=auto)
    events = (named, *after, TurnBegan(seats=(seat,)))
    return Step(replace(state, trump=move.suit), events)


def _lay(
    state: State, seat: Seat, card: Card, *, auto: bool = False, after: Events = ()
) -> Step[State]:
    """Lay a card on the table; the fourth gives the trick away. Source: rules.md 4.7."""
    state = state.without(seat, card)
    events: Events = (CardPlayed(seat=seat, card=card, auto=auto), *after)
    if len(state.trick) < SEATS:
        following = seat_after(seat)
        state = replace(state, acting=following)
        return Step(state, (*events, TurnBegan(seats=(following,))))
    trick = state.finished_trick
    winner = trick.winner
    state = replace(state, trick=(), tricks=(*state.tricks, trick), acting=winner)
    events = (*events, TrickTaken(seat=winner, tricks=state.taken(winner)))
    if len(state.tricks) < HAND_CARDS:
        return Step(state, (*events, TurnBegan(seats=(winner,))))
    return _score(state, events)


def _score(state: State, events: Events) -> Step[State]:
    """Count the hand; after the eighth deal the match is over.

    Shape:  the winner is the seat that alone has won the match; None before its end, and if several
            share it.
    Source: rules.md 5.
    """
    assert state.contract is not None
    assert state.dealer is not None
    owed = owed_by(state.contract)
    taken = tuple(state.taken(Seat(seat)) for seat in range(SEATS))
    points = tuple(points_of(owed=o, taken=t) for o, t in zip(owed, taken, strict=True))
    match = state.standing.after(points)
    counted = HandCounted(owed=owed, tricks=taken, points=points, totals=match.totals)
    carry = Carry(dealer=seat_after(state.dealer), memo=memo_of(match))
    winners = match.winners if match.is_over else ()
    scored = Scored(
        points=tuple((Seat(seat), one) for seat, one in enumerate(points)),
        winner=winners[0] if len(winners) == 1 else None,
        carry=Carry() if match.is_over else carry,
        match_over=match.is_over,
        winners=winners,
    )
    state = replace(state, acting=None, scored=scored)
    return Step(state, (*events, counted, scored))
