"""The moves of a hand: `start`, `draws`, `to_act`, `undealt`, `apply`."""

from dataclasses import replace
from typing import assert_never

from server.cards.card import Card, suit_of
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
    SeatKind,
    Step,
    TimedOut,
    TurnBegan,
)
from server.cards.pack import Pack
from server.cards.substitutes import acted, left, missed, pilots_of, returned
from server.cards.tricks import SEATS, lowest, seat_after, suit_named
from server.games.court_piece.batches import (
    BATCHES,
    DRAWS,
    LUCK,
    chooser_of,
    drawn_cards,
    positions_of,
)
from server.games.court_piece.events import (
    BatchDealt,
    CardPlayed,
    CardsDrawn,
    HandCounted,
    LuckTurned,
    TrickTaken,
    TrumpNamed,
    TrumpPassed,
)
from server.games.court_piece.legality import check
from server.games.court_piece.moves import Move, NameTrump, Pass, Play
from server.games.court_piece.options import Options
from server.games.court_piece.scoring import (
    Result,
    Standing,
    gain_of,
    memo_of,
    next_dealer,
    partner_of,
    standing_of,
    target_of,
    team_of,
)
from server.games.court_piece.state import State

PACK = Pack(1, 0)

Events = tuple[Event, ...]


def start(options: Options, seats: tuple[SeatInfo, ...], carry: Carry) -> State:
    """Make the hand before its cards; `carry.dealer` deals, None leaves it to the first draw.

    Shape:  all four seats. Errors: ValueError for a memo that is none of this game.
    Source: rules.md 1.1, 2.1, 3.1, 5.7.
    """
    assert [info.seat for info in seats] == list(range(SEATS)), seats
    standing = standing_of(carry.memo) if carry.memo else Standing(target_of(options, seats))
    novices = tuple(
        info.seat for info in seats if info.kind is SeatKind.HUMAN and info.matches_played == 0
    )
    return State(options, pilots_of(seats), novices, standing, carry.dealer)


def draws(state: State) -> tuple[int, ...]:
    """Ask the toss for four cards of a pack, if no dealer is fixed. Source: rules.md 2.2."""
    return DRAWS if state.dealer is None else ()


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
    if state.acting is None and seat != DEALER:
        raise IllegalMove("dealer_acts", "the cards are being shuffled")
    if isinstance(move, Left):
        pilots, gone = left(state.pilots, seat)
        return Step(replace(state, pilots=pilots), (gone,))
    if isinstance(move, Returned):
        pilots, back = returned(state.pilots, seat)
        return Step(replace(state, pilots=pilots), (back,))
    _check_turn(state, seat)
    if isinstance(move, Deal):
        if seat != DEALER:
            raise IllegalMove("unknown_move", "only the dealer deals")
        return _deal(state, move)
    if seat == DEALER:
        raise IllegalMove("unknown_move", "the dealer only deals")
    if isinstance(move, TimedOut):
        return _time_out(state, seat)
    check(state, seat, move)
    state = replace(state, pilots=acted(state.pilots, seat))
    match move:
        case NameTrump():
            named = TrumpNamed(seat=seat, suit=move.suit)
            return _fix_trump(replace(state, trump=move.suit, namer=seat), (named,))
        case Pass():
            return _pass(state, seat)
        case Play():
            return _lay(state, seat, move.card)
        case _:
            assert_never(move)


def _check_turn(state: State, seat: Seat) -> None:
    if seat in to_act(state):
        return
    if state.acting is not None and state.acting == partner_of(seat):
        raise IllegalMove("partner_in_turn", "the partner is in turn")
    raise IllegalMove("not_your_turn", "another seat is in turn")


def _time_out(state: State, seat: Seat) -> Step[State]:
    """Play for a silent seat. Source: rules.md 3.2, 3.3, 6."""
    miss = missed(state.pilots, seat, state.options.miss_limit)
    state = replace(state, pilots=miss.pilots)
    if state.phase == "play":
        assert state.trump is not None
        card = lowest(state.legal_cards(seat), state.trump)
        step = _lay(state, seat, card, auto=True, after=miss.after)
    elif state.has_passed:
        step = _turn_luck(state, seat, miss.after)
    else:
        step = _pass(state, seat, auto=True, after=miss.after)
    return Step(step.state, (*miss.before, *step.events))


def _deal(state: State, deal: Deal) -> Step[State]:
    """Draw for the first choice if need be, then deal five cards to each. Source: rules.md 2."""
    assert sorted(deal.order) == sorted(undealt(state)), "not an order of the cards asked for"
    assert len(deal.draws) == len(draws(state)), deal.draws
    events: Events = ()
    if state.dealer is None:
        drawn = drawn_cards(PACK.cards, deal.draws)
        chooser = chooser_of(drawn)
        dealer = Seat((chooser - 1) % SEATS)
        state = replace(state, dealer=dealer, drawn=drawn)
        events = (CardsDrawn(cards=drawn, chooser=chooser, dealer=dealer),)
    step = _deal_batch(replace(state, is_dealt=True, stock=deal.order), 1)
    turn = TurnBegan(seats=(state.chooser,))
    return Step(replace(step.state, acting=state.chooser), (*events, *step.events, turn))


