"""The policy plays whole hands among itself, legally, alike for the same seed, to their end."""

from dataclasses import replace
from random import Random

import pytest

from server.bots.rummy import Sight, choose
from server.cards.card import Card
from server.games.rummy.moves import Declare, Discard, Draw, Drop
from server.games.rummy.options import Options
from tests.bots.tables import play_hand


def sight(hand: str, **changes: object) -> Sight:
    cards = tuple(Card(card) for card in hand.split())
    before = Sight(
        hand=cards,
        known=frozenset(),
        wild_rank="3",
        open_top=Card("2D"),
        may_take_joker=True,
        refused=None,
        has_drawn=len(cards) == 14,
        draws=1,
    )
    return replace(before, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", [4, 6, 8])
def test_hands_of_policies_end_with_a_result_and_every_seat_could_follow(seats: int) -> None:
    for seed in range(6):
        played = play_hand(Options(seats=seats), seed)
        assert played.scored is not None
        assert played.scored.winner is not None
        assert 1 <= played.turns <= 40 * seats


def test_a_short_company_plays_to_the_end_too() -> None:
    assert play_hand(Options(seats=6), 5, players=2).scored is not None


def test_the_same_seed_plays_the_same_hand() -> None:
    assert play_hand(Options(seats=4), 7).lines == play_hand(Options(seats=4), 7).lines
    assert play_hand(Options(seats=4), 7).lines != play_hand(Options(seats=4), 8).lines


def test_a_six_seat_table_often_reaches_a_reshuffle() -> None:
    hands = [play_hand(Options(seats=6), seed) for seed in range(24)]
    assert sum(hand.reshuffles > 0 for hand in hands) >= 4


def test_careless_players_reach_a_reshuffle_more_often_than_not() -> None:
    hands = [play_hand(Options(seats=6), seed, is_careless=True) for seed in range(24)]
    assert sum(hand.reshuffles > 0 for hand in hands) >= 12
    assert all(hand.scored is not None for hand in hands)


def test_options_that_forbid_open_jokers_and_returns_are_kept_to() -> None:
    options = Options(seats=6, open_joker_pick=False, return_open_card=False)
    for seed in range(6):
        assert play_hand(options, seed).scored is not None


def test_a_complete_hand_is_declared_at_once_with_its_groups() -> None:
    hand = "4S 5S 6S 8H 9H TH KD KC KH 2D 2C 2H 2S QS"
    move = choose(sight(hand), Random(1))
    assert isinstance(move, Declare)
    assert move.finish == "QS"
    assert sorted(card for group in move.groups or () for card in group) == sorted(
        hand.split()[:-1]
    )


def test_an_open_card_that_makes_a_run_is_taken() -> None:
    hand = "4S 5S 8H 9H KD KC 2D 7C QS AD JH TC 9S"
    assert choose(sight(hand, open_top=Card("6S")), Random(1)) == Draw("open")
    assert choose(sight(hand, open_top=Card("QH")), Random(1)) == Draw("closed")


def test_an_open_joker_is_taken_where_the_table_allows_it() -> None:
    hand = "4S 5S 8H 9H KD KC 2D 7C QS AD JH TC 9S"
    assert choose(sight(hand, open_top=Card("3H")), Random(1)) == Draw("open")
    barred = sight(hand, open_top=Card("3H"), may_take_joker=False)
    assert choose(barred, Random(1)) == Draw("closed")


def test_a_hopeless_first_hand_is_dropped_and_a_later_one_is_not() -> None:
    hand = "KD JH 9S 7C 5H AD QS TC 8H 2C 4D 6S TH#1"
    assert choose(sight(hand, draws=0), Random(1)) == Drop()
    later = sight(hand, draws=1, open_top=Card("2C#1"))
    assert choose(later, Random(1)) == Draw("closed")


def test_of_two_equal_faces_the_copy_goes_that_all_have_seen() -> None:
    """fairdeal/1, Transcript: the copy that is named must tell the others nothing."""
    hand = "4S 5S 6S 8H 9H TH KD KC KH 2D 2C JC JC#1 9S"
    chosen = {choose(sight(hand, refused=Card("9S")), Random(seed)) for seed in range(40)}
    assert {Discard(Card("JC")), Discard(Card("JC#1"))} <= chosen
    seen = sight(hand, refused=Card("9S"), known=frozenset({Card("JC#1")}))
    known = {choose(seen, Random(seed)) for seed in range(40)}
    assert Discard(Card("JC")) not in known
