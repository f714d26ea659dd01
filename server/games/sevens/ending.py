"""How a hand ends, and what it brings the match."""

from dataclasses import replace

from server.cards.game import Carry, Event, Scored, Seat, Step
from server.games.sevens.events import HandShown, MatchStanding, PoolTaken
from server.games.sevens.scoring import (
    CARD_COST,
    Match,
    chips_of,
    memo_of,
    penalty,
    winners_of,
)
from server.games.sevens.state import State


def end(state: State, winner: Seat, events: tuple[Event, ...]) -> Step[State]:
    """End the hand: the others show what they hold, and the match goes on or is over.

    `Scored.winner` is the seat that laid its last card; at the match's last hand the seat that has
    won the match, or None if several share it.

    Source: rules.md 4, 5.
    """
    assert state.dealer is not None
    shown = _shown(state, winner)
    cards_left = [len(player.cards) for player in state.seats]
    points = tuple(0 if player.seat == winner else penalty(player.cards) for player in state.seats)
    pool: tuple[Event, ...] = ()
    if state.options.has_chips:
        passes = [player.passes for player in state.seats]
        points = chips_of(winner=winner, passes=passes, cards_left=cards_left)
        pool = (PoolTaken(seat=winner, pool=state.pool, cards=sum(cards_left)),)
    totals = tuple(sum(pair) for pair in zip(state.match.scores, points, strict=True))
    is_over = state.number == state.options.hands
    won = winners_of(totals, has_chips=state.options.has_chips) if is_over else ()
    winners = tuple(map(Seat, won))
    scored = Scored(
        points=tuple((player.seat, own) for player, own in zip(state.seats, points, strict=True)),
        winner=_winner(winner, winners),
        carry=Carry(
            dealer=state.after(state.dealer),
            memo="" if is_over else memo_of(Match(state.number, totals)),
        ),
        match_over=is_over,
        winners=winners,
    )
    standing = MatchStanding(
        number=state.number,
        hands=state.options.hands,
        scores=tuple((player.seat, own) for player, own in zip(state.seats, totals, strict=True)),
        winners=winners,
    )
    state = replace(state, acting=None, shown=shown, scored=scored)
    return Step(state, (*events, *shown, *pool, standing, scored))


def _shown(state: State, winner: Seat) -> tuple[HandShown, ...]:
    return tuple(
        HandShown(
            seat=player.seat,
            cards=player.cards,
            cost=(
                CARD_COST * len(player.cards) if state.options.has_chips else penalty(player.cards)
            ),
        )
        for player in state.seats
        if player.seat != winner
    )


def _winner(of_hand: Seat, of_match: tuple[Seat, ...]) -> Seat | None:
    match of_match:
        case ():
            return of_hand
        case (one,):
            return one
        case _:
            return None