def _deal_batch(state: State, batch: int) -> Step[State]:
    """Give each seat its cards of a batch; a card that all have seen is given to nobody again."""
    assert state.dealer is not None
    rows = positions_of(batch, state.chooser)
    begin = rows[0][1][0]
    told = BatchDealt(
        dealer=state.dealer, chooser=state.chooser, batch=batch, cards=BATCHES[batch - 1]
    )
    events: list[Event] = [told]
    holdings = list(state.holdings)
    for seat, positions in rows:
        cards = tuple(state.stock[position - begin] for position in positions)
        holdings[seat] = (*holdings[seat], *cards)
        hidden = tuple(p for p in positions if state.luck is None or p != LUCK)
        events.append(Given(to=seat, epoch=0, positions=hidden))
    dealt = sum(len(positions) for _, positions in rows)
    state = replace(state, holdings=tuple(holdings), stock=state.stock[dealt:])
    return Step(state, tuple(events))


def _pass(state: State, seat: Seat, *, auto: bool = False, after: Events = ()) -> Step[State]:
    partner = partner_of(seat)
    passed = TrumpPassed(seat=seat, partner=partner, auto=auto)
    state = replace(state, has_passed=True, acting=partner)
    return Step(state, (passed, *after, TurnBegan(seats=(partner,))))


def _turn_luck(state: State, seat: Seat, after: Events) -> Step[State]:
    """Let the dealer turn the card of luck. Source: rules.md 3.3, 3.4."""
    assert state.dealer is not None
    card = state.stock[0]
    turned = LuckTurned(seat=seat, dealer=state.dealer, card=card)
    state = replace(state, trump=suit_named(suit_of(card)), luck=card)
    return _fix_trump(state, (turned, Given(epoch=0, positions=(LUCK,)), *after))


def _fix_trump(state: State, events: Events) -> Step[State]:
    """Deal the rest, now that trump is fixed; the first trick begins. Source: rules.md 2.5, 4.1."""
    second = _deal_batch(state, 2)
    third = _deal_batch(second.state, 3)
    leads = state.namer if state.options.namer_leads and state.namer is not None else state.chooser
    turn = TurnBegan(seats=(leads,))
    dealt = replace(third.state, acting=leads)
    return Step(dealt, (*events, *second.events, *third.events, turn))


def _lay(
    state: State, seat: Seat, card: Card, *, auto: bool = False, after: Events = ()
) -> Step[State]:
    """Lay a card on the table; the fourth gives the trick away. Source: rules.md 4.3, 4.4."""
    state = state.without(seat, card)
    events: Events = (CardPlayed(seat=seat, card=card, auto=auto), *after)
    if len(state.trick) < SEATS:
        following = seat_after(seat)
        state = replace(state, acting=following)
        return Step(state, (*events, TurnBegan(seats=(following,))))
    trick = state.finished_trick
    team = team_of(trick.winner)
    state = replace(state, trick=(), tricks=(*state.tricks, trick), acting=trick.winner)
    taken = TrickTaken(seat=trick.winner, team=team, tricks=state.team_tricks[team])
    events = (*events, taken)
    if state.result is None:
        return Step(state, (*events, TurnBegan(seats=(trick.winner,))))
    return _score(state, state.result, events)


def _score(state: State, result: Result, events: Events) -> Step[State]:
    """Count the hand; the winner is the lower seat of the team. Source: rules.md 5."""
    assert state.dealer is not None
    counting = state.options.counting
    match = state.standing.after(result, counting)
    gained = match.score[result.team] - state.standing.score[result.team]
    counted = HandCounted(
        team=result.team,
        callers=result.callers,
        court=result.court,
        tricks=state.team_tricks,
        gained=gained,
        bonus=gained - gain_of(result, counting),
        run=match.run,
        score=match.score,
    )
    is_over = match.winner is not None
    team = (Seat(result.team), partner_of(Seat(result.team)))
    carry = Carry(dealer=next_dealer(state.dealer, result), memo=memo_of(match))
    scored = Scored(
        points=tuple((Seat(seat), gained if seat in team else 0) for seat in range(SEATS)),
        winner=team[0],
        carry=Carry() if is_over else carry,
        match_over=is_over,
        winners=team if is_over else (),
    )
    state = replace(state, acting=None, scored=scored)
    return Step(state, (*events, counted, scored))
