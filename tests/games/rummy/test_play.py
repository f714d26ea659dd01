"""The deal, the turn, the reshuffle and the clock."""

import pytest

from server.cards.card import Card
from server.cards.game import (
    DEALER,
    Carry,
    Deal,
    Event,
    Given,
    HandVoid,
    IllegalMove,
    Seat,
    SeatInfo,
    SeatKind,
    TimedOut,
    TurnBegan,
)
from server.games.rummy import GAME, events
from server.games.rummy.events import AutoMoved, CardDiscarded, CardDrawn, ReshuffleCalled
from server.games.rummy.moves import Declare, Discard, Draw, Drop, Place
from server.games.rummy.options import PACKS, Options
from tests.games.rummy.table import BROKEN, COMPLETE, Table


def _seats(*seats: int) -> tuple[SeatInfo, ...]:
    return tuple(SeatInfo(Seat(seat), SeatKind.HUMAN) for seat in seats)


# --- the deal


@pytest.mark.parametrize(("size", "closed"), [(4, 52), (6, 26), (8, 53)])
def test_2_4_after_the_deal_the_piles_are_as_the_table_is(size: int, closed: int) -> None:
    state = Table(seats=range(size), options=Options(seats=size)).state
    assert len(state.closed_pile) == closed
    assert len(state.open_pile) == 1
    assert state.turned == "5C"
    assert all(len(player.cards) == 13 for player in state.seats)


def test_2_4_cards_are_dealt_one_at_a_time_from_the_first_seat() -> None:
    state = GAME.start(Options(), _seats(1, 3, 4), Carry(dealer=Seat(3)))
    order = PACKS[6].cards
    step = GAME.apply(state, DEALER, Deal(order))
    dealt = {player.seat: player.cards for player in step.state.seats}
    assert dealt == {3: order[0:39:3], 4: order[1:39:3], 1: order[2:39:3]}
    assert step.state.turned == order[39]
    assert step.state.open_pile == (order[40],)
    assert step.state.closed_pile == order[41:]


def test_2_4_each_opening_stands_behind_its_event() -> None:
    dealt = Table(seats=(0, 2), first=2, options=Options(seats=4)).events
    assert [event.name for event in dealt] == [
        "dealt", "given", "given", "turned", "given", "opened", "given", "turn",
    ]  # fmt: skip
    given = [event for event in dealt if isinstance(event, Given)]
    assert given == [
        Given(to=Seat(2), epoch=0, positions=tuple(range(0, 26, 2))),
        Given(to=Seat(0), epoch=0, positions=tuple(range(1, 26, 2))),
        Given(to=None, epoch=0, positions=(26,)),
        Given(to=None, epoch=0, positions=(27,)),
    ]
    assert dealt[-1] == TurnBegan(seats=(Seat(2),))


def test_2_3_the_toss_names_a_listed_seat() -> None:
    state = GAME.start(Options(), _seats(1, 3, 4), Carry())
    assert GAME.draws(state) == (3,)
    assert GAME.to_act(state) == {DEALER}
    assert GAME.undealt(state) == PACKS[6].cards
    step = GAME.apply(state, DEALER, Deal(PACKS[6].cards, (2,)))
    assert step.state.first == 4
    assert GAME.to_act(step.state) == {4}


def test_2_3_a_fixed_first_seat_needs_no_toss() -> None:
    state = GAME.start(Options(), _seats(1, 3, 4), Carry(dealer=Seat(3)))
    assert GAME.draws(state) == ()
    with pytest.raises(AssertionError):
        GAME.apply(state, DEALER, Deal(PACKS[6].cards, (2,)))


def test_2_2_an_order_of_other_cards_stops_the_table() -> None:
    state = GAME.start(Options(), _seats(0, 1), Carry(dealer=Seat(0)))
    doubled = (PACKS[6].cards[1], *PACKS[6].cards[1:])
    with pytest.raises(AssertionError):
        GAME.apply(state, DEALER, Deal(doubled))


def test_only_the_dealer_deals_and_it_only_deals() -> None:
    state = GAME.start(Options(), _seats(0, 1), Carry(dealer=Seat(0)))
    with pytest.raises(IllegalMove, match="dealer_acts"):
        GAME.apply(state, Seat(0), Draw("closed"))
    with pytest.raises(IllegalMove, match="unknown_move"):
        GAME.apply(state, DEALER, Draw("closed"))
    table = Table()
    with pytest.raises(IllegalMove, match="unknown_move"):
        GAME.apply(table.state, Seat(0), Deal(()))
    with pytest.raises(IllegalMove, match="not_your_turn"):
        table.shuffle()


