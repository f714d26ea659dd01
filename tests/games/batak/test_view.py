"""What a seat may see."""

from server.cards.card import Card
from server.cards.game import Carry, Seat
from server.games.batak import GAME
from server.games.batak.options import Options
from tests.games.batak.table import SUITS_EACH, Table
from tests.games.tricks import humans


def test_8_1_all_see_the_calls_and_who_owes_what() -> None:
    table = Table(memo="deals=2 totals=1,-20,3,40").say("0 bid 6", "1 pass", "2 pass", "3 pass")
    seen = GAME.view(table.state, None)
    assert seen.calls == ((0, 6), (1, 0), (2, 0), (3, 0))
    assert (seen.bidder, seen.contract, seen.is_forced, seen.phase) == (0, 6, False, "trump")
    assert (seen.deal, seen.deals) == (3, 8)
    assert [seat.owed for seat in seen.seats] == [6, 1, 1, 1]
    assert [seat.total for seat in seen.seats] == [1, -20, 3, 40]
    assert [seat.has_passed for seat in seen.seats] == [False, True, True, True]
    assert seen.holding == ()
    assert seen.may_bid == ()


def test_8_1_a_seat_sees_its_cards_and_which_of_them_it_may_play() -> None:
    table = Table().bid(trump="S").play(0, "4S")
    assert " ".join(GAME.view(table.state, Seat(1)).holding) == SUITS_EACH[1]
    assert GAME.view(table.state, Seat(1)).may_play == table.state.legal_cards(Seat(1))
    assert GAME.view(table.state, Seat(2)).may_play == ()
    assert GAME.view(table.state, None).trick == ((0, Card("4S")),)


def test_8_1_the_caller_sees_what_it_may_bid() -> None:
    table = Table().say("0 bid 11")
    assert GAME.view(table.state, Seat(1)).may_bid == (12, 13)
    assert GAME.view(table.state, Seat(2)).may_bid == ()


def test_8_1_tricks_taken_stay_to_be_seen() -> None:
    table = Table().bid(trump="S").play(0, "4S 2H 2D 2C")
    seen = GAME.view(table.state, Seat(3))
    assert seen.tricks[0].winner == 0
    assert [one.card for one in seen.tricks[0].cards] == ["4S", "2H", "2D", "2C"]
    assert [seat.tricks for seat in seen.seats] == [1, 0, 0, 0]
    assert seen.is_broken


def test_8_1_the_end_shows_points_totals_and_who_has_won() -> None:
    table = Table(memo="deals=7 totals=0,68,-10,12").bid(5, "S")
    while not table.state.ended:
        table.time_out(table.state.acting)
    seen = GAME.view(table.state, None)
    assert seen.points == ((0, 58), (1, -10), (2, -10), (3, -10))
    assert [seat.total for seat in seen.seats] == [58, 58, -20, 2]
    assert seen.winners == (0, 1)
    assert (seen.phase, seen.acting, seen.ended) == ("over", None, True)


def test_who_is_handed_over_is_seen_with_its_misses() -> None:
    table = Table(options=Options(miss_limit=1)).time_out(0).leave(3)
    seats = GAME.view(table.state, None).seats
    assert [(seat.misses, seat.handed_over) for seat in seats] == [
        (1, "misses"), (0, None), (0, None), (0, "left"),
    ]  # fmt: skip


def test_before_the_cards_the_dealer_is_waited_for() -> None:
    seen = GAME.view(GAME.start(Options(), humans(), Carry()), None)
    assert seen.waits_for_dealer
    assert (seen.phase, seen.dealer, seen.acting) == ("deal", None, None)
