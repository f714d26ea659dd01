"""Going out, declaring, and the result of a hand."""

import pytest

from server.cards.card import Card
from server.cards.game import Carry, IllegalMove, Scored, Seat
from server.games.rummy import GAME
from server.games.rummy.events import HandShown, SeatDeclared, SeatDropped, WrongDeclare
from server.games.rummy.moves import Declare, Place
from server.games.rummy.options import Options
from tests.games.rummy.table import BROKEN, BROKEN_TOO, COMPLETE, Table

BROKEN_POINTS = 89


def test_7_2_a_later_drop_costs_40() -> None:
    table = Table().turn(0).turn(1).turn(2).turn(3).drop(0)
    assert table.events[0] == SeatDropped(seat=Seat(0), why="drop", points=40)


def test_7_2_a_draw_by_the_clock_counts() -> None:
    table = Table().time_out(0).turn(1).turn(2).turn(3).drop(0)
    assert table.state.player(Seat(0)).points == 40


def test_7_1_what_others_drew_does_not_count() -> None:
    table = Table().turn(0).turn(1).turn(2).drop(3)
    assert table.state.player(Seat(3)).points == 20


def test_7_4_a_leaver_in_turn_gives_the_turn_on() -> None:
    assert Table().leave(0).acting == 1
    assert Table().draw(0).leave(0).acting == 1
    table = Table().draw(0).leave(0)
    assert len(table.state.player(Seat(0)).laid_down) == 14


@pytest.mark.parametrize("leaver", [0, 1, 2, 3])
@pytest.mark.parametrize("acting", [0, 1, 2, 3])
def test_7_4_the_turn_goes_to_the_right_seat_whoever_leaves(leaver: int, acting: int) -> None:
    table = Table(first=acting).leave(leaver)
    expected = (acting + 1) % 4 if leaver == acting else acting
    assert table.acting == expected
    order = []
    for _ in range(3):
        order.append(table.acting)
        table.turn(table.acting or 0)
    assert order == [s % 4 for s in range(expected, expected + 4) if s % 4 != leaver]


def test_7_4_one_who_is_out_leaves_without_a_trace() -> None:
    table = Table().drop(0)
    before = table.state
    table.leave(0)
    assert table.events == ()
    assert table.state == before
    assert table.state.player(Seat(0)).points == 20


def test_7_4_a_seat_that_is_not_listed_has_nothing_to_leave() -> None:
    with pytest.raises(IllegalMove, match="not_your_turn"):
        Table(seats=(0, 1)).leave(3)


def test_7_6_the_last_seat_wins_even_out_of_turn() -> None:
    table = Table(seats=(0, 1)).draw(0).leave(1)
    assert table.points == {0: 0, 1: 40}
    table = Table(seats=(0, 1)).draw(0).leave(0)
    assert table.points == {0: 40, 1: 0}
    table = Table().leave(1).leave(2).leave(3)
    assert table.state.scored is not None
    assert table.state.scored.winner == 0
    assert not any(isinstance(event, HandShown) for event in table.events)


def test_7_6_with_two_in_a_wrong_declare_gives_the_hand_away() -> None:
    table = Table([BROKEN], seats=(0, 1)).draw(0).declare(0)
    assert table.points == {0: 80, 1: 0}
    assert [event.name for event in table.events] == ["declared", "wrong_declare", "scored"]


def test_5_3_a_right_declare_counts_the_others() -> None:
    table = Table([COMPLETE, BROKEN, BROKEN], closed="KC", options=Options(seats=8))
    table.leave(3).draw(0).declare(0)
    assert [event.name for event in table.events] == [
        "declared",
        "shown",
        "shown",
        "shown",
        "scored",
    ]
    assert table.events[0] == SeatDeclared(seat=Seat(0), finish=Place(0, 54))
    shown = [event for event in table.events if isinstance(event, HandShown)]
    assert [(event.seat, event.points, event.case) for event in shown] == [
        (0, 0, "two_sequences"), (1, BROKEN_POINTS, "none"), (2, BROKEN_POINTS, "none"),
    ]  # fmt: skip
    assert set(shown[0].cards) == {card for group in shown[0].groups for card in group}
    assert shown[1].loose == shown[1].cards
    assert table.points == {0: 0, 1: 89, 2: 89, 3: 40}


