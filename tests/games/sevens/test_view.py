"""What one seat may see."""

from server.cards.game import Carry, Seat, SeatInfo, SeatKind
from server.games.sevens import BADAM_SATTI, SEVENS
from server.games.sevens.lines import Line
from server.games.sevens.options import BadamSattiOptions, SevensOptions
from server.games.sevens.view import SevensView, view
from tests.games.sevens.table import Table

HANDS = ("6H 7C KS", "7H 8H", "7S 9S")


def seen(table: Table, seat: int | None) -> SevensView:
    return view(table.state, None if seat is None else Seat(seat))


def test_8_1_all_see_lines_counts_passes_and_scores() -> None:
    table = Table(HANDS, memo="2:9,0,31").say("1 play 7H", "2 play 7S")
    for seat in (None, 0, 1, 2):
        own = seen(table, seat)
        assert own.lines == (Line(*table.state.lines[0]), Line(*table.state.lines[1]))
        assert [str(line.low) for line in own.lines] == ["7S", "7H"]
        assert [one.card_count for one in own.seats] == [17, 17, 16]
        assert [one.score for one in own.seats] == [9, 0, 31]
        assert (own.number, own.hands, own.dealer, own.acting) == (3, 5, 0, 0)
        assert not own.waits_for_dealer


def test_8_3_a_seat_sees_its_own_cards_and_which_may_be_laid() -> None:
    table = Table(HANDS).say("1 play 7H", "2 play 7S")
    own = seen(table, 0)
    assert own.holding == table.held(0)
    assert {"6H", "7C"} <= set(own.playable)
    assert "KS" not in own.playable
    assert not own.may_pass
    other = seen(table, 1)
    assert other.holding == table.held(1)
    assert (other.playable, other.may_pass) == ((), False)
    spectator = seen(table, None)
    assert (spectator.holding, spectator.playable, spectator.may_pass) == ((), (), False)


def test_8_3_who_can_lay_nothing_may_pass() -> None:
    table = Table()
    while table.may_play() != {"pass"}:
        table.time_out(table.acting)
    assert seen(table, table.acting).may_pass
    assert not seen(table, (table.acting + 1) % 3).may_pass


def test_the_pool_grows_with_each_pass() -> None:
    table = Table(options=SevensOptions(seats=3))
    assert seen(table, None).pool == 3
    while not any("pass" in line for line in table.lines):
        table.time_out(table.acting)
    own = seen(table, None)
    assert own.pool == 4
    assert sum(one.passes for one in own.seats) == 1


def test_6_all_see_misses_and_who_is_handed_over() -> None:
    table = Table(HANDS, options=BadamSattiOptions(seats=3, miss_limit=2)).time_out(1).leave(2)
    seats = seen(table, None).seats
    assert [(one.misses, one.handed_over) for one in seats] == [(0, None), (1, None), (0, "left")]


def test_8_4_the_end_shows_the_cards_left_and_the_match() -> None:
    table = Table(memo="4:0,500,500", dealer=2)
    assert seen(table, None).shown == ()
    while table.state.scored is None:
        table.time_out(table.acting)
    own = seen(table, None)
    assert own.ended
    assert own.points == table.scored.points
    assert own.winner == 0
    assert own.match_winners == (0,)
    assert own.acting is None
    assert [one.score for one in own.seats] == list(table.state.scores)
    for hand in own.shown:
        assert hand.cards == table.held(hand.seat)
        assert hand.cost == table.points[hand.seat]


def test_before_the_deal_there_is_nothing_to_see() -> None:
    seats = tuple(SeatInfo(Seat(seat), SeatKind.HUMAN) for seat in range(4))
    for game in (BADAM_SATTI, SEVENS):
        state = game.start(game.options_type(), seats, Carry())
        own = game.view(state, Seat(0))
        assert own.waits_for_dealer
        assert (own.holding, own.lines, own.dealer, own.acting) == ((), (), None, None)
