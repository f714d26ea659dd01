"""Who plays a seat: misses, a leaver, a substitute, the owner's return."""

import pytest

from server.cards.game import (
    IllegalMove,
    Seat,
    SeatHandedOver,
    SeatInfo,
    SeatKind,
    SeatTakenBack,
    TurnBegan,
)
from server.cards.substitutes import (
    AutoMoved,
    Pilots,
    acted,
    left,
    line_of,
    missed,
    pilot_of,
    pilots_of,
    returned,
)

OWNER, BOT = Seat(0), Seat(1)
LIMIT = 2


def begun() -> Pilots:
    return pilots_of([SeatInfo(OWNER, SeatKind.HUMAN), SeatInfo(BOT, SeatKind.BOT)])


def test_the_limit_in_a_row_hands_a_seat_over_after_the_clocks_move() -> None:
    first = missed(begun(), OWNER, LIMIT)
    assert first.before == (AutoMoved(seat=OWNER, misses=1, miss_limit=LIMIT),)
    assert first.after == ()
    second = missed(first.pilots, OWNER, LIMIT)
    assert second.before == (AutoMoved(seat=OWNER, misses=2, miss_limit=LIMIT),)
    assert second.after == (SeatHandedOver(seat=OWNER, why="misses"),)
    assert pilot_of(second.pilots, OWNER).handed_over == "misses"
    assert not pilot_of(second.pilots, OWNER).is_own


def test_a_decision_of_its_own_sets_the_misses_back() -> None:
    pilots = acted(missed(begun(), OWNER, LIMIT).pilots, OWNER)
    assert pilots == begun()
    assert missed(pilots, OWNER, LIMIT).after == ()


def test_a_substitute_misses_nothing_and_clears_nothing() -> None:
    assert missed(begun(), BOT, 1).pilots == begun()
    assert missed(begun(), BOT, 1).before == ()
    over = missed(begun(), OWNER, 1).pilots
    assert acted(over, OWNER) == over
    assert missed(over, OWNER, 1).pilots == over


def test_a_leaver_is_handed_over_once_also_after_misses() -> None:
    over = missed(begun(), OWNER, 1).pilots
    pilots, event = left(over, OWNER)
    assert event == SeatHandedOver(seat=OWNER, why="left")
    assert pilot_of(pilots, OWNER).handed_over == "left"
    with pytest.raises(IllegalMove, match="already_leaving"):
        left(pilots, OWNER)


@pytest.mark.parametrize("seat", [OWNER, BOT])
def test_an_owner_comes_back_with_a_clean_slate(seat: Seat) -> None:
    gone, _ = left(begun(), seat)
    pilots, event = returned(gone, seat)
    assert event == SeatTakenBack(seat=seat)
    assert pilot_of(pilots, seat).is_own
    assert pilot_of(pilots, seat).misses == 0


def test_a_seat_that_a_bot_has_played_since_the_hand_began_can_be_taken_back() -> None:
    assert pilot_of(returned(begun(), BOT)[0], BOT).is_own


def test_who_plays_its_seat_itself_has_nothing_to_come_back_to() -> None:
    with pytest.raises(IllegalMove, match="not_handed_over"):
        returned(begun(), OWNER)


def test_a_seat_outside_the_hand_is_refused() -> None:
    for change in (left, returned, acted):
        with pytest.raises(IllegalMove, match="not_your_turn"):
            change(begun(), Seat(5))


def test_a_leaver_and_a_return_have_a_line_and_misses_none() -> None:
    assert line_of(SeatHandedOver(seat=OWNER, why="left")) == "0 leave"
    assert line_of(SeatTakenBack(seat=OWNER)) == "0 back"
    assert line_of(SeatHandedOver(seat=OWNER, why="misses")) is None
    assert line_of(TurnBegan(seats=(OWNER,))) is None
