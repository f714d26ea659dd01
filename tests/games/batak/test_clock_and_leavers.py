"""What the clock plays, and a seat that is handed over and taken back."""

import pytest

from server.cards.game import Carry, IllegalMove, Seat, SeatHandedOver, SeatInfo, SeatKind
from server.games.batak import GAME
from server.games.batak.options import Options
from tests.games import tricks
from tests.games.batak.table import SUITS_EACH, Table
from tests.games.tricks import filled, order_of


def test_6_1_the_clock_passes() -> None:
    assert Table().time_out(0).lines == ["auto 0 pass"]


def test_6_1_the_clock_names_the_longest_suit_of_equal_ones_the_first() -> None:
    table = Table(("2C 3C 4C 5C 2H 3H 4H 5H 2D 3D 4D AS KS",)).say("0 bid 13").time_out(0)
    assert table.lines[-1] == "auto 0 trump H"


def test_6_1_the_clock_plays_the_lowest_card_that_may_be_played() -> None:
    hands = ("2S 3H 3D 5C AS KS QS JS TS 9S 8S 7S 6S", "KH 2H TH 3S 4S 5S 2D 4D 5D 6D 7D 8D 9D")
    table = Table(hands).bid(trump="S").time_out(0).time_out(1)
    assert table.lines[-2:] == ["auto 0 play 3H", "auto 1 play TH"]


def test_6_2_misses_in_a_row_hand_the_seat_over_after_the_clocks_move() -> None:
    table = Table(options=Options(miss_limit=2)).bid(trump="S")
    table.time_out(0).play(1, "2H 2D 2C")
    assert table.state.pilots[0].misses == 1
    table.time_out(0)
    assert [event.name for event in table.events] == [
        "auto_moved", "played", "handed_over", "turn",
    ]  # fmt: skip
    assert table.event("handed_over") == SeatHandedOver(seat=Seat(0), why="misses")
    assert table.lines[-1] == "auto 0 play 3S"


def test_6_2_a_decision_of_its_own_sets_the_misses_back() -> None:
    table = Table(options=Options(miss_limit=2)).bid(trump="S").time_out(0).play(1, "2H 2D 2C")
    table.play(0, "3S 3H 3D 3C").time_out(0)
    assert table.state.pilots[0].misses == 1
    assert table.state.pilots[0].handed_over is None


def test_6_2_a_handed_over_seat_is_played_on_and_misses_no_more() -> None:
    table = Table(options=Options(miss_limit=1)).time_out(0).say("1 bid 5", "2 pass", "3 pass")
    assert table.state.pilots[0].handed_over == "misses"
    table.say("1 trump H").play(1, "2H 2D 2C").play(0, "2S")
    assert table.state.pilots[0].misses == 1
    table.time_out(1)
    assert table.event("auto_moved").seat == 1


def test_6_2_a_leaver_may_go_at_any_time_and_the_owner_come_back() -> None:
    table = Table().leave(2).say("0 pass").leave(0).back(2)
    assert table.lines == ["2 leave", "0 pass", "0 leave", "2 back"]
    assert [pilot.handed_over for pilot in table.state.pilots] == ["left", None, None, None]
    assert table.state.acting == 1
    for play, seat, code in ((table.leave, 0, "already_leaving"), (table.back, 2, "not_handed")):
        before = table.state
        with pytest.raises(IllegalMove, match=code):
            play(seat)
        assert table.state == before


def test_6_2_a_leaver_after_misses_has_left() -> None:
    table = Table(options=Options(miss_limit=1)).time_out(0).leave(0)
    assert table.state.pilots[0].handed_over == "left"
    assert table.lines == ["auto 0 pass", "0 leave"]


def test_6_2_a_seat_that_a_bot_has_from_the_beginning_misses_nothing_and_can_be_taken_back() -> (
    None
):
    seats = tuple(
        SeatInfo(Seat(seat), SeatKind.BOT if seat == 0 else SeatKind.HUMAN) for seat in range(4)
    )
    table = tricks.Table(GAME, Options(miss_limit=1), carry=Carry(dealer=Seat(3)), seats=seats)
    table.deal(order_of(filled(SUITS_EACH), 3, [1] * 13)).time_out(0)
    assert [event.name for event in table.events] == ["passed", "turn"]
    table.back(0)
    assert table.lines == ["auto 0 pass", "0 back"]
    assert table.state.pilots[0].is_own


def test_before_the_cards_and_after_the_end_nobody_comes_or_goes() -> None:
    fresh = tricks.Table(GAME, Options(), carry=Carry())
    over = Table().bid()
    while not over.state.ended:
        over.time_out(over.state.acting)
    for table, code in ((fresh, "dealer_acts"), (over, "hand_over")):
        for play in (table.leave, table.back):
            with pytest.raises(IllegalMove, match=code):
                play(0)


def test_6_1_every_decision_has_the_tables_clock() -> None:
    table = Table(options=Options(turn_ms=7_000))
    assert GAME.clock_ms(table.state, Seat(0)) == 7_000
