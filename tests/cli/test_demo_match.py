"""The standing of a match as a demo tells it, hand by hand."""

from dataclasses import replace
from typing import Any, cast

from server.bots.close_checks import HandOver, MatchSaid
from server.bots.opening_checks import LogHead
from server.cli.demo_house import Plan
from server.cli.demo_match import Standing, standing_after

NOWHERE = cast("LogHead", None)


def closed(number: int, points: tuple[int, ...], *winners: int, over: bool = False) -> HandOver:
    return HandOver(
        end="closed",
        hand_no=1,
        hand_id="1",
        log=NOWHERE,
        result=tuple((seat, value, 0) for seat, value in enumerate(points)),
        match=MatchSaid(number, over, winners),
    )


VOIDED = HandOver(end="voided", hand_no=1, hand_id="1", log=NOWHERE)


def after(*overs: HandOver) -> Standing:
    standing: Standing | None = None
    for over in overs:
        standing = standing_after(standing, over)
    assert standing is not None
    return standing


def test_points_add_up_over_the_hands_of_a_match_and_begin_anew_with_the_next() -> None:
    first = (closed(1, (3, -3)), VOIDED, closed(1, (-5, 5), 1, over=True))
    assert str(after(*first[:2])) == "3 -3"
    assert after(*first).line() == "match 1: seat 1 wins after 2 hands, points -2 2"
    again = after(*first, closed(2, (7, -7)))
    assert (again.match, again.hands, str(again)) == (2, 1, "7 -7")


def test_several_winners_are_named_together() -> None:
    shared = after(closed(4, (1, 1, 0, 9), 0, 1, over=True))
    assert shared.line() == "match 4: seats 0 and 1 win after 1 hand, points 1 1 0 9"
    assert shared.document() == {
        "match": 4, "hands": 1, "points": [1, 1, 0, 9], "winners": [0, 1],
    }  # fmt: skip


def test_an_attempt_that_was_voided_has_no_standing() -> None:
    assert standing_after(None, VOIDED) is None


def test_a_plan_is_played_when_its_hands_or_its_matches_are() -> None:
    last: Any = closed(1, (0, 0), 0, over=True)
    hands = Plan(game="rummy", seats=4, hands=2, matches=None, bot_seed=0)
    assert not hands.is_played([last, VOIDED])
    assert hands.is_played([last, VOIDED, last])
    matches = replace(hands, game="sevens", hands=None, matches=1)
    assert not matches.is_played([closed(1, (0, 0)), VOIDED])
    assert matches.is_played([closed(1, (0, 0)), last])
    assert (hands.is_free, matches.is_free) == (False, True)
    assert (str(hands), str(matches)) == (
        "rummy, 4 seats, hands: 2",
        "sevens, 4 seats, matches: 1",
    )
