"""What the clock plays, and a seat that is handed over and taken back."""

from dataclasses import replace

import pytest

from server.cards.game import IllegalMove, Seat, SeatHandedOver, SeatTakenBack
from server.games.sevens import BADAM_SATTI
from server.games.sevens.options import BadamSattiOptions, Options, SevensOptions
from server.games.sevens.state import State
from tests.games.sevens.table import Table

HANDS = ("7S 8H KH KS 5H 6S 8S", "7H 7D 6D", "6H AS 2S 7C")


def limit(miss_limit: int) -> Options:
    return BadamSattiOptions(seats=3, miss_limit=miss_limit)


def test_6_2_the_clock_lays_the_opening_seven_and_then_the_lowest_that_fits() -> None:
    table = Table(HANDS).time_out(1)
    assert table.lines == ["auto 1 play 7H"]
    table.time_out(2)
    assert table.lines[-1] == "auto 2 play 6H"
    table.time_out(0)
    assert table.lines[-1] == "auto 0 play 7S"


def test_6_2_the_clock_passes_only_if_nothing_fits_and_that_costs_a_chip() -> None:
    hands = ("KS KC", "7D 7H 7C 7S", "KH KD AS")
    table = Table(hands, options=SevensOptions(seats=3), dealer=2)
    table.say("1 play 7D")
    while table.may_play() != {"pass"}:
        table.time_out(table.acting)
    seat = table.acting
    pool = table.state.pool
    table.time_out(seat)
    assert table.lines[-1] == f"auto {seat} pass"
    assert table.event("passed").chips == 1
    assert table.state.pool == table.event("passed").pool == pool + 1


def test_6_3_misses_in_a_row_hand_the_seat_over_after_the_clocks_move() -> None:
    table = Table(HANDS, options=limit(2)).time_out(1)
    assert table.names() == ["auto_moved", "played", "turn"]
    assert (table.event("auto_moved").misses, table.event("auto_moved").miss_limit) == (1, 2)
    table.say("2 play 6H", "0 play 7S").time_out(1)
    assert table.names() == ["auto_moved", "played", "handed_over", "turn"]
    assert table.event("handed_over") == SeatHandedOver(seat=Seat(1), why="misses")
    assert table.lines[-1] == "auto 1 play 7D"


def test_6_3_a_turn_of_its_own_sets_the_misses_back() -> None:
    table = Table(HANDS, options=limit(2)).time_out(1).say("2 play 6H", "0 play 7S")
    table.say("1 play 7D").time_out(2).time_out(0).time_out(1)
    assert table.state.pilots[1].misses == 1
    assert table.state.pilots[1].handed_over is None


def test_6_3_a_handed_over_seat_is_played_on_and_misses_no_more() -> None:
    table = Table(HANDS, options=limit(1)).time_out(1)
    assert table.state.pilots[1].handed_over == "misses"
    table.say("2 play 6H", "0 play 7S").time_out(1)
    assert table.names() == ["played", "turn"]
    table.say("2 leave").time_out(2).time_out(0)
    assert "auto_moved" in table.names()
    table.say("1 play 6D")
    assert table.state.pilots[1].handed_over == "misses"


def test_6_3_the_clocks_last_card_ends_the_hand_though_the_seat_is_handed_over() -> None:
    table = Table(options=limit(20))
    while len(table.held(table.acting)) > 1 or table.may_play() == {"pass"}:
        table.time_out(table.acting)
    winner = table.acting
    for seat in range(3):
        if table.state.pilots[seat].handed_over is None:
            table.leave(seat)
    table.back(winner)
    table.state = _with_misses(table, winner, 19)
    table.time_out(winner)
    assert table.names()[:3] == ["auto_moved", "played", "handed_over"]
    assert table.names()[-1] == "scored"
    assert table.points[winner] == 0


def _with_misses(table: Table, seat: int, misses: int) -> State:
    pilots = tuple(
        replace(pilot, misses=misses) if pilot.seat == seat else pilot
        for pilot in table.state.pilots
    )
    return replace(table.state, pilots=pilots)


def test_6_4_a_leaver_may_go_at_any_time_and_the_cards_stay() -> None:
    table = Table(HANDS).leave(0)
    assert table.events == (SeatHandedOver(seat=Seat(0), why="left"),)
    held = table.held(0)
    table.say("1 play 7H", "2 play 6H")
    assert table.acting == 0
    assert table.held(0) == held
    assert table.say("0 play 7S").lines == ["0 leave", "1 play 7H", "2 play 6H", "0 play 7S"]


def test_6_5_who_returns_has_the_seat_back_without_misses() -> None:
    table = Table(HANDS, options=limit(1)).time_out(1).back(1)
    assert table.events == (SeatTakenBack(seat=Seat(1)),)
    assert table.lines == ["auto 1 play 7H", "1 back"]
    assert (table.state.pilots[1].misses, table.state.pilots[1].handed_over) == (0, None)


@pytest.mark.parametrize(
    ("before", "line", "code"),
    [
        ((), "0 back", "not_handed_over"),
        (("0 leave",), "0 leave", "already_leaving"),
        (("0 leave", "0 back"), "0 back", "not_handed_over"),
        ((), "3 leave", "not_your_turn"),
        ((), "auto 0", "not_your_turn"),
    ],
)
def test_what_can_not_be_is_refused_and_changes_nothing(
    before: tuple[str, ...], line: str, code: str
) -> None:
    table = Table(HANDS).say(*before)
    state = table.state
    with pytest.raises(IllegalMove, match=code):
        table.say(line)
    assert table.state is state


def test_a_leaver_after_misses_has_left() -> None:
    table = Table(HANDS, options=limit(1)).time_out(1).leave(1)
    assert table.state.pilots[1].handed_over == "left"
    assert table.lines[-1] == "1 leave"


def test_6_6_a_bot_misses_nothing_and_its_seat_can_be_taken_back() -> None:
    table = Table(HANDS, options=limit(1), bots=(1,)).time_out(1)
    assert table.names() == ["played", "turn"]
    table.back(1)
    assert table.state.pilots[1].is_own
    table.say("2 play 6H", "0 play 7S").time_out(1)
    assert table.event("handed_over").why == "misses"


def test_6_1_every_turn_has_the_tables_clock() -> None:
    options = BadamSattiOptions(turn_ms=7_000)
    assert BADAM_SATTI.clock_ms(Table(options=options).state, Seat(0)) == 7_000
