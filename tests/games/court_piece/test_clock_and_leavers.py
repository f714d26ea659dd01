"""The clock of the choice and of the cards; a seat that is handed over and taken back."""

import pytest

from server.cards.game import Carry, IllegalMove, Seat, SeatInfo, SeatKind
from server.games.court_piece import GAME
from server.games.court_piece.options import Options
from tests.games import tricks
from tests.games.court_piece.table import Table
from tests.games.tricks import humans


def test_3_1_the_choice_has_20_seconds_and_10_in_the_very_first_match() -> None:
    for played, first, partner in ((0, 10_000, 20_000), (1, 20_000, 20_000)):
        table = Table(seats=humans(played), options=Options(turn_ms=7_000))
        assert GAME.clock_ms(table.state, Seat(0)) == first
        table.say("0 pass")
        assert GAME.clock_ms(table.state, Seat(2)) == partner
        table.say("2 trump S")
        assert GAME.clock_ms(table.state, Seat(0)) == 7_000


def test_3_1_a_bot_is_no_novice() -> None:
    seats = tuple(SeatInfo(Seat(seat), SeatKind.BOT) for seat in range(4))
    assert GAME.clock_ms(Table(seats=seats).state, Seat(0)) == 20_000


def test_3_2_when_the_choosers_time_is_over_the_partner_chooses() -> None:
    table = Table().time_out(0)
    assert table.lines == ["auto 0 pass"]
    assert (table.state.acting, table.state.has_passed) == (2, True)


def test_6_1_the_clock_plays_the_lowest_card_and_saves_trumps() -> None:
    hands = (
        "9H 2H 3H 4H 5H 6H 7H 8H AS KS QS JS TS",
        "2S 3S 4S 5S 6S 7S 8S 9S 4D 3D KC QC JC",
        "KH TH JH",
    )
    table = Table(hands).say("0 trump S").play(0, "9H").time_out(1).time_out(2)
    assert table.lines[-2:] == ["auto 1 play 3D", "auto 2 play TH"]


def test_6_2_misses_in_a_row_hand_the_seat_over_after_the_clocks_move() -> None:
    table = Table(options=Options(miss_limit=2)).time_out(0).say("2 trump S").time_out(0)
    assert [event.name for event in table.events] == [
        "auto_moved", "played", "handed_over", "turn",
    ]  # fmt: skip
    assert table.state.pilots[0].handed_over == "misses"
    table.play(1, "2H 2D 2C").time_out(0)
    assert [event.name for event in table.events] == ["played", "turn"]


def test_6_2_the_card_of_luck_may_be_the_last_miss() -> None:
    table = Table(options=Options(miss_limit=1)).say("0 pass").time_out(2)
    assert table.event("handed_over").why == "misses"
    assert table.events[-1].name == "turn"


def test_6_2_a_leaver_may_go_at_any_time_and_the_owner_come_back() -> None:
    table = Table().leave(1).say("0 trump S").leave(2).back(1)
    assert table.lines == ["1 leave", "0 trump S", "2 leave", "1 back"]
    for play, seat, code in ((table.leave, 2, "already_leaving"), (table.back, 1, "not_handed")):
        before = table.state
        with pytest.raises(IllegalMove, match=code):
            play(seat)
        assert table.state == before


def test_before_the_cards_and_after_the_end_nobody_comes_or_goes() -> None:
    fresh = tricks.Table(GAME, Options(), carry=Carry())
    over = Table().finish("S")
    for table, code in ((fresh, "dealer_acts"), (over, "hand_over")):
        for play in (table.leave, table.back):
            with pytest.raises(IllegalMove, match=code):
                play(0)
