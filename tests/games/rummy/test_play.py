"""The deal and the turn."""

import pytest

from server.cards.card import Card
from server.cards.game import (
    DEALER,
    Carry,
    Deal,
    Event,
    Given,
    IllegalMove,
    Seat,
    SeatInfo,
    SeatKind,
    TurnBegan,
)
from server.games.rummy import GAME, events
from server.games.rummy.events import CardDrawn
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
    """Report 22, dnsbty/level10 42: special cards were taken from the discards."""
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
