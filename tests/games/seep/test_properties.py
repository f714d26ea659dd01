"""What every deal holds, played at random with fixed seeds."""

from random import Random

import pytest

from server.cards.game import Carry, Scored, Seat
from server.games import GAMES
from server.games.seep.captures import HOUSE_VALUES, Floor, team_of, value_of
from server.games.seep.events import HouseBuilt, HouseRaised, PointsCounted, Redealt, SeepMade
from server.games.seep.moves import Build, Move, Raise, Take, Throw
from server.games.seep.options import PACK, Options
from server.games.seep.scoring import account_of, card_points
from server.games.seep.state import State
from tests.games.match import Hand, play_hand
from tests.games.seep import oracle
from tests.games.seep.table import HUMANS

SEEDS = range(6)


def deal(seed: int, *, partner_may_raise: bool = False) -> Hand:
    """Play one deal to its count; hands that are dealt anew are passed over."""
    chance, carry = Random(f"deal {seed}"), Carry()
    options = Options(partner_may_raise=partner_may_raise)
    while True:
        hand = play_hand(GAMES["seep"], options, HUMANS, carry, chance)
        last = hand.steps[-1].events[-1]
        assert isinstance(last, Scored)
        if not any(isinstance(event, Redealt) for event in hand.steps[-1].events):
            return hand
        carry = last.carry


