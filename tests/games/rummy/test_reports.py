"""Bugs that others had, by the number of the report in the project's list, as tests of ours."""

import random

import pytest

from server.cards.card import Card
from server.cards.game import IllegalMove, Seat
from server.games.rummy import GAME
from server.games.rummy.options import PACKS, Options
from server.games.rummy.scoring import count, kinds_of
from server.games.rummy.state import State
from tests.games.match import random_hand
from tests.games.rummy.table import BROKEN, BROKEN_TOO, COMPLETE, Table


def _cards(text: str) -> list[Card]:
    return [Card(card) for card in text.split()]


def test_report_1_a_set_compares_all_its_suits() -> None:
    """machocam/rummikub 2: tiles were compared with the first one alone."""
    assert not kinds_of(_cards("KD KH KC KC"), "2")


def test_report_2_a_joker_makes_no_duplicate_legal() -> None:
    """townteki/townsquare 202: a joker in the hand made duplicates legal."""
    assert not kinds_of(_cards("7S 7S JK"), "2")
    assert not kinds_of(_cards("7S 8S 8S JK"), "2")


def test_report_3_groups_of_jokers_alone_are_groups() -> None:
    """mjpieters/RummikubConsole 7: a crash with three jokers, as no tile came first."""
    assert kinds_of(_cards("JK JK JK"), "2") == {"seq", "set"}
    hand = _cards("4S 5S 6S KS KH KD KC QH QD QC JK JK JK")
    assert count(hand, None).can_declare


def test_report_4_no_solution_with_jokers_is_lost() -> None:
    """One joker makes 8-9 a run, the other Q-Q a set: only the five is loose.

    mjpieters/RummikubConsole 1: runs with jokers were culled, and solutions with them.
    """
    counted = count(_cards("2C 3C 4C 5H JK JK 8H 9H KD KC KS QD QC"), "7")
    assert (counted.points, counted.case) == (5, "two_sequences")


def test_report_5_long_runs_with_jokers_are_found() -> None:
    """damr-/rummy 4: long runs with jokers were not found."""
    counted = count(_cards("AS 2S 3S 4S 5S JK 7S 8S JK TS JS QS KS"), "6")
    assert counted.points == 0
    assert counted.can_declare


def test_report_6_a_pair_is_not_counted_twice() -> None:
    """damr-/rummy 2: overlapping pairs were counted twice."""
    assert count(_cards("5S 6S 7S 7S 8S TH JH QH 9D 9C JK KD 2C"), "4").points == 19


@pytest.mark.parametrize("seed", range(8))
def test_reports_7_16_21_and_27_every_card_is_in_one_place(seed: int) -> None:
    """damr-/rummy 8, grifferz/pah-irc 23, Lattyware/massivedecks 183, cuttle-cards/cuttle 901.

    Cards in two places, or holdings that were too large or too small. Report 21 has a test at the
    table too, `tests/tables/test_reports.py`.
    """
    hand = random_hand("rummy", random.Random(f"conservation {seed}"))
    for step in hand.steps:
        assert sorted(_everywhere(step.after)) == sorted(PACKS[hand.options.seats].cards)
        for player in step.after.in_play:
            drawn = step.after.drawn is not None and player.seat == step.after.acting
            finished = player.finish is not None
            assert len(player.cards) == (14 if drawn and not finished else 13)


def _everywhere(state: State) -> list[Card]:
    found = [*state.closed_pile, *state.open_pile]
    found += [state.turned] if state.turned is not None else []
    for player in state.seats:
        found += [*player.cards, *player.laid_down]
        if player.finish is not None:
            found.append(state.orders[player.finish.epoch][player.finish.position])
    return found


def test_report_8_a_finished_hand_is_recognised() -> None:
    """ichabod801/t_games 370: greedy grouping missed a finished hand."""
    hand = _cards("6H QH QC 5H KD KH 7H KC QD 2S 3S 4S 4C")
    assert count(hand, "9").points == 4
    assert count([*hand[:-1], Card("KS")], "9").can_declare


def test_report_9_a_run_of_five_is_not_two_runs() -> None:
    """ichabod801/t_games 369: a run of five served as two runs of three."""
    counted = count(_cards("3D 4D 5D 6D 7D 6C 6H 8S 9S KC QH JC 2S"), "T")
    assert (counted.points, counted.case) == (61, "pure_only")


def test_report_10_an_ace_is_no_king() -> None:
    """ichabod801/t_games 487: aces went into sets of kings."""
    assert not kinds_of(_cards("KC KD AD"), "2")


def test_report_11_the_winner_may_be_out_of_turn() -> None:
    """ichabod801/t_games 482: whose turn it was got what the winner had won."""
    table = Table(seats=(0, 1, 2)).leave(2).drop(0)
    assert table.state.scored is not None
    assert table.state.scored.winner == 1
    assert table.points == {0: 20, 1: 0, 2: 40}


def test_report_12_the_finish_is_judged_by_the_other_thirteen() -> None:
    """datamllab/rlcard PR 92, PR 93, issue 81: the sets of finish cards were wrong."""
    for finish, right in (("KC", True), ("9C", False)):
        table = Table([COMPLETE], closed="KC").draw(0).declare(0, finish)
        assert (table.state.player(Seat(0)).out is None) is right


def test_report_13_an_ace_costs_ten_wherever_it_stands() -> None:
    """timpalpant/rummy 2: an ace was worth what its place made of it."""
    assert count(_cards("AH 2H 3H 5S 5D 5C KS KD 9C 8D 7S JC 6H"), "T").points == 75


