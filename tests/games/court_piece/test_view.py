"""What a seat may see."""

from server.cards.card import Card
from server.cards.game import Carry, Seat
from server.cards.pack import Pack
from server.games.court_piece import GAME
from server.games.court_piece.options import Options
from tests.games import tricks
from tests.games.court_piece.table import Table, memo
from tests.games.tricks import humans


def test_8_1_the_first_draw_is_seen_by_all() -> None:
    table = tricks.Table(GAME, Options(), carry=Carry()).deal(Pack(1, 0).cards, (5, 0, 2, 3))
    seen = GAME.view(table.state, None)
    assert seen.drawn == ((0, "6S"), (1, "AS"), (2, "4S"), (3, "7S"))
    assert (seen.chooser, seen.dealer, seen.hand) == (1, 0, 1)


def test_8_2_before_trump_a_seat_sees_its_five_cards_alone() -> None:
    table = Table().say("0 pass")
    for seat in range(4):
        seen = GAME.view(table.state, Seat(seat))
        assert len(seen.holding) == 5
        assert (seen.may_name, seen.may_pass) == (seat == 2, False)
        assert [one.card_count for one in seen.seats] == [5, 5, 5, 5]
    assert GAME.view(Table().state, Seat(0)).may_pass


def test_8_1_all_see_the_card_of_luck() -> None:
    table = Table().say("0 pass").time_out(2)
    for seat in (None, *map(Seat, range(4))):
        seen = GAME.view(table.state, seat)
        assert (seen.luck, seen.trump, seen.namer) == ("9S", "S", None)


def test_8_1_a_seat_in_turn_sees_which_cards_it_may_play() -> None:
    table = Table().say("0 trump S").play(0, "2S")
    assert GAME.view(table.state, Seat(1)).may_play == table.state.holdings[1]
    assert GAME.view(table.state, Seat(2)).may_play == ()
    assert GAME.view(table.state, None).trick == ((0, Card("2S")),)


def test_8_1_the_score_is_there_from_the_beginning_and_holds_the_hand_at_its_end() -> None:
    table = Table(memo=memo((4, 2), run=(1, 2), hands=5))
    seen = GAME.view(table.state, None)
    assert (seen.hand, seen.target, seen.counting) == (6, 10, "points")
    assert (seen.score, seen.run_team, seen.run) == ((4, 2), 1, 2)
    over = GAME.view(table.finish("S").state, None)
    assert (over.score, over.run, over.court) == ((7, 2), 0, "court")
    assert (over.team_tricks, over.points) == ((7, 0), ((0, 3), (1, 0), (2, 3), (3, 0)))
    assert (over.phase, over.ended, over.winners) == ("over", True, ())


def test_who_is_handed_over_is_seen_with_its_misses() -> None:
    table = Table(options=Options(miss_limit=1)).time_out(0).leave(3)
    seats = GAME.view(table.state, None).seats
    assert [(seat.misses, seat.handed_over) for seat in seats] == [
        (1, "misses"), (0, None), (0, None), (0, "left"),
    ]  # fmt: skip


def test_before_the_cards_the_dealer_is_waited_for() -> None:
    seen = GAME.view(GAME.start(Options(), humans(), Carry()), None)
    assert seen.waits_for_dealer
    assert (seen.phase, seen.dealer, seen.chooser, seen.target) == ("deal", None, None, 3)