def plays(hand: Hand) -> list[tuple[State, Seat, Move, State]]:
    """List what was played, by whom, with the states around it; the clock's plays as well."""
    found = []
    for step in hand.steps:
        if step.after.plays > step.before.plays:
            assert step.after.last is not None
            found.append((step.before, *step.after.last, step.after))
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_8_1_a_deals_cards_make_a_hundred_points(seed: int) -> None:
    hand = deal(seed)
    (counted,) = (e for e in hand.steps[-1].events if isinstance(e, PointsCounted))
    seeps = [e.points for step in hand.steps for e in step.events if isinstance(e, SeepMade)]
    assert sum(counted.card_points) == 100
    assert sum(counted.seep_points) == sum(seeps)
    state = hand.steps[-1].after
    assert sorted([*state.taken[0], *state.taken[1]]) == sorted(PACK.cards)
    assert [card_points(pile) for pile in state.taken] == list(counted.card_points)
    points = dict(state.scored.points)
    assert points[Seat(0)] == points[Seat(2)]
    assert points[Seat(1)] == points[Seat(3)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("partner_may_raise", [False, True])
def test_5_4_every_house_is_taken_before_the_end(seed: int, partner_may_raise: bool) -> None:
    hand = deal(seed, partner_may_raise=partner_may_raise)
    made = [
        event for step in hand.steps for event in step.events
        if isinstance(event, HouseBuilt | HouseRaised)
    ]  # fmt: skip
    assert made
    assert hand.steps[-1].after.floor == Floor()
    assert len(plays(hand)) == 48


@pytest.mark.parametrize("seed", SEEDS)
def test_5_the_floor_is_always_as_the_rules_have_it(seed: int) -> None:
    hand = deal(seed)
    for step in hand.steps:
        state = step.after
        values = [house.value for house in state.floor.houses]
        assert values == sorted(set(values))
        assert set(values) <= set(HOUSE_VALUES)
        assert not {value_of(card) for card in state.floor.loose} & set(values)
        for house in state.floor.houses:
            assert frozenset() in {
                frozenset(house.cards) - took for took in oracle.takes(house.cards, house.value)
            }
            assert house.owners
            for owner in house.owners:
                assert house.value in map(value_of, state.player(owner).cards)


@pytest.mark.parametrize("seed", SEEDS)
def test_4_2_a_thrown_card_takes_nothing_and_a_taking_one_leaves_nothing(seed: int) -> None:
    for before, _, move, after in plays(deal(seed)):
        if isinstance(move, Throw | Take):
            value = value_of(move.card)
            free = [card for card in after.floor.loose if card != move.card]
            assert not oracle.sets_of(free, value)
            assert after.floor.find_house(value) is None
            assert isinstance(move, Take) is bool(
                oracle.sets_of(before.floor.loose, value) or before.floor.find_house(value)
            )
        elif isinstance(move, Build):
            assert not oracle.sets_of(after.floor.loose, move.value)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_listed_plays_are_all_that_a_plain_reading_allows(seed: int) -> None:
    """Every play that could be said is tried: those that are not refused are those listed."""
    game = GAMES["seep"]
    for state, *_ in plays(deal(seed)):
        (seat,) = game.to_act(state)
        listed = list(game.legal_moves(state, seat))
        assert len(set(listed)) == len(listed)
        assert set(listed) == set(_plain(state, seat))


def _plain(state: State, seat: Seat) -> list[Move]:
    """List the plays of a seat by the plain reading of the rules."""
    due = 0 if state.plays else state.bid
    found: list[Move] = []
    for card in state.player(seat).cards:
        value, loose = value_of(card), state.floor.loose
        house = state.floor.find_house(value)
        taking = [one for one in oracle.takes(loose, value) if one or house]
        held = () if house is None else house.cards
        if due in (0, value):
            found += [Take(card, (*held, *(c for c in loose if c in one))) for one in taking]
        if not due and not taking:
            found.append(Throw(card))
        for worth in HOUSE_VALUES if not due else (due,):
            found += _builds(state, seat, card, worth)
        found += [] if due else _raises(state, seat, card)
    return found or [Throw(c) for c in state.player(seat).cards if value_of(c) == due]


def _builds(state: State, seat: Seat, card: str, value: int) -> list[Move]:
    (played,) = (own for own in state.player(seat).cards if own == card)
    house, loose = state.floor.find_house(value), state.floor.loose
    owning = () if house is None else house.owners
    mine = seat in owning or team_of(seat) not in map(team_of, owning)
    if not _may_play(state, seat, card, value if mine else 0):
        return []
    return [
        Build(value, played, tuple(c for c in loose if c in one))
        for one in oracle.joins(loose, played, value)
        if one or house is not None
    ]


def _raises(state: State, seat: Seat, card: str) -> list[Move]:
    (played,) = (own for own in state.player(seat).cards if own == card)
    found: list[Move] = []
    for house in state.floor.houses:
        value = house.value + value_of(played)
        if value > 13 or oracle.worth(house.cards) > house.value:
            continue
        if team_of(seat) not in map(team_of, house.owners) and _may_play(state, seat, card, value):
            found += [
                Raise(house.value, played, tuple(c for c in state.floor.loose if c in one))
                for one in oracle.takes(state.floor.loose, value)
            ]
    return found


def _may_play(state: State, seat: Seat, card: str, value: int) -> bool:
    """Tell whether cards are left for the house of `value`, 0 if none is owed, and the own ones."""
    kept = {value_of(own) for own in state.player(seat).cards if own != card}
    owed = {house.value for house in state.floor.houses if seat in house.owners}
    return (owed | ({value} if value else set())) <= kept


@pytest.mark.parametrize("seed", range(4))
def test_8_the_account_is_carried_from_deal_to_deal_until_it_is_won(seed: int) -> None:
    chance, carry, lead = Random(f"match {seed}"), Carry(), 0
    for _ in range(60):
        hand = play_hand(GAMES["seep"], Options(), HUMANS, carry, chance)
        state, scored = hand.steps[-1].after, hand.steps[-1].events[-1]
        assert isinstance(scored, Scored)
        points = dict(scored.points)
        lead += points[Seat(0)] - points[Seat(1)]
        under_nine = not state.redealt and min(points.values()) < 9
        assert scored.match_over is (abs(lead) >= 100 or under_nine)
        if scored.match_over:
            assert scored.carry.memo == ""
            return
        assert account_of(scored.carry.memo).lead == lead
        carry = scored.carry
    pytest.fail("the match does not end")