def test_5_3_the_declarer_is_shown_first_then_the_others_ascending() -> None:
    table = Table([BROKEN, BROKEN_TOO, COMPLETE], closed="KC", first=2, options=Options(seats=8))
    table.draw(2).declare(2)
    assert [event.seat for event in table.state.shown] == [2, 0, 1, 3]


def test_2_3_the_next_hand_begins_one_seat_further_on() -> None:
    for first, following in ((0, 1), (3, 4), (5, 0)):
        table = Table(seats=(0, 3, 5), first=first, options=Options(seats=6))
        for seat in {0, 3, 5} - {first}:
            table.leave(seat)
        scored = table.event("scored")
        assert isinstance(scored, Scored)
        assert scored.carry == Carry(dealer=Seat(following))
        assert scored.match_over


def test_5_4_a_wrong_declare_shows_thirteen_cards_and_hides_the_finish() -> None:
    table = Table([BROKEN], closed="2C").draw(0)
    thirteen = table.held(0)[:13]
    table.declare(0)
    assert table.events[:2] == (
        SeatDeclared(seat=Seat(0), finish=Place(0, 54)),
        WrongDeclare(seat=Seat(0), points=80, cards=thirteen),
    )
    assert table.event("turn") is not None
    assert "2C" not in repr(table.events)


def test_5_4_any_number_of_wrong_declares_may_come() -> None:
    table = Table([BROKEN, BROKEN, BROKEN_TOO, COMPLETE], options=Options(seats=8))
    for seat in range(3):
        table.draw(seat).declare(seat)
    assert table.points == {0: 80, 1: 80, 2: 80, 3: 0}


def test_5_1_the_finish_card_may_be_named_by_its_place() -> None:
    table = Table([COMPLETE], closed="KC").draw(0).play(0, Declare(Place(0, 54)))
    assert table.points[0] == 0


@pytest.mark.parametrize("place", [Place(0, 55), Place(0, 1), Place(1, 54), Place(0, 500)])
def test_5_1_a_place_that_is_not_held_is_refused(place: Place) -> None:
    table = Table([COMPLETE], closed="KC").draw(0)
    with pytest.raises(IllegalMove, match="not_held") as caught:
        table.play(0, Declare(place))
    assert caught.value.field == "finish"


def test_5_1_each_of_the_fourteen_cards_may_be_the_finish() -> None:
    right = []
    for index in range(14):
        table = Table([COMPLETE], closed="9S").draw(0)
        finish = table.held(0)[index]
        table.declare(0, finish)
        if table.state.player(Seat(0)).out is None:
            right.append(finish)
        assert len(table.state.player(Seat(0)).laid_down or table.held(0)) == 13
    assert right == ["9S", "9S#1"]


def test_5_1_a_joker_may_be_the_finish() -> None:
    table = Table([COMPLETE], closed="JK").draw(0).declare(0, "JK")
    assert table.points[0] == 0


def test_5_2_groups_are_for_show_alone() -> None:
    table = Table([COMPLETE], closed="KC").draw(0)
    odd = (table.held(0)[:1], table.held(0)[1:13])
    table.play(0, Declare(Card("KC"), odd))
    shown = table.state.shown[0]
    assert shown.submitted == odd
    assert len(shown.groups) >= 3
    assert table.points[0] == 0


@pytest.mark.parametrize(
    "spoil",
    [
        lambda cards: (),
        lambda cards: (cards, ()),
        lambda cards: (cards[:12],),
        lambda cards: (cards, cards[:1]),
        lambda cards: ((*cards[:12], Card("KC")),),
        lambda cards: ((*cards[:12], Card("AS#1")),),
    ],
    ids=["none", "an empty one", "twelve", "one twice", "the finish", "not held"],
)
def test_5_2_groups_must_be_the_thirteen_cards(spoil: object) -> None:
    table = Table([COMPLETE], closed="KC").draw(0)
    with pytest.raises(IllegalMove, match="bad_groups") as caught:
        table.play(0, Declare(Card("KC"), spoil(table.held(0)[:13])))  # type: ignore[operator]
    assert caught.value.field == "groups"
    assert table.acting == 0


def test_7_6_nothing_is_played_after_the_end() -> None:
    table = Table(seats=(0, 1)).drop(0)
    assert GAME.to_act(table.state) == frozenset()
    for play in (table.draw, table.drop, table.leave, table.time_out):
        with pytest.raises(IllegalMove, match="hand_over"):
            play(1)