# --- the turn


def test_3_2_a_closed_draw_is_seen_by_its_place() -> None:
    table = Table(closed="8D").draw(0)
    assert table.events == (
        CardDrawn(seat=Seat(0), source="closed", auto=False, place=Place(0, 54)),
        Given(to=Seat(0), epoch=0, positions=(54,)),
    )
    assert table.held(0)[-1] == "8D"


def test_3_1_a_turn_goes_round_over_gaps_and_past_seats_that_are_out() -> None:
    table = Table(seats=(0, 2, 3, 5), options=Options(seats=6), first=3)
    seen = []
    table.leave(0)
    for _ in range(6):
        seen.append(table.acting)
        table.turn(table.acting or 0)
        assert table.events[-1] == TurnBegan(seats=(Seat(table.acting or 0),))
    assert seen == [3, 5, 2, 3, 5, 2]


def test_3_1_no_new_turn_begins_between_draw_and_discard() -> None:
    table = Table().draw(0)
    assert not any(isinstance(event, TurnBegan) for event in table.events)
    assert table.discard(0).events[-1] == TurnBegan(seats=(Seat(1),))


def test_3_3_an_empty_open_pile_gives_no_draw() -> None:
    table = Table().draw(0, "open").leave(0)
    assert table.acting == 1
    assert table.state.open_pile == ()
    with pytest.raises(IllegalMove, match="open_empty"):
        table.draw(1, "open")
    assert Draw("open") not in list(GAME.legal_moves(table.state, Seat(1)))
    assert table.turn(1).acting == 2


def test_3_4_a_joker_on_top_may_be_drawn() -> None:
    table = Table(closed="JK").draw(0).discard(0, "JK").draw(1, "open")
    assert table.held(1)[-1] == "JK"


@pytest.mark.parametrize("joker", ["JK", "5H"])
def test_3_4_with_the_option_off_only_the_first_open_joker_may_be_drawn(joker: str) -> None:
    off = Options(seats=4, open_joker_pick=False)
    assert Table(opened=joker, options=off).draw(0, "open").held(0)[-1] == joker
    table = Table(closed=joker, options=off).draw(0).discard(0, joker)
    with pytest.raises(IllegalMove, match="open_joker"):
        table.draw(1, "open")
    back = Table(opened=joker, options=off).draw(0, "open").discard(0, joker)
    with pytest.raises(IllegalMove, match="open_joker"):
        back.draw(1, "open")


def test_3_6_with_the_option_off_the_card_just_taken_may_not_go_back() -> None:
    table = Table([BROKEN], opened="7S", options=Options(seats=4, return_open_card=False))
    table.draw(0, "open")
    with pytest.raises(IllegalMove, match="just_drawn"):
        table.discard(0, "7S")
    assert table.discard(0, "7S#1").state.open_pile == ("7S#1",)


def test_3_6_a_closed_card_may_go_at_once() -> None:
    table = Table(closed="8D", options=Options(seats=4, return_open_card=False))
    assert table.draw(0).discard(0, "8D").acting == 1


def test_an_unknown_pile_is_refused() -> None:
    with pytest.raises(IllegalMove, match="unknown_move"):
        Table().play(0, Draw("middle"))  # type: ignore[arg-type]


# --- the reshuffle


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


# --- what may be done


def test_legal_moves_before_and_after_the_draw() -> None:
    table = Table([COMPLETE], closed="KC")
    assert list(GAME.legal_moves(table.state, Seat(0))) == [Draw("closed"), Draw("open"), Drop()]
    assert list(GAME.legal_moves(table.state, Seat(1))) == []
    table.draw(0)
    *discards, declare = GAME.legal_moves(table.state, Seat(0))
    assert discards == [Discard(card) for card in table.held(0)]
    assert declare == Declare(Card("KC"))


def test_a_refused_move_leaves_the_state_as_it_was() -> None:
    table = Table()
    before, text = table.state, repr(table.state)
    for seat, move in ((1, Draw("open")), (0, Discard(Card("AS"))), (0, Declare(Card("AS")))):
        with pytest.raises(IllegalMove):
            table.play(seat, move)
    assert table.state is before
    assert repr(before) == text


def test_no_two_events_share_a_name() -> None:
    kinds = [kind for kind in vars(events).values() if isinstance(kind, type)]
    names = [kind.name for kind in kinds if issubclass(kind, Event) and kind is not Event]
    assert len(names) == len(set(names)) == 12