@pytest.mark.parametrize("seats", [4, 6, 8])
def test_report_14_a_hand_in_which_nobody_ends_it_ends(seats: int) -> None:
    """datamllab/rlcard PR 247: a game could go on for ever."""
    table = Table(seats=range(seats), options=Options(seats=seats, miss_limit=20))
    moves = 0
    while not table.state.ended:
        acting = table.acting or 0
        if -1 in GAME.to_act(table.state):
            table.shuffle()
        elif table.state.drawn is None:
            table.draw(acting)
        else:
            table.discard(acting)
        moves += 1
    assert moves < 9 * 2 * 60


def test_report_15_an_empty_pile_is_filled_and_no_seat_is_stuck() -> None:
    """townteki/townsquare 497, byucs340ta/Fall2018 114 and 77: the pile stayed empty."""
    table = Table(seats=range(6), options=Options(seats=6))
    for number in range(26):
        table.turn(number % 6)
    table.draw(2).shuffle().discard(2).turn(3)
    assert len(table.state.closed_pile) == 24


def test_report_16_the_cards_of_those_who_are_out_stay_out() -> None:
    """grifferz/pah-irc 23: cards of those who resigned were shuffled in again."""
    table = Table(seats=range(6), options=Options(seats=6)).drop(0).draw(1).leave(1)
    out = {card for player in table.state.seats for card in player.laid_down}
    assert len(out) == 13 + 14
    while table.state.closed_pile:
        table.turn(table.acting or 0)
    table.draw(table.acting or 0)
    assert not out & set(GAME.undealt(table.state))
    assert not out & set(table.shuffle().state.closed_pile)


@pytest.mark.parametrize("index", range(14))
def test_report_17_each_of_the_fourteen_cards_may_be_discarded(index: int) -> None:
    """haydena23/GinRummy 17: the game froze when the last card of the hand was discarded."""
    table = Table([BROKEN]).draw(0)
    card = table.held(0)[index]
    table.discard(0, card)
    assert table.state.open_pile[-1] == card
    assert len(table.held(0)) == 13


def test_reports_18_and_20_one_draw_a_turn_and_in_turn() -> None:
    """byucs340ta/Winter2019 259, Fall2018 237; mtgred/netrunner 5213 and 468: drawn twice."""
    table = Table()
    with pytest.raises(IllegalMove, match="not_your_turn"):
        table.draw(1)
    table.draw(0)
    for source in ("closed", "open"):
        with pytest.raises(IllegalMove, match="already_drawn"):
            table.draw(0, source)


def test_report_19_a_card_must_be_held_by_its_very_copy() -> None:
    """dnsbty/level10 37, jakelauer/allbadcards 154: cards that nobody held were accepted."""
    table = Table([BROKEN], closed="KD").draw(0)
    assert "AS" in table.held(0)
    for card in ("AS#1", "AD", "JK"):
        with pytest.raises(IllegalMove, match="not_held"):
            table.discard(0, card)


def test_report_20_a_card_is_discarded_once() -> None:
    """dnsbty/level10 97: repeated clicks laid one card several times."""
    table = Table([BROKEN]).draw(0).discard(0, "AS")
    with pytest.raises(IllegalMove, match="not_your_turn"):
        table.discard(0, "AS")


@pytest.mark.parametrize("way", ["drop", "leave", "declare", "time_out"])
@pytest.mark.parametrize("seat", range(4))
def test_report_23_the_turn_goes_to_the_next_seat_in_the_hand(way: str, seat: int) -> None:
    """ackwell/ninjabot 20, ccarrster/kraplow 154 and 168, rak3rman/exploding-chickens 7.

    The turn went to the wrong seat after somebody had left.
    """
    hands = [BROKEN, BROKEN_TOO, BROKEN, BROKEN_TOO]
    table = Table(hands, first=seat, turned="JK", options=Options(seats=8, miss_limit=1))
    if way == "declare":
        table.draw(seat)
    {
        "drop": table.drop,
        "leave": table.leave,
        "declare": table.declare,
        "time_out": table.time_out,
    }[way](seat)
    assert table.state.player(Seat(seat)).out is not None
    assert table.acting == (seat + 1) % 4


def test_report_25_a_silent_seat_stops_nobody() -> None:
    """jakelauer/allbadcards 33, 141, 381; octgn/OCTGN 1286: stuck when the seat to act was gone."""
    table = Table()
    for _ in range(3):
        table.time_out(0)
        for seat in (1, 2, 3):
            table.turn(seat)
    assert table.state.player(Seat(0)).out == "miss"
    assert table.acting == 1


def test_report_26_the_winner_pays_nothing_for_his_own_cards() -> None:
    """ruby-rbot/rbot 8: the winner was credited with his own cards."""
    table = Table([BROKEN, BROKEN_TOO], seats=(0, 1)).drop(0)
    assert table.points == {0: 20, 1: 0}


def test_report_28_no_event_for_others_names_a_card_that_they_may_not_see() -> None:
    """throneteki/throneteki 5, mtgred/netrunner PR 3366, cuttle-cards/cuttle 187,
    cynicaloptimist/longwave 26: hidden cards went to every client.
    """
    table = Table([COMPLETE], closed="KC")
    hidden = {str(card) for card in (*table.held(0), "KC")}
    told = repr([event for event in table.events if event.to != 0])
    told += repr([event for event in table.draw(0).events if event.to != 0])
    assert not [card for card in hidden if f"'{card}'" in told]
