"""What a play did, and how a hand ends: seep, leftovers, count, result, redeal."""

from dataclasses import replace
from typing import TypeVar

from server.cards.game import Carry, Event, Scored, Seat, Step
from server.games.seep.captures import Floor, team_of, value_of
from server.games.seep.events import (
    CardsTaken,
    CardThrown,
    HouseBuilt,
    HouseRaised,
    LeftoversTaken,
    PointsCounted,
    Redealt,
    SeepMade,
)
from server.games.seep.moves import Build, Play, Raise, Take, Throw
from server.games.seep.scoring import DEAL_POINTS, Pair, card_points, seep_points, settled
from server.games.seep.state import EMPTY_FLOOR, PLAYS, State

T = TypeVar("T")


def redeal(state: State, events: list[Event]) -> Step[State]:
    """End a hand whose bidder has nothing to bid. Source: rules.md 3.2."""
    assert state.dealer is not None
    assert state.acting is not None
    cards = state.player(state.acting).cards
    scored = Scored(
        points=tuple((player.seat, 0) for player in state.seats),
        winner=None,
        carry=Carry(dealer=state.dealer, memo=state.account.memo),
        match_over=False,
    )
    told = Redealt(seat=state.acting, cards=cards)
    state = replace(state, acting=None, redealt=cards, scored=scored)
    return Step(state, (*events, told, scored))


def tell_play(
    before: State, state: State, seat: Seat, play: Play, *, auto: bool
) -> tuple[State, list[Event]]:
    """Tell what a play did, and give a pair what it took. Source: rules.md 4 to 7."""
    match play:
        case Throw():
            return state, [CardThrown(seat=seat, card=play.card, auto=auto)]
        case Build():
            return state, [_built(before.floor, state.floor, seat, play, auto=auto)]
        case Raise():
            return state, [_raised(state.floor, seat, play)]
        case Take():
            return _taken(before, state, seat, play, auto=auto)


def _built(before: Floor, floor: Floor, seat: Seat, play: Build, *, auto: bool) -> HouseBuilt:
    house = floor.find_house(play.value)
    assert house is not None
    return HouseBuilt(
        seat=seat,
        value=play.value,
        card=play.card,
        cards=play.cards or (),
        added=before.find_house(play.value) is not None,
        house_cards=house.cards,
        owners=house.owners,
        is_pakka=house.is_pakka,
        auto=auto,
    )


def _raised(floor: Floor, seat: Seat, play: Raise) -> HouseRaised:
    value = play.house + value_of(play.card)
    house = floor.find_house(value)
    assert house is not None
    return HouseRaised(
        seat=seat,
        house=play.house,
        value=value,
        card=play.card,
        cards=play.cards or (),
        house_cards=house.cards,
        owners=house.owners,
        is_pakka=house.is_pakka,
    )


def _taken(
    before: State, state: State, seat: Seat, play: Take, *, auto: bool
) -> tuple[State, list[Event]]:
    team, cards = team_of(seat), play.cards or ()
    house = before.floor.find_house(value_of(play.card))
    taken = CardsTaken(
        seat=seat, card=play.card, cards=cards, house=house.value if house else 0, auto=auto
    )
    pile = (*state.taken[team], *cards, play.card)
    state = replace(state, taken=_for_team(state.taken, team, pile), last_taker=team)
    if not state.floor.is_clear:
        return state, [taken]
    points = seep_points(state.plays, PLAYS)
    seeps = _for_team(state.seeps, team, (*state.seeps[team], points))
    return replace(state, seeps=seeps), [taken, SeepMade(seat=seat, points=points)]


def hand_over(state: State, events: list[Event]) -> Step[State]:
    """Count the deal after its last play. Source: rules.md 8."""
    dealer, team, loose = state.dealer, state.last_taker, state.floor.loose
    assert dealer is not None
    assert team is not None, "nobody ever took anything"
    assert not state.floor.houses, "an owner can always take his house"
    if loose:
        state = replace(
            state,
            taken=_for_team(state.taken, team, (*state.taken[team], *loose)),
            floor=EMPTY_FLOOR,
        )
        events.append(LeftoversTaken(team=team, cards=loose))
    cards: Pair = (card_points(state.taken[0]), card_points(state.taken[1]))
    seeps: Pair = (sum(state.seeps[0]), sum(state.seeps[1]))
    assert sum(cards) == DEAL_POINTS
    points: Pair = (cards[0] + seeps[0], cards[1] + seeps[1])
    outcome = settled(state.account, dealer, points)
    won = outcome.match_winner
    ahead = None if points[0] == points[1] else int(points[1] > points[0])
    winner = ahead if won is None else won
    events.append(
        PointsCounted(
            card_points=cards,
            seep_points=seeps,
            lead=outcome.lead,
            under_nine=-1 if outcome.under_nine is None else outcome.under_nine,
        )
    )
    scored = Scored(
        points=tuple((player.seat, points[team_of(player.seat)]) for player in state.seats),
        winner=None if winner is None else Seat(winner),
        carry=outcome.carry,
        match_over=won is not None,
        winners=() if won is None else (Seat(won), Seat(won + 2)),
    )
    state = replace(state, acting=None, counted=(cards, seeps), scored=scored)
    return Step(state, (*events, scored))


def _for_team(pair: tuple[T, T], team: int, value: T) -> tuple[T, T]:
    return (value, pair[1]) if team == 0 else (pair[0], value)
