"""What holds in any hand and in any match."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.cards.card import Card, suit_of
from server.cards.game import DEALER, Carry, Deal, Scored, Seat, TimedOut
from server.cards.pack import Pack
from server.games.court_piece import GAME
from server.games.court_piece.batches import DRAWS, chooser_of, drawn_cards
from server.games.court_piece.options import Options
from server.games.court_piece.scoring import RUN, Result, Standing, next_dealer, team_of
from server.games.court_piece.state import State
from tests.games.tricks import humans

RESULTS = st.tuples(st.integers(0, 1), st.booleans())


def play(carry: Carry, chance: Random) -> State:
    """Play one hand at random."""
    state = GAME.start(Options(short_first_matches=False), humans(), carry)
    while acting := GAME.to_act(state):
        (seat,) = acting
        if seat == DEALER:
            order = list(GAME.undealt(state))
            chance.shuffle(order)
            draws = tuple(chance.randrange(modulus) for modulus in GAME.draws(state))
            state = GAME.apply(state, seat, Deal(tuple(order), draws)).state
        elif chance.random() < 0.1:
            state = GAME.apply(state, seat, TimedOut(seat)).state
        else:
            moves = list(GAME.legal_moves(state, seat))
            state = GAME.apply(state, seat, chance.choice(moves)).state
    return state


@pytest.mark.parametrize("seed", range(6))
def test_in_whole_matches_the_winners_always_choose_next(seed: int) -> None:
    chance, carry, gained = Random(seed), Carry(), [0, 0]
    for hand in range(1, 40):
        state = play(carry, chance)
        scored, result = state.scored, state.result
        assert isinstance(scored, Scored)
        assert result is not None
        assert max(state.team_tricks) == 7
        assert (result.court != "none") == (min(state.team_tricks) == 0)
        assert state.standing.hands_played == hand - 1
        points = [value for _, value in scored.points]
        assert points[0] == points[2]
        assert points[1] == points[3]
        assert points[1 - result.team] == 0
        gained = [gained[0] + points[0], gained[1] + points[1]]
        if scored.match_over:
            assert max(gained) >= 10
            assert scored.champions == (result.team, result.team + 2)
            return
        assert max(gained) < 10
        carry = scored.carry
        assert carry.dealer is not None
        assert team_of(Seat((carry.dealer + 1) % 4)) == result.team
    pytest.fail("the match does not end")


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.lists(st.tuples(RESULTS, st.integers(0, 3)), max_size=40), st.booleans())
def test_runs_pay_once_each_seven_and_scores_never_fall(
    hands: list[tuple[tuple[int, bool], int]], in_courts: bool
) -> None:
    counting = "courts" if in_courts else "points"
    standing, dealer = Standing(10_000), Seat(0)
    for (team, is_court), _ in hands:
        callers = 1 - team_of(dealer)
        court = ("court" if team == callers else "goon") if is_court else "none"
        result = Result(team, callers, court)  # type: ignore[arg-type]
        after = standing.after(result, counting)
        assert after.score[1 - team] == standing.score[1 - team]
        assert after.score[team] >= standing.score[team]
        assert 0 <= after.run < RUN
        assert after.run == 0 or after.run_team == team
        assert not (is_court and after.run)
        standing, dealer = after, next_dealer(dealer, result)
        assert team_of(Seat((dealer + 1) % 4)) == team


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.tuples(*(st.integers(0, modulus - 1) for modulus in DRAWS)))
def test_four_different_cards_are_drawn_and_none_beats_the_choosers(draws: tuple[int, ...]) -> None:
    drawn = drawn_cards(Pack(1, 0).cards, draws)
    assert len({one.card for one in drawn}) == 4
    order = [Card(rank + suit) for rank in "AKQJT98765432" for suit in "SHDC"]
    assert chooser_of(drawn) == min(drawn, key=lambda one: order.index(one.card)).seat
    assert all(suit_of(one.card) in "SHDC" for one in drawn)
