"""The clock, leavers, substitutes, and owners who come back."""

from dataclasses import replace

import pytest

from server.cards.card import Card
from server.cards.game import (
    IllegalMove,
    Seat,
    SeatHandedOver,
    SeatInfo,
    SeatKind,
    SeatTakenBack,
    TimedOut,
    TurnBegan,
)
from server.cards.substitutes import AutoMoved, pilot_of
from server.games.seep import GAME
from server.games.seep.events import BidMade, CardThrown
from server.games.seep.options import Options
from tests.games.seep.table import Table, house


def test_9_1_a_bid_and_a_play_last_alike() -> None:
    options = Options(turn_ms=7_000)
    table = Table({0: "9H 3S KD 5C"}, options=options)
    assert GAME.clock_ms(table.state, Seat(0)) == 7_000
    assert GAME.clock_ms(table.bid(0, 9).state, Seat(0)) == 7_000


def test_9_2_the_clock_bids_the_lowest_value() -> None:
    table = Table({0: "KH 3S TD 5C"}).time_out()
    assert table.events[:2] == (
        AutoMoved(seat=Seat(0), misses=1, miss_limit=3),
        BidMade(seat=Seat(0), value=10, auto=True),
    )
    assert table.lines == ["auto 0 bid 10"]


def test_9_2_the_lowest_card_that_takes_takes_all_it_can() -> None:
    table = Table.midway({0: "KS 9D 7C 2H"}, "9H 4C 3C KD").time_out()
    assert table.lines == ["auto 0 take 7C 4C,3C"]


def test_9_2_of_two_choices_the_one_with_most_cards_then_as_they_lie() -> None:
    assert Table.midway({0: "JS"}, "2H 3D 5C 6S").time_out().lines == ["auto 0 take JS 2H,3D,6S"]
    assert Table.midway({0: "9S"}, "5H 4C 4D").time_out().lines == ["auto 0 take 9S 5H,4C"]


def test_9_2_else_the_lowest_card_is_thrown() -> None:
    table = Table.midway({0: "KS 7C 3D 3H 7S"}, "QH").time_out()
    assert table.events == (
        AutoMoved(seat=Seat(0), misses=1, miss_limit=3),
        CardThrown(seat=Seat(0), card=Card("3H"), auto=True),
        TurnBegan(seats=(Seat(1),)),
    )


def test_9_2_a_house_is_taken_rather_than_its_card_thrown() -> None:
    table = Table.midway({0: "9D KS"}, "QH", [house(9, "5H 4C", 0)]).time_out()
    assert table.lines == ["auto 0 take 9D 5H,4C"]


def test_9_2_the_first_play_serves_the_bid_by_the_clock_too() -> None:
    taking = Table({0: "JC 3H 4H KS"}, "JD QD 8H 6C").bid(0, 11).time_out()
    assert taking.lines[-1] == "auto 0 take JC JD"
    hand = "TC 3H QC QH JC JH JD KC KH KD QD 9C"
    building = Table({0: hand}, "7D 9S 9H 8C").bid(0, 10).time_out()
    assert building.lines[-1] == "auto 0 build 10 3H 7D"
    throwing = Table({0: hand.replace("3H", "TH")}, "9D 9S 9H 8C").bid(0, 10).time_out()
    assert throwing.lines[-1] == "auto 0 throw TH"


def test_9_3_a_decision_of_its_own_sets_the_misses_back() -> None:
    table = Table.midway({0: "KS QS"}, "", plays=20)
    table.time_out()
    table.state = replace(table.state, acting=Seat(0))
    assert pilot_of(table.state.pilots, Seat(0)).misses == 1
    table.throw(0, "KS")
    assert pilot_of(table.state.pilots, Seat(0)).misses == 0


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_9_4_the_miss_at_the_limit_hands_the_seat_over_after_the_clocks_move(limit: int) -> None:
    hand = {0: "2H 3H 4H 6H"}
    table = Table.midway(hand, "", options=Options(miss_limit=limit))
    for _ in range(limit - 1):
        table.time_out()
        assert "handed_over" not in table.names
        table.state = replace(table.state, acting=Seat(0))
    table.time_out()
    assert table.names[0] == "auto_moved"
    assert table.names[-2:] == ["handed_over", "turn"]
    assert table.event("handed_over") == SeatHandedOver(seat=Seat(0), why="misses")
    table.state = replace(table.state, acting=Seat(0))
    table.time_out()
    assert "auto_moved" not in table.names
    assert "handed_over" not in table.names
    assert table.lines[-1].startswith("auto 0 ")


def test_9_4_a_seat_is_handed_over_before_the_hand_is_counted() -> None:
    table = Table.midway({3: "5D"}, "7C", acting=3, plays=47, options=Options(miss_limit=1))
    table.time_out()
    assert table.names == [
        "auto_moved", "thrown", "handed_over", "leftovers", "counted", "scored",
    ]  # fmt: skip


def test_9_5_a_leavers_seat_is_played_on() -> None:
    table = Table.midway({0: "KS 2H", 1: "QS", 2: "JS", 3: "TS"}, "")
    table.leave(2)
    assert table.events == (SeatHandedOver(seat=Seat(2), why="left"),)
    assert table.acting == 0
    table.throw(0, "KS").throw(1, "QS").throw(2, "JS")
    assert table.lines == ["2 leave", "0 throw KS", "1 throw QS", "2 throw JS"]
    with pytest.raises(IllegalMove, match="already_leaving"):
        table.leave(2)


def test_9_5_one_may_leave_before_the_bid_and_after_too_many_misses() -> None:
    table = Table({0: "9H 3S KD 5C"}, options=Options(miss_limit=1)).time_out().leave(0)
    assert table.events == (SeatHandedOver(seat=Seat(0), why="left"),)
    assert table.lines == ["auto 0 bid 9", "0 leave"]


def test_9_6_an_owner_who_is_back_plays_himself() -> None:
    table = Table.midway({0: "KS 2H 3H"}, "", options=Options(miss_limit=2)).leave(0).back(0)
    assert table.events == (SeatTakenBack(seat=Seat(0)),)
    assert table.lines == ["0 leave", "0 back"]
    table.time_out()
    assert table.event("auto_moved") == AutoMoved(seat=Seat(0), misses=1, miss_limit=2)
    with pytest.raises(IllegalMove, match="not_handed_over"):
        table.back(0)


def test_9_6_a_seat_that_began_with_a_substitute_is_given_back() -> None:
    infos = tuple(SeatInfo(Seat(s), SeatKind.BOT if s == 2 else SeatKind.HUMAN) for s in range(4))
    table = Table({0: "9H 3S KD 5C"}, infos=infos).back(2)
    assert table.events == (SeatTakenBack(seat=Seat(2)),)
    assert pilot_of(table.state.pilots, Seat(2)).is_own
    with pytest.raises(IllegalMove, match="not_handed_over"):
        table.back(1)


def test_9_4_a_program_misses_nothing() -> None:
    infos = tuple(SeatInfo(Seat(seat), SeatKind.BOT) for seat in range(4))
    table = Table({0: "9H 3S KD 5C"}, infos=infos, options=Options(miss_limit=1)).time_out()
    assert table.names[0] == "bid"
    assert "handed_over" not in table.names


def test_9_another_seats_clock_does_nothing() -> None:
    with pytest.raises(IllegalMove, match="not_your_turn"):
        GAME.apply(Table({0: "9H"}).bid(0, 9).state, Seat(1), TimedOut(Seat(1)))
