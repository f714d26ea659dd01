"""What a seat and a spectator may see."""

from server.cards.card import Card
from server.cards.game import Seat
from server.games.rummy import GAME
from server.games.rummy.moves import Place
from server.games.rummy.options import Options
from server.games.rummy.view import HeldCard, RummyView
from tests.games.match import cards_in
from tests.games.rummy.table import BROKEN, COMPLETE, Table


def _view(table: Table, seat: int | None) -> RummyView:
    seen = GAME.view(table.state, None if seat is None else Seat(seat))
    assert isinstance(seen, RummyView)
    return seen


def test_10_1_all_see_the_table() -> None:
    table = Table(opened="7D", turned="5C").drop(0)
    for seat in (None, 0, 1):
        seen = _view(table, seat)
        assert (seen.turned, seen.wild_rank, seen.open_pile) == ("5C", "5", ("7D",))
        assert (seen.first, seen.acting, seen.closed_count, seen.epoch) == (0, 1, 52, 0)
        assert [player.card_count for player in seen.seats] == [0, 13, 13, 13]
        assert (seen.seats[0].out, seen.seats[0].points) == ("drop", 20)
        assert not seen.waits_for_dealer


def test_10_1_a_turned_joker_leaves_no_wild_rank() -> None:
    assert _view(Table(turned="JK"), None).wild_rank == ""


def test_10_2_a_seat_sees_its_own_holding_with_its_places() -> None:
    table = Table([COMPLETE])
    held = _view(table, 0).holding
    assert held[0] == HeldCard(Card("2S"), Place(0, 0))
    assert held[12] == HeldCard(Card("9C"), Place(0, 48))
    assert _view(table, None).holding == ()


def test_10_2_others_see_neither_a_holding_nor_a_closed_draw() -> None:
    table = Table([COMPLETE], closed="KC").draw(0)
    seen = _view(table, 1)
    assert seen.drawn_from == "closed"
    assert seen.drawn_card is None
    assert not cards_in(seen, frozenset(table.held(0)))
    assert _view(table, 0).drawn_card == "KC"


def test_10_1_a_card_from_the_open_pile_stays_known_until_it_is_discarded() -> None:
    table = Table(opened="7D").draw(0, "open")
    assert _view(table, None).drawn_card == "7D"
    table.discard(0, table.held(0)[0])
    for seat in (None, 1):
        assert _view(table, seat).seats[0].known == ("7D",)
    table.turn(1).turn(2).turn(3).draw(0).discard(0, "7D")
    assert _view(table, None).seats[0].known == ()
    assert _view(table, None).discards[-1] == (0, "7D")


def test_10_2_the_place_of_a_card_that_another_drew_is_not_told() -> None:
    table = Table(closed="8D").turn(0).draw(1, "open")
    (card,) = (held for held in _view(table, 1).holding if held.card == "8D")
    assert card.place is None


def test_10_3_a_wrong_declare_is_shown_but_for_its_finish() -> None:
    table = Table([BROKEN], closed="2C").draw(0).declare(0)
    seen = _view(table, None).seats[0]
    assert len(seen.shown) == 13
    assert "2C" not in cards_in(_view(table, 1), frozenset({Card("2C")}))
    assert seen.finish == Place(0, 54)


def test_10_3_a_dropped_holding_is_not_shown() -> None:
    table = Table([COMPLETE, BROKEN], closed="KC", first=1, options=Options(seats=8))
    dropped = frozenset(table.held(1))
    table.drop(1).turn(2).turn(3).draw(0).declare(0)
    seen = _view(table, None)
    assert seen.ended
    assert seen.winner == 0
    assert [shown.seat for shown in seen.shown] == [0, 2, 3]
    assert dict(seen.points) == table.points
    assert not cards_in(seen.shown, dropped)


def test_10_1_all_see_that_the_dealer_is_awaited() -> None:
    table = Table(seats=range(6), options=Options(seats=6))
    for number in range(26):
        table.turn(number % 6)
    assert _view(table.draw(2), None).waits_for_dealer


def test_3_8_a_void_hand_has_neither_points_nor_winner() -> None:
    table = Table(seats=range(6), options=Options(seats=6, reshuffle_cap=1))
    for number in range(26):
        table.turn(number % 6)
    table.draw(2).shuffle().discard(2)
    while table.state.closed_pile:
        table.turn(table.acting or 0)
    seen = _view(table.draw(table.acting or 0), 0)
    assert seen.ended
    assert (seen.points, seen.winner, seen.shown) == ((), None, ())
