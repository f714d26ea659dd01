"""The reshuffle and the clock."""

import pytest

from server.cards.card import Card
from server.cards.game import (
    DEALER,
    Event,
    Given,
    HandVoid,
    IllegalMove,
    Seat,
    TimedOut,
    TurnBegan,
)
from server.games.rummy import GAME
from server.games.rummy.events import AutoMoved, CardDiscarded, CardDrawn, ReshuffleCalled
from server.games.rummy.moves import Place
from server.games.rummy.options import Options
from tests.games.rummy.table import BROKEN, COMPLETE, Table


def _worn(**options: int) -> Table:
    """Make a table of six at which the closed pile has just run out; seat 2 acts."""
    table = Table(seats=range(6), options=Options(seats=6, **options))  # type: ignore[arg-type]
    for number in range(26):
        table.turn(number % 6)
    return table


def test_3_7_a_draw_from_the_empty_pile_waits_for_the_dealer() -> None:
    table = _worn()
    public = table.state.open_pile[:-1]
    table.draw(2)
    called: tuple[Event, ...] = table.events
    assert called == (ReshuffleCalled(epoch=1, cards=26),)
    assert GAME.to_act(table.state) == {DEALER}
    assert GAME.undealt(table.state) == public
    assert list(GAME.legal_moves(table.state, Seat(2))) == []
    for play in (table.draw, table.leave, table.time_out, table.drop):
        with pytest.raises(IllegalMove, match="dealer_acts"):
            play(2)
    order = tuple(reversed(public))
    table.shuffle(order)
    assert [event.name for event in table.events] == ["reshuffled", "drawn", "given"]
    assert table.events[1:] == (
        CardDrawn(seat=Seat(2), source="closed", auto=False, place=Place(1, 0)),
        Given(to=Seat(2), epoch=1, positions=(0,)),
    )
    assert table.held(2)[-1] == order[0]
    assert table.state.closed_pile == order[1:]
    assert table.discard(2).acting == 3


def test_3_7_a_place_is_that_of_the_latest_shuffle() -> None:
    table = _worn().draw(2).shuffle()
    card = table.held(2)[-1]
    assert table.state.place_of(card) == Place(1, 0)
    assert card in table.state.orders[0]


def test_3_7_the_clocks_draw_waits_too_and_then_goes_on() -> None:
    table = _worn().time_out(2)
    assert [event.name for event in table.events] == ["auto_moved", "reshuffle_called"]
    table.shuffle()
    names = [event.name for event in table.events]
    assert names == ["reshuffled", "drawn", "given", "discarded", "turn"]
    assert table.lines[-2:] == [
        "auto 2 draw closed @1.0",
        f"auto 2 discard {table.state.open_pile[-1]}",
    ]
    assert table.state.player(Seat(2)).misses == 1
    assert table.acting == 3


@pytest.mark.parametrize("by_clock", [True, False])
def test_3_8_at_the_cap_the_hand_is_void(by_clock: bool) -> None:
    table = _worn(reshuffle_cap=1).draw(2).shuffle().discard(2)
    while table.state.closed_pile:
        table.turn(table.acting or 0)
    acting = table.acting or 0
    _ = table.time_out(acting) if by_clock else table.draw(acting)
    assert table.events[-1] == HandVoid(reason="reshuffle_cap")
    assert GAME.to_act(table.state) == frozenset()
    assert table.state.scored is None
    with pytest.raises(IllegalMove, match="hand_over"):
        table.leave(0)


def test_3_8_eight_reshuffles_are_played_and_a_ninth_is_not() -> None:
    table = _worn()
    while not table.state.ended:
        if GAME.to_act(table.state) == {DEALER}:
            table.shuffle()
            table.discard(table.acting or 0)
        else:
            table.draw(table.acting or 0)
            if GAME.to_act(table.state) not in ({DEALER}, frozenset()):
                table.discard(table.acting or 0)
    assert table.state.epoch == 8
    assert isinstance(table.events[-1], HandVoid)


def test_3_8_the_piles_never_run_out_whoever_leaves() -> None:
    """Q-RUM-13: each seat draws and leaves with fourteen cards; the last two play on for long."""
    table = Table(seats=range(6), options=Options(seats=6))
    for seat in range(4):
        table.draw(seat).leave(seat)
    for _ in range(60):
        if GAME.to_act(table.draw(table.acting or 0).state) == {DEALER}:
            table.shuffle()
        table.discard(table.acting or 0)
    assert table.state.epoch >= 1
    assert len(table.state.closed_pile) + len(table.state.open_pile) == 27 - 4


# --- the clock


def test_8_1_the_clock_draws_and_discards_that_card() -> None:
    table = Table(closed="8D").time_out(0)
    assert table.events == (
        AutoMoved(seat=Seat(0), misses=1, miss_limit=3),
        CardDrawn(seat=Seat(0), source="closed", auto=True, place=Place(0, 54)),
        Given(to=Seat(0), epoch=0, positions=(54,)),
        CardDiscarded(seat=Seat(0), card=Card("8D"), auto=True),
        TurnBegan(seats=(Seat(1),)),
    )


def test_8_1_the_clock_discards_what_was_drawn() -> None:
    table = Table(opened="7D").draw(0, "open").time_out(0)
    assert table.state.open_pile == ("7D",)
    assert table.lines == ["0 draw open 7D", "auto 0 discard 7D"]


def test_8_1_the_clock_never_declares() -> None:
    table = Table([COMPLETE]).time_out(0)
    assert not table.state.ended


def test_8_2_the_clock_does_not_put_back_what_may_not_go_back() -> None:
    options = Options(seats=4, return_open_card=False)
    table = Table([BROKEN], opened="KD", options=options).draw(0, "open").time_out(0)
    assert table.lines == ["0 draw open KD", "auto 0 discard TH"]
    assert "KD" in table.held(0)


def test_8_3_a_draw_and_then_silence_is_a_miss() -> None:
    table = Table().draw(0).time_out(0)
    assert table.state.player(Seat(0)).misses == 1


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_8_4_the_miss_at_the_limit_puts_the_seat_out(limit: int) -> None:
    table = Table(options=Options(seats=4, miss_limit=limit))
    for _ in range(limit - 1):
        table.time_out(0).turn(1).turn(2).turn(3)
        assert table.state.player(Seat(0)).out is None
    table.time_out(0)
    assert [event.name for event in table.events] == ["auto_moved", "dropped", "turn"]
    assert table.lines[-1] == "auto 0 drop"
    assert table.state.player(Seat(0)).out == "miss"
    assert table.state.player(Seat(0)).points == 40
    assert table.acting == 1


def test_8_4_a_seat_put_out_with_fourteen_cards_takes_them_along() -> None:
    table = Table(options=Options(seats=4, miss_limit=1)).draw(0).time_out(0)
    assert len(table.state.player(Seat(0)).laid_down) == 14


def test_8_the_clock_of_a_seat_that_is_not_in_turn_is_refused() -> None:
    with pytest.raises(IllegalMove, match="not_your_turn"):
        GAME.apply(Table().state, Seat(1), TimedOut(Seat(1)))
    assert GAME.clock_ms(Table(options=Options(seats=4, turn_ms=7_000)).state, Seat(0)) == 7_000
